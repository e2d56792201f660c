import * as vscode from "vscode";
import { errorMessage } from "./api/error-message.ts";
import { lazy } from "./api/lazy.ts";
import { registerFileSystem } from "./composition/file-system.ts";
import { addProvidedTenants, rememberSignOuts } from "./composition/provided-tenants.ts";
import { registerRecovery } from "./composition/recovery.ts";
import { registerWorkbench } from "./composition/workbench.ts";
import { SharedCompanions } from "./tenants/companions.ts";
import { Connections } from "./tenants/connections.ts";
import { createEditorTransport } from "./tenants/editor-transport.ts";
import { extensionLog } from "./tenants/extension-log.ts";
import { showError } from "./tenants/messages.ts";
import { SharedOpenKernels } from "./tenants/open-kernels.ts";
import { TenantRegistry } from "./tenants/tenant-registry.ts";
import { TenantSecrets } from "./tenants/tenant-secrets.ts";
import { WorkspaceLifecycle } from "./tenants/workspaces/workspace-lifecycle.ts";

/**
 * Stores what a reload of the window needs, ends what this window has started on servers, and then its connections. Set while
 * the extension is active.
 */
let end: (() => Promise<void>) | undefined;

/** Starts the extension. Shows a failure to the user, because the editor only logs it. */
export function activate(context: vscode.ExtensionContext): void {
  const channel = vscode.window.createOutputChannel("Platform Workbench", { log: true });
  context.subscriptions.push(channel);
  try {
    end = createParts(context, channel);
  } catch (error) {
    const reason = errorMessage(error);
    channel.error(`activation: ${error instanceof Error ? (error.stack ?? reason) : reason}`);
    void showError(vscode.l10n.t("Platform Workbench couldn't start: {0}", reason));
    throw error;
  }
}

/** Ends the extension, together with the subscriptions of its context. The editor waits for it for a few seconds. */
export async function deactivate(): Promise<void> {
  await end?.();
}

/**
 * Creates the parts and connects them. Registers the file system before the first await. Returns what ends them.
 */
function createParts(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel): () => Promise<void> {
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
  const companions = new SharedCompanions();
  const openKernels = new SharedOpenKernels();
  const files = registerFileSystem(connections, companions, context);
  const lifecycle = new WorkspaceLifecycle(connections);
  context.subscriptions.push(
    registry,
    secrets,
    connections,
    lifecycle,
    companions,
    openKernels,
    registerRecovery({ files, registry, connections, secrets, lifecycle, log }),
    registerWorkbench({
      context,
      registry,
      secrets,
      connections,
      lifecycle,
      log,
      files,
      companions,
      openKernels,
      sample,
    }),
  );
  return async () => {
    await Promise.all([files.stored(), companions.close()]);
    network.dispose();
  };
}
