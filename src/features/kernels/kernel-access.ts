import * as vscode from "vscode";
import type { EarlierKernels } from "./earlier-kernels.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";

interface KernelAccessParts {
  readonly services: Pick<KernelServices, "secrets" | "lifecycle">;
  readonly earlier: Pick<EarlierKernels, "left">;
  /** The kernels of the open notebooks. */
  readonly kernels: () => Iterable<NotebookKernel>;
  /** Called when a server that had no kernels may have some. */
  readonly onAvailable: () => void;
  /** Called when a notebook without a connection can be connected again. */
  readonly onReturned: (notebook: vscode.NotebookDocument) => Promise<void>;
  /** Called when connections were closed. */
  readonly onLeft: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Connects again when the user has entered a token or started a workspace, and closes connections when the user has
 * signed out in any window.
 */
export class KernelAccess implements vscode.Disposable {
  readonly #parts: KernelAccessParts;
  readonly #listeners: vscode.Disposable;

  constructor(parts: KernelAccessParts) {
    this.#parts = parts;
    const { secrets, lifecycle } = parts.services;
    this.#listeners = vscode.Disposable.from(
      secrets.onDidChange(({ tenantId, workspaceId }) => {
        this.#retry(tenantId, workspaceId);
        this.#tokenChanged(tenantId, workspaceId).catch(parts.onError);
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

  #retry(tenantId: string, workspaceId: string | undefined): void {
    this.#parts.onAvailable();
    for (const kernel of this.#kernelsOf(tenantId, workspaceId)) {
      kernel.connection?.retry();
    }
  }

  async #tokenChanged(tenantId: string, workspaceId: string | undefined): Promise<void> {
    const { services, onReturned } = this.#parts;
    if (workspaceId === undefined) {
      return;
    }
    if ((await services.secrets.notebookToken(tenantId, workspaceId)) === undefined) {
      this.#leave(tenantId, workspaceId);
      return;
    }
    const left = this.#kernelsOf(tenantId, workspaceId).filter(({ connection }) => connection === undefined);
    await Promise.all(left.map(({ notebook }) => onReturned(notebook)));
  }

  #leave(tenantId: string, workspaceId: string | undefined): void {
    for (const kernel of this.#kernelsOf(tenantId, workspaceId)) {
      kernel.leave();
      this.#parts.earlier.left(kernel.notebook);
    }
    this.#parts.onLeft();
  }

  /** The kernels of a tenant, or those of one of its workspaces. */
  #kernelsOf(tenantId: string, workspaceId: string | undefined): readonly NotebookKernel[] {
    return [...this.#parts.kernels()].filter(
      ({ controller: { address } }) =>
        address.tenantId === tenantId && (workspaceId ?? address.workspaceId) === address.workspaceId,
    );
  }
}
