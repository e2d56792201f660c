import type * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";

/** The shared parts that runs need. */
export interface RunServices {
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly log: ExtensionLog;
  readonly files: Pick<PlatformFileSystem, "refresh">;
  /** State of the window's workspace. */
  readonly windowState: vscode.Memento;
  readonly subscriptions: vscode.Disposable[];
}

/** The key of the runs that this window has started and that have not ended, in its state. */
export const ownRunsKey = "notebookRuns";
