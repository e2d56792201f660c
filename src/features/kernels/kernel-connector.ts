import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { openKernelConnection } from "../../api/kernels/connection/open-connection.ts";
import type { KernelSession } from "../../api/kernels/models.ts";
import type { KernelLeases } from "../../api/kernels/ownership.ts";
import type { ConnectionTrouble } from "./connection-trouble.ts";
import { kernelEndText } from "./kernel-reports.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { ConnectedKernel, NotebookKernel } from "./notebook-kernel.ts";
import type { AttachedKernel } from "./sessions/attachment.ts";
import { HeldLease } from "./sessions/held-lease.ts";
import { journalIn, type KernelBindings } from "./sessions/journal-storage.ts";

interface KernelConnectorParts {
  readonly services: KernelServices;
  readonly bindings: KernelBindings;
  readonly leases: KernelLeases;
  /** Names this window in leases. */
  readonly owner: string;
  readonly trouble: ConnectionTrouble;
  /** The kernel of a notebook no longer exists. */
  readonly onGone: (notebook: vscode.NotebookDocument) => void;
  readonly onError: (error: unknown) => void;
}

/** Opens connections to kernels: with the lease, what is remembered for the next window, and what a person is told. */
export class KernelConnector {
  readonly #parts: KernelConnectorParts;

  constructor(parts: KernelConnectorParts) {
    this.#parts = parts;
  }

  /** Connects to a kernel that the notebook got, and remembers it as the notebook's unless it is only followed. */
  async connectTo(
    notebookKernel: NotebookKernel,
    { kernel, session, role, isSeparate }: AttachedKernel,
  ): Promise<ConnectedKernel> {
    if (role === "follower") {
      return this.#open(notebookKernel, kernel.id, session, undefined);
    }
    const connected = await this.open(notebookKernel, kernel.id, session);
    const { notebook, controller } = notebookKernel;
    const bound = { kernelId: kernel.id, sessionId: session.id, specName: controller.spec.name };
    await this.#parts.bindings.set(notebook.uri, isSeparate ? { ...bound, isSeparate } : bound);
    return connected;
  }

  /** Connects to a kernel, whether it still exists or not. */
  async open(kernel: NotebookKernel, kernelId: string, session: KernelSession): Promise<ConnectedKernel> {
    const { leases, onError, owner } = this.#parts;
    const onLost = (): void => {
      kernel.follow();
      const name = nameOf(kernel.notebook.uri.path);
      void vscode.window.showInformationMessage(
        vscode.l10n.t("Another window took over the kernel of {0}. This window now follows it.", name),
      );
    };
    const lease = new HeldLease({ leases, kernelId, owner, onLost, onError });
    // The kernel of an earlier window may have been taken over since.
    await lease.renew();
    try {
      return await this.#open(kernel, kernelId, session, lease);
    } catch (error) {
      lease.dispose();
      throw error;
    }
  }

  /** Without a lease the kernel is only followed: its recorder is not installed, since that is code. */
  async #open(
    kernel: NotebookKernel,
    kernelId: string,
    session: KernelSession,
    lease: HeldLease | undefined,
  ): Promise<ConnectedKernel> {
    const { onGone, services, trouble } = this.#parts;
    const { connections, log, windowState } = services;
    const { tenantId, workspaceId } = kernel.controller.address;
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", kernel.notebook.uri);
    const connection = await openKernelConnection({
      client: () => connections.content(tenantId, workspaceId),
      kernelId,
      journal: journalIn(windowState),
      recorder: lease !== undefined && settings.get<boolean>("recorder", true) ? "on" : "off",
      log,
    });
    connection.onState((state) => {
      if (state.type === "disposed") {
        lease?.dispose();
      }
      trouble.reportState(kernel, state);
    });
    connection.onKernel((event) => {
      const text = kernelEndText(kernel.notebook, event, kernel.isFollowing);
      if (event.type === "ended" && event.end === "gone") {
        onGone(kernel.notebook);
      }
      if (text !== undefined) {
        void trouble.reportEnd(kernel, event, text);
      }
    });
    return { connection, session, lease };
  }
}
