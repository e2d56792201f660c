import * as vscode from "vscode";
import type { KernelConnection } from "../../api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../api/kernels/connection/open-connection.ts";
import type { KernelSession } from "../../api/kernels/models.ts";
import type { KernelLeases } from "../../api/kernels/ownership.ts";
import type { ConnectionTrouble } from "./connection-trouble.ts";
import { kernelEndText } from "./kernel-reports.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { ConnectedKernel, NotebookKernel } from "./notebook-kernel.ts";
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

  /** Connects to the kernel of a session, and remembers it as the notebook's. */
  async connectTo(kernel: NotebookKernel, kernelId: string, session: KernelSession): Promise<ConnectedKernel> {
    const { notebook, controller } = kernel;
    const connection = await this.open(kernel, kernelId);
    await this.#parts.bindings.set(notebook.uri, { kernelId, sessionId: session.id, specName: controller.spec.name });
    return { connection, session };
  }

  /** Connects to a kernel, whether it still exists or not. */
  async open(kernel: NotebookKernel, kernelId: string): Promise<KernelConnection> {
    const { leases, onError, onGone, owner, services, trouble } = this.#parts;
    const { connections, log, windowState } = services;
    const { tenantId, workspaceId } = kernel.controller.address;
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", kernel.notebook.uri);
    const connection = await openKernelConnection({
      client: () => connections.content(tenantId, workspaceId),
      kernelId,
      journal: journalIn(windowState),
      recorder: settings.get<boolean>("recorder", true) ? "on" : "off",
      log,
    });
    const lease = new HeldLease(leases, kernelId, owner, onError);
    connection.onState((state) => {
      if (state.type === "disposed") {
        lease.dispose();
      }
      trouble.reportState(kernel, state);
    });
    connection.onKernel((event) => {
      const text = kernelEndText(kernel.notebook, event);
      if (event.type === "ended" && event.end === "gone") {
        onGone(kernel.notebook);
      }
      if (text !== undefined) {
        void trouble.reportEnd(kernel, event, text);
      }
    });
    return connection;
  }
}
