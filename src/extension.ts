import * as vscode from "vscode";
import { createTransport } from "./api/transport.ts";
import { scheme } from "./files/address.ts";
import { PlatformFileSystem } from "./files/platform-file-system.ts";
import { registerServerVersions } from "./files/server-version.ts";
import { Connections } from "./tenants/connections.ts";
import { takeTenantFile, tenantFileVariable } from "./tenants/tenant-file.ts";
import { TenantRegistry } from "./tenants/tenant-registry.ts";
import { TenantSecrets } from "./tenants/tenant-secrets.ts";

/** Makes the parts and hands each what it needs. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Platform Workbench", { log: true });
  const transport = createTransport({ log });
  const registry = new TenantRegistry(context.globalState);
  const secrets = new TenantSecrets(context.secrets);
  const ready = prepare(registry, secrets, log);
  const connections = new Connections(registry, secrets, transport, context.globalState, log, ready);
  const files = new PlatformFileSystem(connections, context.workspaceState);
  context.subscriptions.push(
    log,
    registry,
    secrets,
    connections,
    files,
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    registerServerVersions(files),
    new vscode.Disposable(() => void transport.close()),
  );
}

/** Brings in the tenants that are not in the settings; files wait for it. */
async function prepare(registry: TenantRegistry, secrets: TenantSecrets, log: vscode.LogOutputChannel): Promise<void> {
  const tenantFile = process.env[tenantFileVariable];
  if (tenantFile !== undefined && tenantFile !== "") {
    try {
      await takeTenantFile(tenantFile, registry, secrets);
    } catch (error) {
      log.error(error instanceof Error ? error.message : String(error));
    }
  }
}
