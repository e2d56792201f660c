import type * as vscode from "vscode";
import type { Companions } from "../../tenants/companions.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { SharedPorts } from "../../tenants/workspaces/workspace-ports.ts";
import type { ErrorContext } from "../../ui/commands/error-context.ts";

/** The shared parts that forwarded ports need. */
export interface PortServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly companions: Companions;
  /** What other features use of forwarded ports. */
  readonly ports: SharedPorts;
  readonly log: ExtensionLog;
  readonly subscriptions: vscode.Disposable[];
  /** Shows an error with the action that resolves it. */
  readonly showError: (error: unknown, context: ErrorContext) => Promise<void>;
}
