import type * as vscode from "vscode";
import type { SharedCompanions } from "../../tenants/companions.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../../tenants/workspaces/workspace-lifecycle.ts";
import type { ErrorContext } from "../../ui/commands/error-context.ts";

/** The shared parts that companions need. */
export interface CompanionServices {
  readonly companions: SharedCompanions;
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: ExtensionLog;
  /** The extension's folder, which all windows of the editor share. */
  readonly storage: vscode.Uri;
  readonly subscriptions: vscode.Disposable[];
  /** Shows an error with the action that resolves it. */
  readonly showError: (error: unknown, context: ErrorContext) => Promise<void>;
}
