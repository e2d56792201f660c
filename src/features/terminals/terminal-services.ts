import type * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { TerminalCommands } from "../../tenants/terminal-commands.ts";
import type { WorkspaceLifecycle } from "../../tenants/workspaces/workspace-lifecycle.ts";
import type { WorkspacePorts } from "../../tenants/workspaces/workspace-ports.ts";
import type { ErrorContext } from "../../ui/commands/error-context.ts";

/** The shared parts that terminals need. */
export interface TerminalServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: ExtensionLog;
  readonly files: Pick<PlatformFileSystem, "stat">;
  /** Where ports are suggested and opened whose addresses terminals show. */
  readonly ports: WorkspacePorts;
  readonly terminalCommands: TerminalCommands;
  /** State of the window's workspace. */
  readonly windowState: vscode.Memento;
  readonly subscriptions: vscode.Disposable[];
  /** Shows an error with the action that resolves it. */
  readonly showError: (error: unknown, context: ErrorContext) => Promise<void>;
}

/** A terminal of a workspace. */
export interface TerminalAddress {
  readonly tenantId: string;
  readonly workspaceId: string;
  /** As the server names it, such as `1`. */
  readonly name: string;
}
