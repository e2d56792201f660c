import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { lazy } from "../../api/lazy.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { defineFeature } from "../../ui/feature.ts";
import { kernelsDeclarations } from "./declarations.ts";
import type { KernelServices } from "./kernel-services.ts";

interface KernelFeatureServices extends KernelServices {
  readonly registry: TenantRegistry;
  readonly files: PlatformFileSystem;
  readonly subscriptions: vscode.Disposable[];
}

/** Runs notebooks of workspaces on the kernels of their content servers. */
export const kernels = defineFeature({
  commands: kernelsDeclarations,
  create: (services: KernelFeatureServices) => {
    const messaging = vscode.notebooks.createRendererMessaging("platform-workbench-widgets");
    const load = lazy(async () => {
      const loaded = new (await import("./kernel-window.ts")).KernelWindow(services, messaging);
      services.subscriptions.push(loaded);
      return loaded;
    });
    const offer = async (notebook: vscode.NotebookDocument): Promise<void> => {
      if (notebook.uri.scheme === scheme || notebook.uri.scheme === "untitled") {
        await (await load()).kernels.opened(notebook);
      }
      (await import("./jupyter-servers.ts")).offerWhenActive(services);
    };
    const failed = (error: unknown): void => services.log.error(`kernels: ${errorMessage(error)}`);
    const opened = (notebook: vscode.NotebookDocument): void => void offer(notebook).catch(failed);
    vscode.workspace.notebookDocuments.forEach(opened);
    return {
      handlers: async () => {
        const { kernels: notebooks, inputs } = await load();
        return (await import("./handlers.ts")).kernelCommands(notebooks, inputs, services);
      },
      disposables: [
        vscode.workspace.onDidOpenNotebookDocument(opened),
        services.secrets.onDidSignOut(
          (tenantId) =>
            void import("./controllers/stored-specs.ts")
              .then(({ deleteSpecs }) => deleteSpecs(services.state, tenantId))
              .catch(failed),
        ),
        vscode.languages.registerCodeLensProvider(
          { scheme, language: "python" },
          {
            provideCodeLenses: async (document) => [
              ...(await import("./console/script-commands.ts")).lensesOf(document),
            ],
          },
        ),
        messaging.onDidReceiveMessage(
          (event) =>
            void load()
              .then(({ widgetPages }) => widgetPages.handle(event))
              .catch(failed),
        ),
      ],
    };
  },
});
