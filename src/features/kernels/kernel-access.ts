import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";

type AccessServices = Pick<KernelServices, "secrets" | "lifecycle" | "log">;

/**
 * Connects again when the user has entered a token or started a workspace, and closes connections when the user has
 * signed out in any window.
 */
export class KernelAccess implements vscode.Disposable {
  readonly #kernels: Pick<NotebookKernels, "all" | "offerToUntitled" | "opened" | "resetSupport" | "signedOut">;
  readonly #services: AccessServices;
  readonly #listeners: vscode.Disposable;

  constructor(
    kernels: Pick<NotebookKernels, "all" | "offerToUntitled" | "opened" | "resetSupport" | "signedOut">,
    services: AccessServices,
  ) {
    this.#kernels = kernels;
    this.#services = services;
    const { secrets, lifecycle, log } = services;
    this.#listeners = vscode.Disposable.from(
      secrets.onDidChange(({ tenantId, workspaceId }) => {
        this.#retry(tenantId, workspaceId);
        this.#tokenChanged(tenantId, workspaceId).catch((error: unknown) =>
          log.error(`kernels: ${errorMessage(error)}`),
        );
      }),
      secrets.onDidSignOut((tenantId) => {
        this.#leave(tenantId, undefined);
        kernels.signedOut(tenantId);
      }),
      lifecycle.onDidChangeState(({ state, tenantId, workspaceId }) =>
        state === "started" ? this.#retry(tenantId, workspaceId) : undefined,
      ),
    );
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  #retry(tenantId: string, workspaceId: string | undefined): void {
    this.#kernels.resetSupport();
    for (const kernel of this.#kernelsOf(tenantId, workspaceId)) {
      kernel.connection?.retry();
    }
  }

  async #tokenChanged(tenantId: string, workspaceId: string | undefined): Promise<void> {
    if (workspaceId === undefined) {
      return;
    }
    if ((await this.#services.secrets.notebookToken(tenantId, workspaceId)) === undefined) {
      this.#leave(tenantId, workspaceId);
      return;
    }
    const left = this.#kernelsOf(tenantId, workspaceId).filter(({ hasLeft }) => hasLeft);
    await Promise.all(left.map(({ notebook }) => this.#kernels.opened(notebook)));
    await this.#kernels.offerToUntitled();
  }

  #leave(tenantId: string, workspaceId: string | undefined): void {
    for (const kernel of this.#kernelsOf(tenantId, workspaceId)) {
      kernel.leave();
    }
  }

  /** The kernels of a tenant, or those of one of its workspaces. */
  #kernelsOf(tenantId: string, workspaceId: string | undefined): readonly NotebookKernel[] {
    return this.#kernels.all.filter(
      ({ controller: { address } }) =>
        address.tenantId === tenantId && (workspaceId ?? address.workspaceId) === address.workspaceId,
    );
  }
}
