import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import type { TerminalServices } from "./terminal-services.ts";
import type { WorkspaceTerminal } from "./workspace-terminal.ts";

/**
 * Connects again when the user has entered a token or started a workspace, and closes terminals when the user has
 * signed out in any window.
 */
export class TerminalAccess implements vscode.Disposable {
  readonly #terminals: () => readonly WorkspaceTerminal[];
  readonly #secrets: TerminalServices["secrets"];
  readonly #listeners: vscode.Disposable;

  constructor(
    terminals: () => readonly WorkspaceTerminal[],
    { secrets, lifecycle, log }: Pick<TerminalServices, "secrets" | "lifecycle" | "log">,
  ) {
    this.#terminals = terminals;
    this.#secrets = secrets;
    this.#listeners = vscode.Disposable.from(
      secrets.onDidChange(({ tenantId, workspaceId }) => {
        this.#tokenChanged(tenantId, workspaceId).catch((error: unknown) =>
          log.error(`terminals: ${errorMessage(error)}`),
        );
      }),
      secrets.onDidSignOut((tenantId) => this.#leave(tenantId, undefined)),
      lifecycle.onDidChangeState(({ state, tenantId, workspaceId }) =>
        state === "started" ? this.#retry(tenantId, workspaceId) : undefined,
      ),
    );
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  async #tokenChanged(tenantId: string, workspaceId: string | undefined): Promise<void> {
    if (workspaceId !== undefined && (await this.#secrets.notebookToken(tenantId, workspaceId)) === undefined) {
      this.#leave(tenantId, workspaceId);
    } else {
      this.#retry(tenantId, workspaceId);
    }
  }

  #retry(tenantId: string, workspaceId: string | undefined): void {
    for (const terminal of this.#of(tenantId, workspaceId)) {
      terminal.retry();
    }
  }

  #leave(tenantId: string, workspaceId: string | undefined): void {
    for (const terminal of this.#of(tenantId, workspaceId)) {
      terminal.leave();
    }
  }

  /** The terminals of a tenant, or those of one of its workspaces. */
  #of(tenantId: string, workspaceId: string | undefined): readonly WorkspaceTerminal[] {
    return this.#terminals().filter(
      ({ address }) => address.tenantId === tenantId && (workspaceId ?? address.workspaceId) === address.workspaceId,
    );
  }
}
