import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { defineFeature } from "../../ui/feature.ts";
import { variablesDeclarations } from "./declarations.ts";
import type { VariablesServices } from "./variables-services.ts";

/** The variables of notebooks of workspaces, in a view of the panel. */
export const variables = defineFeature({
  commands: variablesDeclarations,
  create: (services: VariablesServices) => {
    const load = lazy(async () => {
      const loaded = new (await import("./variables-view.ts")).VariablesView(services);
      services.subscriptions.push(loaded);
      return loaded;
    });
    const opened = ({ uri }: vscode.NotebookDocument): unknown => (uri.scheme === scheme ? load() : undefined);
    vscode.workspace.notebookDocuments.forEach(opened);
    return {
      handlers: async () => (await import("./handlers.ts")).variablesCommands(await load()),
      disposables: [
        vscode.workspace.onDidOpenNotebookDocument(opened),
        // An untitled notebook has one of our kernels only when it runs.
        services.openKernels.onEvent(load),
      ],
    };
  },
});
