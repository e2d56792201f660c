import * as vscode from "vscode";
import { createTransport } from "./api/http/transport.ts";
import { EmbeddedSample } from "./composition/embedded-sample.ts";
import { registerWorkbench } from "./composition/registration.ts";
import { registerServerVersions } from "./file-system/merge/server-version.ts";
import { FailedOperations } from "./file-system/provider/failed-operations.ts";
import { PlatformFileSystem } from "./file-system/provider/platform-file-system.ts";
import { Connections } from "./tenants/connections.ts";
import { takeTenantFile, tenantFileVariable } from "./tenants/tenant-file.ts";
import { TenantRegistry } from "./tenants/tenant-registry.ts";
import { TenantSecrets } from "./tenants/tenant-secrets.ts";
import { WorkspaceLifecycle } from "./tenants/workspace-lifecycle.ts";
import { scheme } from "./tenants/workspace-uri.ts";
import { showFailure } from "./ui/commands/command-runner.ts";

/** Makes the parts and hands each what it needs. The file system is there before anything is waited for. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Platform Workbench", { log: true });
  const transport = createTransport({ log, ...networkSettings() });
  const registry = new TenantRegistry(context.globalState);
  const secrets = new TenantSecrets(context.secrets);
  const sample = new EmbeddedSample(context, registry, secrets, log);
  const ready = bringTenants(registry, secrets, sample, log);
  const connections = new Connections(registry, secrets, transport, context.globalState, log, ready);
  const files: PlatformFileSystem = new PlatformFileSystem(connections, context.workspaceState, {
    storage: context.storageUri,
    beforeReplacing: async (uri, server) =>
      (await checkpointKeeping()).keepReplaced(files, context.globalStorageUri, uri, server),
  });
  const checkpoints = registerCheckpointKeeping(files, context.globalStorageUri);
  const lifecycle = new WorkspaceLifecycle(connections);
  const failed = new FailedOperations(files, (error, concern) => showFailure(error, concern, { connections, log }));
  const recover = (tenantId: string, workspaceId: string): Promise<void> => failed.recover(tenantId, workspaceId);
  context.subscriptions.push(
    log,
    registry,
    secrets,
    sample,
    connections,
    files,
    checkpoints,
    lifecycle,
    failed,
    new vscode.Disposable(() => void transport.close()),
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    registerServerVersions(files),
    secrets.onDidChange(({ tenantId, workspaceId }) =>
      settle(workspaceId === undefined ? failed.recoverTenant(tenantId) : recover(tenantId, workspaceId), log),
    ),
    lifecycle.onDidChangeState(({ state, tenantId, workspaceId }) =>
      state === "started" ? settle(recover(tenantId, workspaceId), log) : undefined,
    ),
    registerWorkbench({
      ...{ context, registry, secrets, connections, lifecycle, log, files },
      trySampleTenant: () => sample.open(),
    }),
  );
}

function checkpointKeeping(): Promise<typeof import("./features/checkpoints/keeping.ts")> {
  return import("./features/checkpoints/keeping.ts");
}

/** After a save, a checkpoint is made where the person wants it. */
function registerCheckpointKeeping(files: PlatformFileSystem, storage: vscode.Uri): vscode.Disposable {
  const saved = ({ uri }: { readonly uri: vscode.Uri }): void => {
    const settings = vscode.workspace.getConfiguration("platformWorkbench", uri);
    if (uri.scheme === scheme && settings.get<boolean>("files.checkpointOnSave", false)) {
      void checkpointKeeping().then((module) => module.checkpointOfSave(files, storage, uri));
    }
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(saved),
    vscode.workspace.onDidSaveNotebookDocument(saved),
  );
}

/** Brings in the tenants that are not in the settings; whoever needs a tenant waits for it. */
async function bringTenants(
  registry: TenantRegistry,
  secrets: TenantSecrets,
  sample: EmbeddedSample,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const tenantFile = process.env[tenantFileVariable];
  const steps = [
    () => (tenantFile === undefined || tenantFile === "" ? undefined : takeTenantFile(tenantFile, registry, secrets)),
    () => sample.resume(),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error(error instanceof Error ? error.message : String(error));
    }
  }
}

/** The editor's own network settings, which the HTTP library knows nothing of. */
function networkSettings(): { readonly proxy?: string; readonly strictCertificates: boolean } {
  const http = vscode.workspace.getConfiguration("http");
  const proxy = http.get<string>("proxy", "");
  return { ...(proxy === "" ? {} : { proxy }), strictCertificates: http.get<boolean>("proxyStrictSSL", true) };
}

function settle(work: Promise<void>, log: vscode.LogOutputChannel): void {
  work.catch((error: unknown) => log.error(error instanceof Error ? error.message : String(error)));
}
