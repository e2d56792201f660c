import * as vscode from "vscode";
import { addressOf, siblingUri } from "../../tenants/workspace-uri.ts";
import type { ConflictError } from "../errors.ts";
import { type OpenEditors, saveEditor } from "../session/open-documents.ts";
import type { ContentVersion } from "../versions/content-version.ts";
import { compareWithServer, type MergeFiles, mergeWithServer } from "./merging.ts";

/** The files whose conflicts are resolved. */
export interface ConflictFiles extends MergeFiles {
  workspace(
    tenantId: string,
    workspaceId: string,
  ): ReturnType<MergeFiles["workspace"]> & {
    readonly editors: Pick<OpenEditors, "isDirty">;
    /** Keeps the server's version before it is replaced. */
    readonly beforeReplacing: (path: string, server: ContentVersion) => Promise<void>;
  };
}

/**
 * Asks what to do about a save that found another version on the server. The editor's own dialog comes first where the
 * editor noticed by itself; this one is for what it cannot notice.
 */
export async function resolveConflict(files: ConflictFiles, uri: vscode.Uri, conflict: ConflictError): Promise<void> {
  const { path } = addressOf(uri);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const merge = vscode.l10n.t("Merge");
  const compare = vscode.l10n.t("Compare");
  const overwrite = vscode.l10n.t("Overwrite");
  const takeTheirs = vscode.l10n.t("Take Theirs");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} was changed on the server since you opened it. Nothing was overwritten.", name),
    merge,
    compare,
    overwrite,
    takeTheirs,
  );
  try {
    if (chosen === merge) {
      await mergeWithServer(files, uri);
    } else if (chosen === compare) {
      await compareWithServer(uri);
      await resolveConflict(files, uri, conflict);
    } else if (chosen === overwrite) {
      await overwriteServer(files, uri, conflict);
    } else if (chosen === takeTheirs) {
      await vscode.commands.executeCommand("vscode.open", siblingUri(uri, path));
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** Replaces the version that the person was told of, and no newer one; it is kept as a checkpoint before. */
async function overwriteServer(files: ConflictFiles, uri: vscode.Uri, { server }: ConflictError): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const { editors, versions, beforeReplacing } = files.workspace(tenantId, workspaceId);
  if (!editors.isDirty(path)) {
    throw new Error(vscode.l10n.t("{0} has no unsaved changes any more. Nothing was overwritten.", path));
  }
  await beforeReplacing(path, server);
  versions.rebase(path, server);
  await saveEditor(uri.authority, path);
}
