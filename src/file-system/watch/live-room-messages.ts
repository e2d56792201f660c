import * as vscode from "vscode";
import { errorText } from "../../tenants/error-text.ts";
import { showError, showWarning } from "../../tenants/messages.ts";
import type { ConflictFiles } from "../merge/conflicts.ts";

/** Reports that others have a file open live, before the user saves it. */
export async function reportLiveRoom(name: string): Promise<void> {
  await showWarning(
    vscode.l10n.t(
      "{0} is also open in a live session, for example in JupyterLab. A save here replaces what others have typed there in the last second, and their session may replace your save.",
      name,
    ),
  );
}

/** Reports that someone else has undone a save, and offers to merge it again. The editor still shows what was saved. */
export async function reportUndone(files: ConflictFiles, uri: vscode.Uri): Promise<void> {
  const merge = vscode.l10n.t("Merge");
  const compare = vscode.l10n.t("Compare");
  const chosen = await showWarning(
    vscode.l10n.t(
      "A change on the server undid changes from your last save of {0}. This editor still has your version.",
      uri.path.slice(uri.path.lastIndexOf("/") + 1),
    ),
    merge,
    compare,
  );
  if (chosen === undefined) {
    return;
  }
  try {
    const { compareWithServer, mergeWithServer } = await import("../merge/conflicts.ts");
    await (chosen === merge ? mergeWithServer(files, uri) : compareWithServer(uri));
  } catch (error) {
    void showError(errorText(error));
  }
}
