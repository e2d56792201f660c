import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import { packagesDeclarations } from "./declarations.ts";
import type { PackageServices } from "./package-services.ts";

/** Python packages of workspaces, and an offer to install the one that a cell failed to import. */
export const packages = defineFeature({
  commands: packagesDeclarations,
  create: (services: PackageServices) => ({
    handlers: lazy(async () => (await import("./handlers.ts")).packageCommands(services)),
    disposables: [
      vscode.notebooks.registerNotebookCellStatusBarItemProvider("jupyter-notebook", {
        provideCellStatusBarItems: async (cell) =>
          services.openKernels.find(cell.notebook) !== undefined && cell.outputs.length > 0
            ? (await import("./missing-package.ts")).missingPackageItems(cell)
            : [],
      }),
    ],
  }),
});
