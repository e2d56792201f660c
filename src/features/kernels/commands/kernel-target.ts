import * as vscode from "vscode";
import { nameOf } from "../../../api/catalogue/content-path.ts";
import type { KernelSession, RunningKernel } from "../../../api/kernels/models.ts";
import { occupancyOf } from "../../../api/kernels/ownership.ts";
import { followedError, type NotebookKernel } from "../notebook-kernel.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";
import { sessionOf } from "../sessions/attachment.ts";
import { otherUsers } from "./kernel-users.ts";

/** The kernel that a command acts on. */
export type KernelTarget =
  /** This window is connected to it, or is connecting. */
  | { readonly type: "connected"; readonly notebook: vscode.NotebookDocument; readonly kernel: NotebookKernel }
  /** The notebook's session on the server has it, but no cell was run in this window since the notebook was opened. */
  | {
      readonly type: "session";
      readonly notebook: vscode.NotebookDocument;
      readonly session: KernelSession;
      readonly running: RunningKernel;
    };

/**
 * Finds the kernel of a notebook, in this window or on the server. Undefined if the notebook has none. Throws if this
 * window only follows the kernel, or a PlatformError if the server can't be asked.
 */
export async function findTarget(
  kernels: NotebookKernels,
  notebook: vscode.NotebookDocument,
): Promise<KernelTarget | undefined> {
  const kernel = kernels.kernelOf(notebook);
  if (kernel.isFollowing) {
    throw followedError(notebook);
  }
  if (kernel.connection !== undefined || kernel.isConnecting) {
    return { type: "connected", notebook, kernel };
  }
  const { server, separateSessionId } = kernels.sessions.partsFor(kernel);
  const session = sessionOf(await server.sessions(), kernel.path, separateSessionId);
  return session?.kernel === undefined ? undefined : { type: "session", notebook, session, running: session.kernel };
}

/** Like `findTarget`. Throws if the notebook has no kernel. */
export async function requireTarget(
  kernels: NotebookKernels,
  notebook: vscode.NotebookDocument,
): Promise<KernelTarget> {
  const target = await findTarget(kernels, notebook);
  if (target === undefined) {
    throw new Error(vscode.l10n.t("{0} has no running kernel. To start one, run a cell.", nameOf(notebook.uri.path)));
  }
  return target;
}

/** What a restart or a shutdown affects. */
export interface AffectedRuns {
  /** Other users of the kernel, as lines for a confirmation. */
  readonly others: readonly string[];
  /** True if cells may be running. */
  readonly isRunning: boolean;
}

/** Reads what a restart or a shutdown of the kernel affects. Other users are left out if they can't be read. */
export async function affectedBy(kernels: NotebookKernels, target: KernelTarget): Promise<AffectedRuns> {
  const { notebook } = target;
  const session = target.type === "connected" ? target.kernel.session : target.session;
  const sessions = await kernels
    .kernelOf(notebook)
    .workspace.server.sessions()
    .catch(() => []);
  const others = otherUsers(session, sessions);
  if (target.type === "connected") {
    return { others, isRunning: target.kernel.running.length + others.length > 0 };
  }
  const isShared = occupancyOf(target.running).type === "shared";
  return {
    others: isShared ? [...others, vscode.l10n.t("JupyterLab or another window is connected to it.")] : others,
    isRunning: isShared || others.length > 0 || target.running.executionState !== "idle",
  };
}
