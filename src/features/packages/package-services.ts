import type * as vscode from "vscode";
import type { Companions } from "../../tenants/companions.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { OpenKernels } from "../../tenants/open-kernels.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { TerminalCommands } from "../../tenants/terminal-commands.ts";

/** The shared parts that packages need. */
export interface PackageServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly secrets: TenantSecrets;
  readonly companions: Companions;
  readonly openKernels: OpenKernels;
  readonly terminalCommands: TerminalCommands;
  readonly subscriptions: vscode.Disposable[];
}
