import type * as vscode from "vscode";
import type { WorkspaceEvents } from "../../file-system/session/workspace-events.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { SharedOpenKernels } from "../../tenants/open-kernels.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../../tenants/workspaces/workspace-lifecycle.ts";
import type { WorkspacePorts } from "../../tenants/workspaces/workspace-ports.ts";
import type { ErrorContext } from "../../ui/commands/error-context.ts";

interface FilesOfWorkspaces {
  workspace(tenantId: string, workspaceId: string): { readonly events: Pick<WorkspaceEvents, "cellEnded"> };
}

/** The shared parts that are needed to run notebooks. */
export interface KernelServices {
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: ExtensionLog;
  /** The files of workspaces, which cells can change. */
  readonly files: FilesOfWorkspaces;
  /** Where other features find the kernels of the open notebooks. */
  readonly openKernels: SharedOpenKernels;
  /** Where ports are suggested whose addresses cells print. */
  readonly ports: Pick<WorkspacePorts, "suggest">;
  /** The extension's own folder on this computer, which all windows share. */
  readonly storage: vscode.Uri;
  /** State that all windows share. */
  readonly state: vscode.Memento;
  /** State of the window's workspace. */
  readonly windowState: vscode.Memento;
  /** Shows an error with the action that resolves it. */
  readonly showError: (error: unknown, context: ErrorContext) => Promise<void>;
}

/** The workspace whose content server runs a notebook's kernel. */
export interface WorkspaceAddress {
  readonly tenantId: string;
  readonly workspaceId: string;
}
