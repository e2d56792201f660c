import type * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { ResourceUsages } from "../../tenants/workspaces/resource-usages.ts";

/** The shared parts that the display of resources needs. */
export interface ResourceServices {
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly usages: () => Promise<ResourceUsages>;
  readonly log: ExtensionLog;
  readonly subscriptions: vscode.Disposable[];
}
