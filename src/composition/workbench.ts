import type * as vscode from "vscode";
import { Disposable } from "vscode";
import { errorMessage } from "../api/error-message.ts";
import { lazy } from "../api/lazy.ts";
import type { PlatformFileSystem } from "../file-system/provider/platform-file-system.ts";
import type { SharedCompanions } from "../tenants/companions.ts";
import type { Connections } from "../tenants/connections.ts";
import type { ExtensionLog } from "../tenants/extension-log.ts";
import type { SharedOpenKernels } from "../tenants/open-kernels.ts";
import type { SampleAccess } from "../tenants/sample-access.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import { TerminalCommands } from "../tenants/terminal-commands.ts";
import type { WorkspaceLifecycle } from "../tenants/workspaces/workspace-lifecycle.ts";
import { SharedPorts } from "../tenants/workspaces/workspace-ports.ts";
import { registerCommands } from "../ui/commands/command-runner.ts";
import type { DetailsContribution } from "../ui/details/details.ts";
import { PlatformDocuments } from "../ui/documents/platform-documents.ts";
import type { ResourceType } from "../ui/resources/resource.ts";
import { LazyTrees } from "../ui/tree/lazy-trees.ts";
import { errorReporter } from "./error-reporter.ts";
import { features } from "./features.ts";

/** The parts that all features share. */
export interface WorkbenchParts {
  readonly context: vscode.ExtensionContext;
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: ExtensionLog;
  readonly files: PlatformFileSystem;
  readonly companions: SharedCompanions;
  readonly openKernels: SharedOpenKernels;
  readonly sample: () => Promise<SampleAccess>;
}

/** Creates every feature and registers its contributions: commands, trees, documents, and details. */
export function registerWorkbench(parts: WorkbenchParts): vscode.Disposable {
  const { connections, context, lifecycle, log, files, registry, secrets } = parts;
  const logged = (error: unknown): void => log.error(errorMessage(error));
  const documents = new PlatformDocuments();
  const trees = new LazyTrees({ registry, secrets, connections, log });
  const readers = new Map<ResourceType, DetailsContribution>();
  const disposables: vscode.Disposable[] = [
    documents,
    trees,
    secrets.onDidSignOut((tenantId) => {
      import("./tenant-tabs.ts").then(({ closeTabsOf }) => closeTabsOf(tenantId, documents)).catch(logged);
    }),
  ];
  import("./shared-sign-outs.ts")
    .then(({ shareSignOuts }) => shareSignOuts(secrets, context.globalStorageUri, logged))
    .then((shared) => context.subscriptions.push(shared), logged);
  const showError = errorReporter(connections, log);
  const usages = lazy(async () => {
    const { resourceUsages } = await import("../tenants/workspaces/resource-usages.ts");
    const loaded = resourceUsages(services);
    context.subscriptions.push(loaded);
    return loaded;
  });
  const services = {
    registry,
    secrets,
    connections,
    lifecycle,
    log,
    files,
    companions: parts.companions,
    openKernels: parts.openKernels,
    terminalCommands: new TerminalCommands(),
    usages,
    ports: new SharedPorts(),
    documents,
    trees,
    state: context.globalState,
    windowState: context.workspaceState,
    storage: context.globalStorageUri,
    extensionUri: context.extensionUri,
    manifest: context.extension.packageJSON as unknown,
    subscriptions: context.subscriptions,
    sample: parts.sample,
    showError,
  };
  for (const feature of features) {
    const contribution = feature.create(services);
    documents.add(contribution.documents ?? {});
    if (contribution.tree !== undefined) {
      trees.add(contribution.tree);
    }
    if (contribution.details !== undefined) {
      for (const type of contribution.details.types) {
        readers.set(type, contribution.details);
      }
    }
    if (contribution.handlers !== undefined) {
      disposables.push(
        registerCommands(Object.keys(feature.commands), contribution.handlers, {
          connections,
          log,
          manifest: services.manifest,
        }),
      );
    }
    disposables.push(...(contribution.disposables ?? []));
  }
  const details = lazy(async () => {
    const { DetailsDocuments } = await import("../ui/details/details-documents.ts");
    return new DetailsDocuments(connections, async (type) => (await readers.get(type)?.load())?.[type]);
  });
  documents.add({
    details: { read: async (address) => (await details()).markdown(address) },
    json: { read: async (address) => (await details()).json(address) },
  });
  return Disposable.from(...disposables);
}
