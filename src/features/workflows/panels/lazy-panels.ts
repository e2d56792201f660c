import * as vscode from "vscode";
import { lazy } from "../../../api/lazy.ts";
import type { PanelParts, Panels } from "./panels.ts";

/** Restores the panels that were open when the window was closed. Loads the code with the first panel. */
export class LazyPanels implements vscode.Disposable {
  readonly load: () => Promise<Panels>;
  readonly #serializers: readonly vscode.Disposable[];

  constructor(parts: PanelParts) {
    this.load = lazy(async () => {
      const { Panels } = await import("./panels.ts");
      return new Panels(parts);
    });
    this.#serializers = ["workflowDefinition", "workflowMetrics"].map((kind) =>
      vscode.window.registerWebviewPanelSerializer(`platformWorkbench.${kind}`, {
        deserializeWebviewPanel: async (panel, state) => (await this.load()).restore(panel, state),
      }),
    );
  }

  /** Panels are not closed: the editor keeps them for the next window. */
  dispose(): void {
    vscode.Disposable.from(...this.#serializers).dispose();
  }
}
