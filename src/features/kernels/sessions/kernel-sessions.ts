import { join } from "node:path";
import * as vscode from "vscode";
import type { KernelConnection } from "../../../api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../../api/kernels/connection/open-connection.ts";
import { noJournal } from "../../../api/kernels/executions/execution-journal.ts";
import type { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { KernelSession } from "../../../api/kernels/models.ts";
import type { Presence } from "../../../api/presence.ts";
import { leaseFilesIn } from "../../../tenants/lease-files.ts";
import { addressOf, authorityOf } from "../../../tenants/workspace-uri.ts";
import type { KernelController } from "../controllers/kernel-controller.ts";
import type { WorkspaceKernels } from "../controllers/workspace-kernels.ts";
import type { KernelServices } from "../kernel-services.ts";
import { isUntitled } from "../untitled/untitled-notebook.ts";
import { type AttachedKernel, type AttachmentParts, attachKernel, separatePathOf } from "./attachment.ts";
import type { HeldLease } from "./held-lease.ts";
import { JournalFiles } from "./journal-files.ts";
import { type KernelBinding, KernelBindings } from "./kernel-bindings.ts";
import { WindowLeases } from "./window-leases.ts";

/** A connected kernel, with the session that belongs to the notebook. */
export interface ConnectedKernel {
  readonly connection: KernelConnection;
  readonly session: KernelSession;
  /** The lease of the window that runs cells on the kernel; undefined if this window connected only to follow it. */
  readonly lease: HeldLease | undefined;
}

/** A notebook, with the kernel of its workspace that the editor has selected. */
export interface SessionNotebook {
  readonly notebook: vscode.NotebookDocument;
  /** The path of its session on the server. */
  readonly path: string;
  readonly controller: KernelController;
  readonly workspace: WorkspaceKernels;
}

/** What is left of an earlier window's runs. `late`: all cells have ended, but more output may come. */
export type EarlierRuns = "running" | "late" | "none";

interface KernelSessionsParts {
  readonly services: Pick<KernelServices, "connections" | "log">;
  readonly bindings: KernelBindings;
  readonly journals: Pick<JournalFiles, "of">;
  readonly leases: WindowLeases;
  readonly presence: Presence;
}

/**
 * Milliseconds since the last cell was run in which late output of ended cells, for example of threads, is expected.
 */
const lateWithinMs = 24 * 60 * 60_000;

/**
 * The kernel and session of each notebook, across reloads of the window and beside other windows. Owns the bindings of
 * notebooks, the journals of their executions, the leases of this window, and the newest connection of each session.
 * Knows nothing of runs: NotebookKernel calls it, and so do commands that act on a notebook's session.
 */
export class KernelSessions {
  readonly #parts: KernelSessionsParts;
  /** The newest connection of each notebook's session to its kernel. */
  readonly #newest = new Map<string, ConnectedKernel>();
  /** URIs of notebooks that are being renamed while their cells run. */
  readonly #expected = new Set<string>();

  constructor(parts: KernelSessionsParts) {
    this.#parts = parts;
  }

  /** URIs of the notebooks with a stored kernel. */
  get uris(): readonly string[] {
    return this.#parts.bindings.uris;
  }

  /** The kernel that this window's workspace used last for the notebook. */
  binding(uri: vscode.Uri): KernelBinding | undefined {
    return this.#parts.bindings.get(uri);
  }

  /** Deletes the stored kernel of a notebook, because it no longer exists. */
  delete(uri: vscode.Uri): Promise<void> {
    return this.#parts.bindings.remove(uri);
  }

  /** Deletes what belongs to no notebook. */
  sweep(): Promise<void> {
    return this.#parts.bindings.sweepJournals();
  }

  /**
   * Call this if a notebook with running cells is about to reopen under this URI. Its output until then is shown there,
   * too.
   */
  expectRuns(uri: vscode.Uri): void {
    this.#expected.add(uri.toString());
  }

  /** What is left of the runs of an earlier window, or of an earlier editor of the notebook. */
  async earlierRuns(uri: vscode.Uri): Promise<EarlierRuns> {
    const binding = this.binding(uri);
    if (binding === undefined) {
      return "none";
    }
    if (this.#expected.delete(uri.toString())) {
      return "running";
    }
    const journal = await this.#parts.journals.of(binding.sessionId).read(binding.kernelId);
    const entries = journal?.entries ?? [];
    if (entries.some(({ isFinished }) => !isFinished)) {
      return "running";
    }
    return entries.some(({ sentAt }) => Date.now() - sentAt < lateWithinMs) ? "late" : "none";
  }

  /** The parts that are needed to attach the notebook to a kernel of its server. */
  partsFor({ notebook, workspace }: Pick<SessionNotebook, "notebook" | "workspace">): AttachmentParts {
    const binding = this.binding(notebook.uri);
    return {
      server: workspace.server,
      leases: this.#parts.leases,
      lastKernelId: binding?.kernelId,
      separateSessionId: binding?.isSeparate === true ? binding.sessionId : undefined,
    };
  }

  /** Connects to the notebook's kernel for the first cell that is run. Throws if the server has no kernels. */
  async open(user: SessionNotebook): Promise<ConnectedKernel> {
    const { notebook, workspace } = user;
    await workspace.requireKernels();
    const { spec } = user.controller;
    const binding = this.binding(notebook.uri);
    if (binding?.isSeparate === true && binding.specName === spec.name) {
      if ((await workspace.server.kernel(binding.kernelId)) !== undefined) {
        return this.reconnect(user, binding);
      }
    }
    const attached = await attachKernel(this.partsFor(user), {
      path: user.path,
      specName: spec.name,
      specTitle: spec.displayName,
    });
    return this.connect(user, attached);
  }

  /** Connects to the kernel that this window used for the notebook before, even if it no longer exists. */
  reconnect(user: SessionNotebook, { kernelId, sessionId }: KernelBinding): Promise<ConnectedKernel> {
    const session = { id: sessionId, path: user.path, name: "", type: "notebook", kernel: undefined };
    return this.#lead(user, kernelId, session);
  }

  /** Connects to a kernel. Stores it as the notebook's kernel unless this window only follows it. */
  async connect(user: SessionNotebook, attached: AttachedKernel): Promise<ConnectedKernel> {
    const { kernel, session, role, isSeparate } = attached;
    if (role === "follower") {
      return this.#connected(user, kernel.id, session, undefined);
    }
    const { tenantId, workspaceId } = user.controller.address;
    await this.#parts.bindings.set(user.notebook.uri, {
      kernelId: kernel.id,
      sessionId: session.id,
      specName: user.controller.spec.name,
      ...(isSeparate ? { isSeparate } : {}),
      ...(isUntitled(user.notebook)
        ? { untitled: { authority: authorityOf(tenantId, workspaceId), path: user.path } }
        : {}),
    });
    return this.#lead(user, kernel.id, session);
  }

  /** Takes the lease of a kernel from the window that has it. */
  takeOver(kernelId: string): Promise<void> {
    return this.#parts.leases.takeOver(kernelId);
  }

  /** Updates the session of a notebook that was renamed, moved, or saved for the first time, if it has one. */
  async move(oldUri: vscode.Uri, newUri: vscode.Uri, server: Pick<KernelServer, "moveSession">): Promise<void> {
    const { bindings } = this.#parts;
    const binding = bindings.get(oldUri);
    if (binding === undefined) {
      return;
    }
    const { untitled, ...moved } = binding;
    // If the server can't be reached, the notebook keeps a kernel whose session isn't found by the notebook's path.
    await bindings.move(oldUri, newUri, untitled === undefined ? moved : { ...moved, isSeparate: true });
    const { path } = addressOf(newUri);
    await server.moveSession(binding.sessionId, binding.isSeparate === true ? separatePathOf(path) : path);
    if (untitled !== undefined && bindings.get(newUri)?.sessionId === moved.sessionId) {
      await bindings.set(newUri, moved);
    }
  }

  /**
   * Ends the session of a notebook that can't be opened again, if it has one. A kernel that other notebooks use continues,
   * with the session, because the server would shut it down.
   */
  async end(uri: vscode.Uri, server: Pick<KernelServer, "endSession" | "sessions">): Promise<void> {
    const binding = this.binding(uri);
    if (binding === undefined) {
      return;
    }
    await this.delete(uri);
    const isShared = (await server.sessions()).some(
      ({ id, kernel }) => id !== binding.sessionId && kernel?.id === binding.kernelId,
    );
    if (!isShared) {
      await server.endSession(binding.sessionId);
    }
  }

  /** Connects with a lease, after the session's earlier connection is closed. */
  async #lead(user: SessionNotebook, kernelId: string, session: KernelSession): Promise<ConnectedKernel> {
    const key = `${kernelId}/${session.id}`;
    await this.#close(key);
    // Another window may have taken over the kernel since then.
    const lease = await this.#parts.leases.hold(kernelId);
    try {
      const connected = await this.#connected(user, kernelId, session, lease);
      this.#newest.set(key, connected);
      void connected.connection.closed.then(() =>
        this.#newest.get(key) === connected ? this.#newest.delete(key) : undefined,
      );
      return connected;
    } catch (error) {
      lease.dispose();
      throw error;
    }
  }

  /** Closes the session's current connection. After a rename, the editor may not have closed the old notebook yet. */
  async #close(key: string): Promise<void> {
    const earlier = this.#newest.get(key);
    this.#newest.delete(key);
    earlier?.connection.dispose();
    await earlier?.connection.closed;
    await earlier?.lease?.released;
  }

  /**
   * Opens the connection. Without a lease, the window only follows the kernel and doesn't install the recorder, because
   * that would run code.
   */
  async #connected(
    { notebook, controller }: SessionNotebook,
    kernelId: string,
    session: KernelSession,
    lease: HeldLease | undefined,
  ): Promise<ConnectedKernel> {
    const { journals, presence, services } = this.#parts;
    const { tenantId, workspaceId } = controller.address;
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", notebook.uri);
    const connection = await openKernelConnection({
      client: () => services.connections.content(tenantId, workspaceId),
      kernelId,
      journal: lease === undefined ? noJournal : journals.of(session.id),
      maxSentBytes: settings.get<number>("messageLimit", 10) * 1_048_576,
      recorder: lease !== undefined && settings.get<boolean>("recorder", true) ? "on" : "off",
      log: services.log,
      presence,
    });
    connection.onState(({ type }) => (type === "disposed" ? lease?.dispose() : undefined));
    return { connection, session, lease };
  }
}

/** The sessions of a window, stored in the extension's folder. `owner`: the id of the window's workspace. */
export function storedKernelSessions(
  {
    services,
    owner,
    presence,
  }: { readonly services: KernelServices; readonly owner: string; readonly presence: Presence },
  onError: (error: unknown) => void,
): KernelSessions {
  const journals = new JournalFiles(join(services.storage.fsPath, "kernel-journals"), owner);
  return new KernelSessions({
    services,
    presence,
    journals,
    bindings: new KernelBindings(services.windowState, journals),
    leases: new WindowLeases({ leases: leaseFilesIn(join(services.storage.fsPath, "kernel-leases")), owner, onError }),
  });
}
