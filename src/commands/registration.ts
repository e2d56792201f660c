import * as vscode from "vscode";
import * as z from "zod/mini";
import type { ConfigurationDocuments } from "../documents/configuration-documents.ts";
import { DataflowDocuments } from "../documents/dataflow-documents.ts";
import { OperationDocuments } from "../documents/operation-documents.ts";
import { PlatformDocuments } from "../documents/platform-documents.ts";
import { registerLanguageModel } from "../language-model/registration.ts";
import { TenantAccounts } from "../tenants/accounts.ts";
import type { Connections } from "../tenants/connections.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../tenants/workspace-lifecycle.ts";
import { WorkspacesView } from "../views/workspaces.ts";
import { type CommandHandlers, registerCommands } from "./command-runner.ts";

/** What the workbench's visible parts stand on. */
export interface WorkbenchParts {
  readonly context: vscode.ExtensionContext;
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: vscode.LogOutputChannel;
  readonly files: {
    /** The file is another one on the server now. */
    changed(uri: vscode.Uri): void;
  };
  readonly trySampleTenant: () => Promise<void>;
}

const manifestShape = z.looseObject({
  contributes: z.looseObject({ commands: z.array(z.looseObject({ command: z.string() })) }),
});

/** The commands as the manifest has them: their titles and menus need not be loaded a second time. */
function commandIds(manifest: unknown): readonly string[] {
  return z.parse(manifestShape, manifest).contributes.commands.map(({ command }) => command);
}

/** Registers the Workspaces view, the Accounts menu, the documents and every command. */
export function registerWorkbench(parts: WorkbenchParts): vscode.Disposable {
  const { connections, context, lifecycle, log, registry, secrets } = parts;
  const accounts = new TenantAccounts({ registry, secrets, connections });
  const view = new WorkspacesView({ registry, secrets, connections, lifecycle, log });
  let loadingConfigurations: Promise<ConfigurationDocuments> | undefined;
  const configurations = (): Promise<ConfigurationDocuments> => {
    loadingConfigurations ??= import("../documents/configuration-documents.ts").then((module) => {
      const loaded = new module.ConfigurationDocuments({
        connections,
        onSaved: (_, uri) => {
          void view.refresh();
          // After the editor has taken the save as done: what the platform made of it may differ.
          setTimeout(() => {
            documents.reload(uri);
            void module.closeComparisons(uri);
          }, 500);
        },
        reload: (uri) => documents.reload(uri),
      });
      context.subscriptions.push(loaded);
      return loaded;
    });
    return loadingConfigurations;
  };
  const dataflows = new DataflowDocuments(context.globalState);
  const operations = new OperationDocuments(context.globalState, async (operationId) =>
    (await import("./handlers.ts")).schemaText(operationId),
  );
  const documents = new PlatformDocuments({
    configuration: {
      read: async (address, uri) => (await configurations()).configuration.read(address, uri),
      write: async (address, text, uri) => (await configurations()).configuration.write(address, text, uri),
    },
    "configuration-on-platform": {
      read: async (address, uri) => (await configurations()).onPlatform.read(address, uri),
    },
    dataflow: dataflows.body,
    "dataflow-response": dataflows.response,
    "operation-body": operations.body,
    "operation-answer": operations.answer,
    "operation-schema": operations.schema,
  });
  const loadHandlers = async (): Promise<CommandHandlers> => {
    const { createHandlers } = await import("./handlers.ts");
    return createHandlers({ ...parts, view, dataflows, operations, documents });
  };
  const commands = registerCommands(commandIds(context.extension.packageJSON), loadHandlers, { connections, log });
  const languageModel = registerLanguageModel({
    ...{ context, registry, secrets, connections, log },
    selection: () => view.selection,
    load: () => import("./handlers.ts"),
  });
  return vscode.Disposable.from(commands, documents, view, accounts, languageModel);
}
