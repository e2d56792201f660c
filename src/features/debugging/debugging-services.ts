import type * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { OpenKernels } from "../../tenants/open-kernels.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";

/** The type of the editor's debug sessions. */
export const debugType = "platform-workbench-kernel";

/** The shared parts that debugging needs. */
export interface DebuggingServices {
  readonly connections: Pick<Connections, "content">;
  readonly openKernels: OpenKernels;
  readonly secrets: Pick<TenantSecrets, "onDidSignOut">;
  readonly subscriptions: vscode.Disposable[];
}
