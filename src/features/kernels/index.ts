import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { defineFeature } from "../../ui/feature.ts";
import { kernelsDeclarations } from "./declarations.ts";
import type { KernelServices } from "./kernel-services.ts";

interface KernelFeatureServices extends KernelServices {
  readonly registry: TenantRegistry;
  readonly subscriptions: vscode.Disposable[];
}

/** Runs notebooks of workspaces on the kernels of their content servers. */
export const kernels = defineFeature({
  commands: kernelsDeclarations,
  create: (services: KernelFeatureServices) => {
    const messaging = vscode.notebooks.createRendererMessaging("platform-workbench-widgets");
    const load = lazy(async () => {
      const loaded = new (await import("./notebook-kernels.ts")).NotebookKernels(services, messaging);
      services.subscriptions.push(loaded);
      return loaded;
    });
    const opened = async (notebook: vscode.NotebookDocument): Promise<void> => {
      if (notebook.uri.scheme === scheme) {
        await (await load()).opened(notebook);
      }
      (await import("./jupyter-servers.ts")).offerWhenActive(services);
    };
    vscode.workspace.notebookDocuments.forEach(opened);
    return {
      handlers: async () => (await import("./handlers.ts")).kernelCommands(await load()),
      disposables: [
        vscode.workspace.onDidOpenNotebookDocument(opened),
        messaging.onDidReceiveMessage(async (event) => (await load()).widgetPages.take(event)),
      ],
    };
  },
});
