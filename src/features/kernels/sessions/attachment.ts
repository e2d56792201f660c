import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { nameOf } from "../../../api/catalogue/content-path.ts";
import type { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { KernelChoice, KernelSession, RunningKernel } from "../../../api/kernels/models.ts";
import { occupancyOf } from "../../../api/kernels/ownership.ts";
import { showWarning } from "../../../tenants/messages.ts";
import { confirm } from "../../../ui/commands/confirmation.ts";
import type { WindowLeases } from "./window-leases.ts";

/** Whether a window runs cells on a kernel, or only shows what other clients run on it. */
type KernelRole = "owner" | "follower";

/** A notebook's kernel, with the session that connects both. */
export interface AttachedKernel {
  readonly session: KernelSession;
  readonly kernel: RunningKernel;
  readonly role: KernelRole;
  /** True if only this window uses the session. Other clients use another session for the notebook. */
  readonly isSeparate: boolean;
}

export interface AttachmentParts {
  readonly server: KernelServer;
  readonly leases: WindowLeases;
  /** The kernel that this window used for the notebook before. */
  readonly lastKernelId: string | undefined;
  /** The session that only this window uses, if the notebook has one. */
  readonly separateSessionId: string | undefined;
}

/**
 * Gets the kernel of a notebook's session, or starts one. Asks the user if the kernel has another spec, or if other
 * clients are connected to it. Canceling throws a CancellationError.
 */
export async function attachKernel(
  parts: AttachmentParts,
  { path, specName, specTitle }: { readonly path: string; readonly specName: string; readonly specTitle: string },
): Promise<AttachedKernel> {
  const session = await parts.server.openSession(path, { type: "new", specName });
  const { kernel } = session;
  if (kernel === undefined) {
    throw new Error(
      vscode.l10n.t("Can't run {0} because the server is replacing its kernel. Try again in a moment.", path),
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

/** Opens a session for a notebook that has none, with a new or a running kernel. */
export async function openedKernel(
  parts: AttachmentParts,
  path: string,
  choice: KernelChoice,
): Promise<AttachedKernel> {
  return ownedKernel(parts, await parts.server.openSession(path, choice), false);
}

/** Switches a notebook's session to another kernel: a new or a running one. */
export async function changedKernel(
  parts: AttachmentParts,
  session: KernelSession,
  choice: KernelChoice,
): Promise<AttachedKernel> {
  const changed = await parts.server.changeKernel(session.id, choice);
  return ownedKernel(parts, changed, session.id === parts.separateSessionId);
}

/** Starts a kernel that only this window uses. Other clients keep the notebook's kernel. */
export async function separateKernel(parts: AttachmentParts, path: string, specName: string): Promise<AttachedKernel> {
  return ownedKernel(parts, await parts.server.openSession(separatePathOf(path), { type: "new", specName }), true);
}

/** The session of the notebook at this path: the one that only this window uses, or the one of all clients. */
export function sessionOf(
  sessions: readonly KernelSession[],
  path: string,
  separateSessionId: string | undefined,
): KernelSession | undefined {
  return sessions.find(({ id }) => id === separateSessionId) ?? sessions.find((session) => session.path === path);
}

/** Path of a session that only this window uses. It is in the same folder, which is the kernel's working directory. */
export function separatePathOf(path: string): string {
  return `${path.replace(/\.ipynb$/, "")}-${randomUUID().slice(0, 8)}.ipynb`;
}

/**
 * Decides who owns the kernel from now on. Asks the user if another window or JupyterLab is connected to it, unless this
 * window already owns it, for example for another notebook.
 */
export async function settleOwner(
  parts: AttachmentParts,
  session: KernelSession,
  kernel: RunningKernel,
  path: string,
): Promise<AttachedKernel> {
  const { leases, lastKernelId } = parts;
  const attached = { session, kernel, isSeparate: false };
  // The server may still count a broken connection of this window for a while.
  const isOurs = (await leases.acquire(kernel.id)) && (leases.isHeld(kernel.id) || kernel.id === lastKernelId);
  if (isOurs || occupancyOf(kernel).type === "free") {
    await leases.takeOver(kernel.id);
    return { ...attached, role: "owner" };
  }
  await leases.release(kernel.id);
  switch (await askOwner(path)) {
    case "takeOver":
      await leases.takeOver(kernel.id);
      return { ...attached, role: "owner" };
    case "follow":
      return { ...attached, role: "follower" };
    case "startOwn":
      return separateKernel(parts, path, kernel.specName);
  }
}

/** Asks what to do about a kernel that other clients use. Canceling throws a CancellationError. */
export async function askOwner(path: string): Promise<"takeOver" | "follow" | "startOwn"> {
  const takeOver = vscode.l10n.t("Take Over");
  const follow = vscode.l10n.t("Follow");
  const startOwn = vscode.l10n.t("Start My Own Kernel");
  const chosen = await showWarning(
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
  { leases }: AttachmentParts,
  session: KernelSession,
  isSeparate: boolean,
): Promise<AttachedKernel> {
  const { kernel } = session;
  if (kernel === undefined) {
    throw new Error(vscode.l10n.t("The server didn't start the kernel. Try again."));
  }
  await leases.takeOver(kernel.id);
  return { session, kernel, role: "owner", isSeparate };
}
