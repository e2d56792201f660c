import * as vscode from "vscode";
import type { OpenKernels } from "../../tenants/open-kernels.ts";
import { defineFeature } from "../../ui/feature.ts";
import { packagesDeclarations } from "./declarations.ts";

/** Offers to install the package that a cell failed to import. */
export const packages = defineFeature({
  commands: packagesDeclarations,
  create: ({ openKernels }: { readonly openKernels: OpenKernels }) => ({
    handlers: async () => {
      const { installMissingPackage } = await import("./missing-package.ts");
      return { "platformWorkbench.installMissingPackage": (_run, cell) => installMissingPackage(cell) };
    },
    disposables: [
      vscode.notebooks.registerNotebookCellStatusBarItemProvider("jupyter-notebook", {
        provideCellStatusBarItems: async (cell) =>
          openKernels.find(cell.notebook) !== undefined && cell.outputs.length > 0
            ? (await import("./missing-package.ts")).missingPackageItems(cell)
            : [],
      }),
    ],
  }),
});
