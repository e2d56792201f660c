import * as vscode from "vscode";
import type { NotebookKernel } from "./notebook-kernel.ts";
import { askOwner, separateKernel } from "./sessions/attachment.ts";
import type { KernelSessions } from "./sessions/kernel-sessions.ts";

/**
 * Call this before cells are sent. If the window only follows the kernel, the user chooses to take it over or to start a
 * separate one. Throws a CancellationError if the window keeps following it.
 */
export async function settleKernel(kernel: NotebookKernel, sessions: KernelSessions): Promise<void> {
  await kernel.lease?.renew();
  const { connection, controller, path, workspace } = kernel;
  if (!kernel.isFollowing || connection === undefined) {
    return;
  }
  if ((await workspace.server.kernel(connection.kernelId)) === undefined) {
    kernel.dropAll();
    kernel.disconnect();
    return;
  }
  switch (await askOwner(path)) {
    case "takeOver":
      return takeOverKernel(kernel, sessions);
    case "follow":
      throw new vscode.CancellationError();
    case "startOwn":
      await kernel.replace(await separateKernel(sessions.partsFor(kernel), path, controller.spec.name), controller);
  }
}

/** Takes over a kernel that this window only follows. */
export async function takeOverKernel(kernel: NotebookKernel, sessions: KernelSessions): Promise<void> {
  const { connection, controller, lease, session, workspace } = kernel;
  if (!kernel.isFollowing || connection === undefined || session === undefined) {
    return;
  }
  if (lease !== undefined) {
    // Keep the connection: cells that this window started may still run there.
    await lease.reacquire();
    return;
  }
  const running = await workspace.server.kernel(connection.kernelId);
  if (running === undefined) {
    throw new Error(vscode.l10n.t("The kernel no longer exists. Run a cell to start a new one."));
  }
  await sessions.takeOver(running.id);
  await kernel.replace({ session, kernel: running, role: "owner", isSeparate: false }, controller);
}
