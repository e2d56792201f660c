import * as vscode from "vscode";
import { FailedOperations } from "../file-system/provider/failed-operations.ts";
import type { PlatformFileSystem } from "../file-system/provider/platform-file-system.ts";
import type { Connections } from "../tenants/connections.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../tenants/workspace-lifecycle.ts";
import { failureShower } from "./remedies.ts";

/** Repeats what failed in a workspace once its cause is gone: after it was started, or a new token was entered. */
export function registerRecovery(parts: {
  readonly files: PlatformFileSystem;
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: vscode.LogOutputChannel;
}): vscode.Disposable {
  const { files, connections, secrets, lifecycle, log } = parts;
  const failed = new FailedOperations(files, failureShower(connections, log));
  const settle = (work: Promise<void>): void => {
    work.catch((error: unknown) => log.error(error instanceof Error ? error.message : String(error)));
  };
  return vscode.Disposable.from(
    failed,
    secrets.onDidChange(({ tenantId, workspaceId }) =>
      settle(workspaceId === undefined ? failed.recoverTenant(tenantId) : failed.recover(tenantId, workspaceId)),
    ),
    lifecycle.onDidChangeState(({ state, tenantId, workspaceId }) =>
      state === "started" ? settle(failed.recover(tenantId, workspaceId)) : undefined,
    ),
  );
}
