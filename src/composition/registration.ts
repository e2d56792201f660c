import * as vscode from "vscode";
import * as z from "zod/mini";
import { OperationDocuments } from "../features/api-explorer/operation-documents.ts";
import { registerLanguageModel } from "../features/language-model/registration.ts";
import type { PageDocuments } from "../features/pages/documents.ts";
import { PinnedRepositories } from "../features/sandbox/source-control/pinned-repositories.ts";
import type { SourceControls } from "../features/sandbox/source-control/source-controls.ts";
import { TenantAccounts } from "../features/tenants/accounts.ts";
import { StatusBar } from "../features/tenants/status-bar.ts";
import { LazyPanels } from "../features/workflows/panels/lazy-panels.ts";
import type { ConfigurationDocuments } from "../features/workspaces/configuration-documents.ts";
import { DataflowDocuments } from "../features/workspaces/dataflow-documents.ts";
import type { PlatformFileSystem } from "../file-system/provider/platform-file-system.ts";
import type { Connections } from "../tenants/connections.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../tenants/workspace-lifecycle.ts";
import { type CommandHandlers, registerCommands } from "../ui/commands/command-runner.ts";
import type { DetailsDocuments } from "../ui/details/details-documents.ts";
import { PlatformDocuments } from "../ui/documents/platform-documents.ts";
import { LazyTrees } from "./lazy-trees.ts";

/** What the workbench's visible parts stand on. */
export interface WorkbenchParts {
  readonly context: vscode.ExtensionContext;
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: vscode.LogOutputChannel;
  readonly files: PlatformFileSystem;
  readonly trySampleTenant: () => Promise<void>;
}

const manifestShape = z.looseObject({
  contributes: z.looseObject({ commands: z.array(z.looseObject({ command: z.string() })) }),
});

/** The commands as the manifest has them: their titles and menus need not be loaded a second time. */
function commandIds(manifest: unknown): readonly string[] {
  return z.parse(manifestShape, manifest).contributes.commands.map(({ command }) => command);
}

/** Registers the views, the Accounts menu, the documents and every command. */
export function registerWorkbench(parts: WorkbenchParts): vscode.Disposable {
  const { connections, context, lifecycle, log, registry, secrets } = parts;
  const accounts = new TenantAccounts({ registry, secrets, connections });
  const trees = new LazyTrees({ registry, secrets, connections, lifecycle, log });
  const panels = new LazyPanels({ connections, extensionUri: context.extensionUri, log });
  let loadingConfigurations: Promise<ConfigurationDocuments> | undefined;
  const configurations = (): Promise<ConfigurationDocuments> => {
    loadingConfigurations ??= import("../features/workspaces/configuration-documents.ts").then((module) => {
      const loaded = new module.ConfigurationDocuments({
        connections,
        onSaved: (_, uri) => {
          void trees.load().then(({ workspaces }) => workspaces.refresh());
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
  let loadingDetails: Promise<DetailsDocuments> | undefined;
  const details = (): Promise<DetailsDocuments> => {
    loadingDetails ??= import("../ui/details/details-documents.ts").then(
      (module) => new module.DetailsDocuments({ connections }),
    );
    return loadingDetails;
  };
  let loadingPages: Promise<PageDocuments> | undefined;
  const pages = (): Promise<PageDocuments> => {
    loadingPages ??= import("../features/pages/documents.ts").then((module) => {
      const loaded = new module.PageDocuments({
        connections,
        onSaved: (tenantId, pageId) =>
          void trees.load().then((all) => all.pages.refreshLists(tenantId, `page/${pageId}/filterViews`)),
      });
      context.subscriptions.push(loaded);
      return loaded;
    });
    return loadingPages;
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
    "design-file": {
      read: async (address) => (await import("../features/designs/files.ts")).readDesignFile(connections, address),
    },
    details: { read: async (address) => (await details()).markdown(address) },
    "sandbox-history": { read: async (address) => (await details()).history(address) },
    json: { read: async (address) => (await details()).json(address) },
    "filter-view": {
      read: async (address, uri) => (await pages()).filterView.read(address, uri),
      write: async (address, text, uri) => (await pages()).filterView.write(address, text, uri),
    },
    "page-summary": { read: async (address, uri) => (await pages()).summary.read(address, uri) },
    "operation-body": operations.body,
    "operation-answer": operations.answer,
    "operation-schema": operations.schema,
  });
  const pinned = new PinnedRepositories(context.globalState);
  let loadingControls: Promise<SourceControls> | undefined;
  const sourceControls = (): Promise<SourceControls> => {
    loadingControls ??= import("../features/sandbox/source-control/source-controls.ts").then((module) => {
      const loaded = new module.SourceControls(pinned, connections, log);
      context.subscriptions.push(loaded);
      return loaded;
    });
    return loadingControls;
  };
  if (pinned.all.length > 0) {
    void sourceControls();
  }
  const loadHandlers = async (): Promise<CommandHandlers> => {
    const [{ createHandlers }, loaded] = await Promise.all([import("./handlers.ts"), trees.load()]);
    return createHandlers({
      ...parts,
      trees: loaded,
      pinned,
      sourceControls,
      dataflows,
      operations,
      documents,
      panels,
    });
  };
  const commands = registerCommands(commandIds(context.extension.packageJSON), loadHandlers, { connections, log });
  const languageModel = registerLanguageModel({
    ...{ context, registry, secrets, connections, log },
    selection: () => trees.selection,
    load: () => import("./handlers.ts"),
  });
  const links = vscode.window.registerUriHandler({
    handleUri: async (link) => {
      await vscode.commands.executeCommand("platformWorkbench.openLink", link);
    },
  });
  return vscode.Disposable.from(
    commands,
    documents,
    trees,
    panels,
    accounts,
    links,
    languageModel,
    new StatusBar(registry, secrets),
  );
}
