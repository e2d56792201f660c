import * as vscode from "vscode";
import type { PanelParts, Panels } from "./panels.ts";

/** Brings back the panels that were open when the window was closed; what they need is loaded with the first panel. */
export class LazyPanels implements vscode.Disposable {
  readonly #parts: PanelParts;
  readonly #serializers: readonly vscode.Disposable[];
  #loading: Promise<Panels> | undefined;

  constructor(parts: PanelParts) {
    this.#parts = parts;
    this.#serializers = ["workflowDefinition", "workflowMetrics"].map((kind) =>
      vscode.window.registerWebviewPanelSerializer(`platformWorkbench.${kind}`, {
        deserializeWebviewPanel: async (panel, state) => (await this.load()).restore(panel, state),
      }),
    );
  }

  load(): Promise<Panels> {
    this.#loading ??= import("./panels.ts").then((module) => new module.Panels(this.#parts));
    return this.#loading;
  }

  /** Panels stay: the editor keeps them for the next window. */
  dispose(): void {
    vscode.Disposable.from(...this.#serializers).dispose();
  }
}
