import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { nameOf } from "../../../api/catalogue/content-path.ts";
import type { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { KernelChoice, KernelSession, RunningKernel } from "../../../api/kernels/models.ts";
import { type KernelLeases, occupancyOf } from "../../../api/kernels/ownership.ts";
import { confirm } from "../../../ui/commands/confirmation.ts";

/** Whether a window runs cells on a kernel, or only shows what other clients run on it. */
type KernelRole = "owner" | "follower";

/** The kernel that a notebook got, and the session that ties both together. */
export interface AttachedKernel {
  readonly session: KernelSession;
  readonly kernel: RunningKernel;
  readonly role: KernelRole;
  /** The session is this window's alone: other clients use another one for the notebook. */
  readonly isSeparate: boolean;
}

export interface AttachmentParts {
  readonly server: KernelServer;
  readonly leases: KernelLeases;
  /** Names this window in leases. */
  readonly owner: string;
  /** The kernel that this window ran the notebook on before. */
  readonly lastKernelId: string | undefined;
  /** The session that is this window's alone, where the notebook has one. */
  readonly separateSessionId: string | undefined;
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
    throw new Error(
      vscode.l10n.t("Cannot run {0} because the server is replacing its kernel. Try again in a moment.", path),
    );
  }
  if (kernel.specName === specName) {
    return settleOwner(parts, session, kernel, path);
  }
  await confirm({
    question: vscode.l10n.t(
      "{0} is running on the kernel {1}. Shut it down and start {2}?",
      path,
      kernel.specName,
      specTitle,
    ),
    consequence: vscode.l10n.t("Its variables are lost."),
    action: vscode.l10n.t("Shut Down and Start"),
  });
  return changedKernel(parts, session, { type: "new", specName });
}

/** Gives a notebook without a session a kernel: a new one, or one that runs already. */
export async function openedKernel(
  parts: AttachmentParts,
  path: string,
  choice: KernelChoice,
): Promise<AttachedKernel> {
  return ownedKernel(parts, await parts.server.openSession(path, choice), false);
}

/** Gives a notebook another kernel: a new one, or one that runs already. */
export async function changedKernel(
  parts: AttachmentParts,
  session: KernelSession,
  choice: KernelChoice,
): Promise<AttachedKernel> {
  const changed = await parts.server.changeKernel(session.id, choice);
  return ownedKernel(parts, changed, session.id === parts.separateSessionId);
}

/** Starts a kernel for this window alone. Other clients keep the one that the notebook has. */
export async function separateKernel(parts: AttachmentParts, path: string, specName: string): Promise<AttachedKernel> {
  return ownedKernel(parts, await parts.server.openSession(separatePathOf(path), { type: "new", specName }), true);
}

/** Path of a session of this window alone. Its folder is the notebook's, and with it the kernel's working directory. */
export function separatePathOf(path: string): string {
  return `${path.replace(/\.ipynb$/, "")}-${randomUUID().slice(0, 8)}.ipynb`;
}

/** Who has the kernel from now on, where another window or JupyterLab is connected to it: the person decides. */
export async function settleOwner(
  parts: AttachmentParts,
  session: KernelSession,
  kernel: RunningKernel,
  path: string,
): Promise<AttachedKernel> {
  const { leases, owner } = parts;
  const holder = await leases.acquire(kernel.id, owner, leaseTime);
  const attached = { session, kernel, isSeparate: false };
  // A connection of this window that broke may count for a while.
  const isOurs = holder === owner && kernel.id === parts.lastKernelId;
  if (isOurs || occupancyOf(kernel).type === "free") {
    await leases.takeOver(kernel.id, owner, leaseTime);
    return { ...attached, role: "owner" };
  }
  await leases.release(kernel.id, owner);
  switch (await askOwner(path)) {
    case "takeOver":
      await leases.takeOver(kernel.id, owner, leaseTime);
      return { ...attached, role: "owner" };
    case "follow":
      return { ...attached, role: "follower" };
    case "startOwn":
      return separateKernel(parts, path, kernel.specName);
  }
}

/** Asks what to do about a kernel that others use. Giving up throws a CancellationError. */
export async function askOwner(path: string): Promise<"takeOver" | "follow" | "startOwn"> {
  const takeOver = vscode.l10n.t("Take Over");
  const follow = vscode.l10n.t("Follow");
  const startOwn = vscode.l10n.t("Start My Own Kernel");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("JupyterLab or another window is using the kernel of {0}.", nameOf(path)),
    {
      modal: true,
      detail: [
        vscode.l10n.t("Take over the kernel to run cells here with its variables. Your other windows then follow it."),
        vscode.l10n.t("Follow it to see the output of cells that run elsewhere, without running any."),
        vscode.l10n.t("Or start a kernel that only this window uses."),
      ].join("\n\n"),
    },
    takeOver,
    follow,
    startOwn,
  );
  switch (chosen) {
    case takeOver:
      return "takeOver";
    case follow:
      return "follow";
    case startOwn:
      return "startOwn";
    default:
      throw new vscode.CancellationError();
  }
}

async function ownedKernel(
  { leases, owner }: AttachmentParts,
  session: KernelSession,
  isSeparate: boolean,
): Promise<AttachedKernel> {
  const { kernel } = session;
  if (kernel === undefined) {
    throw new Error(vscode.l10n.t("The server didn't start the kernel. Try again."));
  }
  await leases.takeOver(kernel.id, owner, leaseTime);
  return { session, kernel, role: "owner", isSeparate };
}
