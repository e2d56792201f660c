import * as vscode from "vscode";
import { errorMessage } from "./api/error-message.ts";
import { lazy } from "./api/lazy.ts";
import { registerFileSystem } from "./composition/file-system.ts";
import { addProvidedTenants, rememberSignOuts } from "./composition/provided-tenants.ts";
import { registerRecovery } from "./composition/recovery.ts";
import { registerWorkbench } from "./composition/workbench.ts";
import { Connections } from "./tenants/connections.ts";
import { createEditorTransport } from "./tenants/editor-transport.ts";
import { extensionLog } from "./tenants/extension-log.ts";
import { showError } from "./tenants/messages.ts";
import { TenantRegistry } from "./tenants/tenant-registry.ts";
import { TenantSecrets } from "./tenants/tenant-secrets.ts";
import { WorkspaceLifecycle } from "./tenants/workspace-lifecycle.ts";

/** Starts the extension. Shows a failure to the user, because the editor only logs it. */
export function activate(context: vscode.ExtensionContext): void {
  const channel = vscode.window.createOutputChannel("Platform Workbench", { log: true });
  context.subscriptions.push(channel);
  try {
    createParts(context, channel);
  } catch (error) {
    const reason = errorMessage(error);
    channel.error(`activation: ${error instanceof Error ? (error.stack ?? reason) : reason}`);
    void showError(vscode.l10n.t("Platform Workbench couldn't start: {0}", reason));
    throw error;
  }
}

/** Creates the parts and connects them. Registers the file system before the first await. */
function createParts(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel): void {
  const secrets = new TenantSecrets(context.secrets);
  const log = extensionLog(channel, (text) => secrets.redacted(text));
  const network = createEditorTransport(log);
  const registry = new TenantRegistry(context.globalState);
  const sample = lazy(async () => {
    const { EmbeddedSample } = await import("./composition/embedded-sample.ts");
    const embedded = new EmbeddedSample(context, registry, secrets, log);
    context.subscriptions.push(embedded);
    return embedded;
  });
  context.subscriptions.push(rememberSignOuts({ registry, secrets, state: context.globalState, log }));
  const ready = addProvidedTenants({ registry, secrets, state: context.globalState, sample, log });
  const connections = new Connections(registry, secrets, network.transport, context.globalState, log, ready);
  const files = registerFileSystem(connections, context);
  const lifecycle = new WorkspaceLifecycle(connections);
  context.subscriptions.push(
    registry,
    secrets,
    connections,
    lifecycle,
    network,
    registerRecovery({ files, registry, connections, secrets, lifecycle, log }),
    registerWorkbench({
      context,
      registry,
      secrets,
      connections,
      lifecycle,
      log,
      files,
      sample,
    }),
  );
}
