import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import { dataExplorerDeclarations } from "./declarations.ts";
import type { ExplorerServices } from "./explorer-services.ts";

/** Data frames of notebooks' kernels, and CSV and Parquet files of workspaces, as grids. */
export const dataExplorer = defineFeature({
  commands: dataExplorerDeclarations,
  create: (services: ExplorerServices) => {
    const panels = lazy(async () => new (await import("./explorer-panels.ts")).ExplorerPanels(services));
    const editor: vscode.CustomReadonlyEditorProvider = {
      openCustomDocument: (uri) => ({ uri, dispose() {} }),
      resolveCustomEditor: async ({ uri }, panel) => (await panels()).fillEditor(uri, panel),
    };
    return {
      handlers: async () => (await import("./handlers.ts")).explorerCommands(await panels(), services),
      disposables: [
        ...["csv", "parquet"].map((kind) =>
          vscode.window.registerCustomEditorProvider(`platformWorkbench.${kind}`, editor, {
            supportsMultipleEditorsPerDocument: true,
          }),
        ),
        vscode.window.registerWebviewPanelSerializer("platformWorkbench.dataExplorer", {
          deserializeWebviewPanel: async (panel, state) => (await panels()).restore(panel, state),
        }),
        vscode.notebooks.registerNotebookCellStatusBarItemProvider("jupyter-notebook", {
          provideCellStatusBarItems: async (cell) =>
            cell.outputs.length > 0 ? (await import("./cell-tables.ts")).tableItem(cell, services.openKernels) : [],
        }),
      ],
    };
  },
});
