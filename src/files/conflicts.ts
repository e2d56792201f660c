import * as vscode from "vscode";
import { addressOf, siblingUri } from "./address.ts";
import { documentAt } from "./editor-documents.ts";
import type { ConflictFault } from "./file-fault.ts";
import type { PlatformFileSystem } from "./platform-file-system.ts";
import { serverVersionOf } from "./server-version.ts";

/**
 * Asks what to do about a save that found another version on the server. The editor's own dialog comes first where the
 * editor noticed by itself; this one is for what it cannot notice.
 */
export async function resolveConflict(
  files: PlatformFileSystem,
  uri: vscode.Uri,
  conflict: ConflictFault,
): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const compare = vscode.l10n.t("Compare");
  const overwrite = vscode.l10n.t("Overwrite");
  const takeTheirs = vscode.l10n.t("Take Theirs");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} was changed on the server since you opened it. Nothing was overwritten.", name),
    compare,
    overwrite,
    takeTheirs,
  );
  const document = documentAt(uri.authority, path);
  if (chosen === compare) {
    const title = vscode.l10n.t("{0}: the server's ↔ yours", name);
    await vscode.commands.executeCommand("vscode.diff", serverVersionOf(uri), uri, title);
    await resolveConflict(files, uri, conflict);
  } else if (chosen === overwrite && document !== undefined) {
    files.workspace(tenantId, workspaceId).versions.rebase(path, conflict.server);
    await document.save();
  } else if (chosen === takeTheirs) {
    await vscode.commands.executeCommand("vscode.open", siblingUri(uri, path));
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
}
