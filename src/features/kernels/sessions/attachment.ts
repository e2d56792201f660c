import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { KernelChoice, KernelSession, RunningKernel } from "../../../api/kernels/models.ts";
import { type KernelLeases, occupancyOf } from "../../../api/kernels/ownership.ts";
import { confirm } from "../../../ui/commands/confirmation.ts";

/** The kernel that a notebook got, and the session that ties both together. */
export interface AttachedKernel {
  readonly session: KernelSession;
  readonly kernel: RunningKernel;
}

export interface AttachmentParts {
  readonly server: KernelServer;
  readonly leases: KernelLeases;
  /** Names this window in leases. */
  readonly owner: string;
  /** The kernel that this window ran the notebook on before. */
  readonly lastKernelId: string | undefined;
}

/** Milliseconds for which a lease is held; it is renewed while the kernel is connected. */
export const leaseTime = 120_000;

/**
 * Gets the kernel of a notebook: the one that its session has, else a new one. A kernel of another spec, and one that
 * somebody else is connected to, are the person's decision; giving up throws a CancellationError.
 */
export async function attachKernel(
  parts: AttachmentParts,
  { path, specName, specTitle }: { readonly path: string; readonly specName: string; readonly specTitle: string },
): Promise<AttachedKernel> {
  const session = await parts.server.openSession(path, { type: "new", specName });
  const { kernel } = session;
  if (kernel === undefined) {
    throw new Error(vscode.l10n.t("Cannot run {0}: the server replaces its kernel at this moment. Try again.", path));
  }
  if (kernel.specName === specName) {
    return settleOwner(parts, { session, kernel }, path);
  }
  await confirm({
    question: vscode.l10n.t(
      "{0} runs on the kernel {1}. End that kernel and start {2}?",
      path,
      kernel.specName,
      specTitle,
    ),
    consequence: vscode.l10n.t("Its variables are lost."),
    action: vscode.l10n.t("End and Start"),
  });
  return changedKernel(parts, session, { type: "new", specName });
}

/** Gives a notebook another kernel: a new one, or one that runs already. */
export async function changedKernel(
  { server, leases, owner }: AttachmentParts,
  session: KernelSession,
  choice: KernelChoice,
): Promise<AttachedKernel> {
  const changed = await server.changeKernel(session.id, choice);
  if (changed.kernel === undefined) {
    throw new Error(vscode.l10n.t("The server did not start the kernel. Try again."));
  }
  await leases.takeOver(changed.kernel.id, owner, leaseTime);
  return { session: changed, kernel: changed.kernel };
}

/** Who has the kernel from now on, where another window or JupyterLab is connected to it: the person decides. */
async function settleOwner(parts: AttachmentParts, attached: AttachedKernel, path: string): Promise<AttachedKernel> {
  const { leases, owner, server } = parts;
  const { kernel } = attached;
  const holder = await leases.acquire(kernel.id, owner, leaseTime);
  // A connection of this window that broke may count for a while.
  const isOurs = holder === owner && kernel.id === parts.lastKernelId;
  if (isOurs || occupancyOf(kernel).type === "free") {
    await leases.takeOver(kernel.id, owner, leaseTime);
    return attached;
  }
  const takeOver = vscode.l10n.t("Use It Here, Too");
  const own = vscode.l10n.t("Start Own Kernel");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} is already running in JupyterLab or in another window.", path),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Use it here, too, and both work with the same variables. Or start a kernel of your own for this window.",
      ),
    },
    takeOver,
    own,
  );
  if (chosen === takeOver) {
    await leases.takeOver(kernel.id, owner, leaseTime);
    return attached;
  }
  await leases.release(kernel.id, owner);
  if (chosen !== own) {
    throw new vscode.CancellationError();
  }
  // The folder stays the notebook's, and with it the kernel's working directory.
  const ownPath = `${path.replace(/\.ipynb$/, "")}-${randomUUID().slice(0, 8)}.ipynb`;
  const session = await server.openSession(ownPath, { type: "new", specName: kernel.specName });
  if (session.kernel === undefined) {
    throw new Error(vscode.l10n.t("The server did not start the kernel. Try again."));
  }
  await leases.takeOver(session.kernel.id, owner, leaseTime);
  return { session, kernel: session.kernel };
}
