import * as vscode from "vscode";
import type { KernelServer } from "../../api/kernels/kernel-server.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import type { KernelConnector } from "./kernel-connector.ts";
import type { ConnectedKernel, NotebookKernel } from "./notebook-kernel.ts";
import {
  type AttachedKernel,
  type AttachmentParts,
  askOwner,
  attachKernel,
  separateKernel,
  separatePathOf,
} from "./sessions/attachment.ts";
import type { KernelBinding, KernelBindings } from "./sessions/kernel-bindings.ts";
import type { WindowLeases } from "./sessions/window-leases.ts";
import type { WorkspaceKernels } from "./workspace-kernels.ts";

interface KernelAttachmentsParts {
  readonly bindings: KernelBindings;
  readonly leases: WindowLeases;
  readonly connector: KernelConnector;
  readonly workspaceOf: (notebook: vscode.NotebookDocument) => WorkspaceKernels;
}

/** Decides which kernel a notebook gets, and whether this window runs cells on it or follows it. */
export class KernelAttachments {
  readonly #parts: KernelAttachmentsParts;

  constructor(parts: KernelAttachmentsParts) {
    this.#parts = parts;
  }

  /** The parts that are needed to attach the notebook to a kernel of its server. */
  partsFor(notebook: vscode.NotebookDocument): AttachmentParts {
    const { bindings, leases, workspaceOf } = this.#parts;
    const binding = bindings.get(notebook.uri);
    return {
      server: workspaceOf(notebook).server,
      leases,
      lastKernelId: binding?.kernelId,
      separateSessionId: binding?.isSeparate === true ? binding.sessionId : undefined,
    };
  }

  /** Throws if the notebook's server has no kernels. At most one request while the window is open. */
  async requireKernels(notebook: vscode.NotebookDocument): Promise<void> {
    const workspace = this.#parts.workspaceOf(notebook);
    if (!(await workspace.discover())) {
      throw new Error(
        vscode.l10n.t("{0} can't run notebooks because its content server has no kernels.", workspace.name),
      );
    }
  }

  /** Connects to the notebook's kernel for the first cell that is run. Throws if the server has no kernels. */
  async attach(kernel: NotebookKernel): Promise<ConnectedKernel> {
    const { notebook } = kernel;
    const workspace = this.#parts.workspaceOf(notebook);
    await this.requireKernels(notebook);
    const { spec } = kernel.controller;
    const binding = this.#parts.bindings.get(notebook.uri);
    if (binding?.isSeparate === true && binding.specName === spec.name) {
      if ((await workspace.server.kernel(binding.kernelId)) !== undefined) {
        return this.bound(kernel, binding);
      }
    }
    const attached = await attachKernel(this.partsFor(notebook), {
      path: addressOf(notebook.uri).path,
      specName: spec.name,
      specTitle: spec.displayName,
    });
    return this.#parts.connector.connectTo(kernel, attached);
  }

  /** Connects to the kernel that this window used for the notebook before. */
  bound(kernel: NotebookKernel, { kernelId, sessionId }: KernelBinding): Promise<ConnectedKernel> {
    const { path } = addressOf(kernel.notebook.uri);
    const session = { id: sessionId, path, name: "", type: "notebook", kernel: undefined };
    return this.#parts.connector.open(kernel, kernelId, session);
  }

  /** Connects the notebook to another kernel. */
  async replace(kernel: NotebookKernel, attached: AttachedKernel): Promise<ConnectedKernel> {
    kernel.abandonAll();
    kernel.disconnect();
    return this.#parts.connector.connectTo(kernel, attached);
  }

  /**
   * Call this before cells are sent. If the window only follows the kernel, the user chooses to take it over or to
   * start a separate one. Throws a CancellationError if the window keeps following it.
   */
  async settle(kernel: NotebookKernel): Promise<void> {
    await kernel.lease?.renew();
    const { connection, notebook, controller } = kernel;
    if (!kernel.isFollowing || connection === undefined) {
      return;
    }
    const parts = this.partsFor(notebook);
    if ((await parts.server.kernel(connection.kernelId)) === undefined) {
      kernel.dropAll();
      kernel.disconnect();
      return;
    }
    const { path } = addressOf(notebook.uri);
    switch (await askOwner(path)) {
      case "takeOver":
        return this.takeOver(kernel);
      case "follow":
        throw new vscode.CancellationError();
      case "startOwn": {
        const attached = await separateKernel(parts, path, controller.spec.name);
        kernel.use(await this.replace(kernel, attached), controller);
      }
    }
  }

  /** Takes over a kernel that this window only follows. */
  async takeOver(kernel: NotebookKernel): Promise<void> {
    const { connection, controller, lease, notebook, session } = kernel;
    if (!kernel.isFollowing || connection === undefined || session === undefined) {
      return;
    }
    if (lease !== undefined) {
      // Keep the connection: cells that this window started may still run there.
      await lease.reacquire();
      return;
    }
    const { server, leases } = this.partsFor(notebook);
    const running = await server.kernel(connection.kernelId);
    if (running === undefined) {
      throw new Error(vscode.l10n.t("The kernel no longer exists. Run a cell to start a new one."));
    }
    await leases.takeOver(running.id);
    const attached = { session, kernel: running, role: "owner", isSeparate: false } as const;
    kernel.use(await this.replace(kernel, attached), controller);
  }

  /** Updates the session of a notebook that was renamed or moved, if it has one. */
  async moved(oldUri: vscode.Uri, newUri: vscode.Uri, server: Pick<KernelServer, "moveSession">): Promise<void> {
    const { bindings } = this.#parts;
    const binding = bindings.get(oldUri);
    if (binding === undefined) {
      return;
    }
    await bindings.set(newUri, binding);
    await bindings.remove(oldUri);
    const { path } = addressOf(newUri);
    await server.moveSession(binding.sessionId, binding.isSeparate === true ? separatePathOf(path) : path);
  }
}
