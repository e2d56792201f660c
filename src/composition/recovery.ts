import * as vscode from "vscode";
import { errorMessage } from "../api/error-message.ts";
import { FailedOperations } from "../file-system/provider/failed-operations.ts";
import type { PlatformFileSystem } from "../file-system/provider/platform-file-system.ts";
import type { Connections } from "../tenants/connections.ts";
import type { ExtensionLog } from "../tenants/extension-log.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../tenants/workspaces/workspace-lifecycle.ts";
import { errorReporter } from "./error-reporter.ts";

/** Retries failed operations of a workspace after it was started, a new token was entered, or its server responds again. */
export function registerRecovery(parts: {
  readonly files: PlatformFileSystem;
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: ExtensionLog;
}): vscode.Disposable {
  const { files, registry, connections, secrets, lifecycle, log } = parts;
  const failed = new FailedOperations(files, errorReporter(connections, log));
  const settle = (work: Promise<void>): void => {
    work.catch((error: unknown) => log.error(errorMessage(error)));
  };
  const secretChanged = async (tenantId: string, workspaceId?: string): Promise<void> => {
    if (workspaceId !== undefined) {
      const isStored = (await secrets.notebookToken(tenantId, workspaceId)) !== undefined;
      await (isStored ? failed.recover(tenantId, workspaceId) : undefined);
      return;
    }
    const tenant = registry.get(tenantId);
    if (tenant !== undefined && (await secrets.credential(tenant)) !== undefined) {
      await failed.recoverTenant(tenantId);
    }
  };
  return vscode.Disposable.from(
    failed,
    files.onDidFail((operation) => failed.add(operation)),
    // A change without a credential isn't a sign-out: a provided tenant gets its secrets before it is registered.
    secrets.onDidSignOut((tenantId) => failed.signedOut(tenantId)),
    secrets.onDidChange(({ tenantId, workspaceId }) => settle(secretChanged(tenantId, workspaceId))),
    lifecycle.onDidChangeState(({ state, tenantId, workspaceId }) =>
      state === "started" ? settle(failed.started(tenantId, workspaceId)) : undefined,
    ),
  );
}
