import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { KernelConnection } from "../../api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../api/kernels/connection/open-connection.ts";
import { noJournal } from "../../api/kernels/executions/execution-journal.ts";
import type { KernelSession } from "../../api/kernels/models.ts";
import type { Presence } from "../../api/presence.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { ConnectionTrouble } from "./connection-trouble.ts";
import { kernelEndText } from "./kernel-reports.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { ConnectedKernel, NotebookKernel } from "./notebook-kernel.ts";
import type { AttachedKernel } from "./sessions/attachment.ts";
import type { HeldLease } from "./sessions/held-lease.ts";
import type { JournalFiles } from "./sessions/journal-files.ts";
import type { KernelBindings } from "./sessions/kernel-bindings.ts";
import type { WindowLeases } from "./sessions/window-leases.ts";

interface KernelConnectorParts {
  readonly services: KernelServices;
  readonly bindings: KernelBindings;
  readonly journals: Pick<JournalFiles, "of">;
  readonly leases: WindowLeases;
  readonly trouble: ConnectionTrouble;
  readonly presence: Presence;
  /** Called when the kernel of a notebook no longer exists. */
  readonly onGone: (notebook: vscode.NotebookDocument) => void;
}

/**
 * Opens connections to kernels, with their leases. Stores them for the next window, and reports problems to the user.
 */
export class KernelConnector {
  readonly #parts: KernelConnectorParts;
  /** The newest connection of each notebook's session to its kernel. */
  readonly #newest = new Map<string, { readonly connection: KernelConnection; readonly lease: HeldLease }>();

  constructor(parts: KernelConnectorParts) {
    this.#parts = parts;
  }

  /** Connects to a kernel. Stores it as the notebook's kernel unless this window only follows it. */
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

  /** Connects to a kernel, even if it no longer exists. */
  async open(kernel: NotebookKernel, kernelId: string, session: KernelSession): Promise<ConnectedKernel> {
    const key = `${kernelId}/${session.id}`;
    await this.#close(key);
    const onLost = (): void => {
      kernel.follow();
      const name = nameOf(kernel.notebook.uri.path);
      void showInformation(
        vscode.l10n.t("Another window took over the kernel of {0}. This window now follows it.", name),
      );
    };
    // Another window may have taken over the kernel since then.
    const lease = await this.#parts.leases.hold(kernelId, { onLost, onRegained: () => kernel.lead() });
    try {
      const connected = await this.#open(kernel, kernelId, session, lease);
      const { connection } = connected;
      const opened = { connection, lease };
      this.#newest.set(key, opened);
      void connection.closed.then(() => (this.#newest.get(key) === opened ? this.#newest.delete(key) : undefined));
      return connected;
    } catch (error) {
      lease.dispose();
      throw error;
    }
  }

  /** Closes the notebook's current connection. After a rename, the editor may not have closed the old notebook yet. */
  async #close(key: string): Promise<void> {
    const earlier = this.#newest.get(key);
    this.#newest.delete(key);
    earlier?.connection.dispose();
    await earlier?.connection.closed;
    await earlier?.lease.released;
  }

  /**
   * Opens the connection. Without a lease, the window only follows the kernel and doesn't install the recorder, because
   * that would run code.
   */
  async #open(
    kernel: NotebookKernel,
    kernelId: string,
    session: KernelSession,
    lease: HeldLease | undefined,
  ): Promise<ConnectedKernel> {
    const { journals, onGone, presence, services, trouble } = this.#parts;
    const { connections, log } = services;
    const { tenantId, workspaceId } = kernel.controller.address;
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", kernel.notebook.uri);
    const connection = await openKernelConnection({
      client: () => connections.content(tenantId, workspaceId),
      kernelId,
      journal: lease === undefined ? noJournal : journals.of(session.id),
      maxSentBytes: settings.get<number>("messageLimit", 10) * 1_048_576,
      recorder: lease !== undefined && settings.get<boolean>("recorder", true) ? "on" : "off",
      log,
      presence,
    });
    connection.onState((state) => {
      if (state.type === "disposed") {
        lease?.dispose();
      }
      trouble.reportState(kernel, state);
    });
    connection.onKernel((event) => {
      if (event.type === "ended" && kernel.isEnding) {
        // The command that ended it handles this.
        return;
      }
      const text = kernelEndText(kernel.notebook, event, kernel.isFollowing);
      if (event.type === "ended" && event.end !== "died") {
        onGone(kernel.notebook);
      }
      if (text !== undefined) {
        void trouble.reportEnd(kernel, event, text);
      }
    });
    return { connection, session, lease };
  }
}
