import * as vscode from "vscode";
import type { KernelSession } from "../../../api/kernels/models.ts";

/** The other notebooks of a session's kernel as lines for a confirmation, in the order of the sessions. */
export function otherUsers(session: KernelSession | undefined, sessions: readonly KernelSession[]): readonly string[] {
  const kernelId = session?.kernel?.id;
  return sessions
    .filter(({ id, kernel }) => kernelId !== undefined && kernel?.id === kernelId && id !== session?.id)
    .map(({ path }) => vscode.l10n.t("Also used by {0}", path));
}
