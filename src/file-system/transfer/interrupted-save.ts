import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showError, showInformation, showWarning } from "../../tenants/messages.ts";

/**
 * Says that a save was interrupted in an earlier session, when its complete content was already on the server, in a file
 * beside the one that was saved. The user can put it in place, or delete it.
 */
export async function reportInterruptedSave(target: vscode.Uri, upload: vscode.Uri): Promise<void> {
  const [name, beside] = [nameOf(target.path), nameOf(upload.path)];
  const use = vscode.l10n.t("Use New Content…");
  const remove = vscode.l10n.t("Delete New Content…");
  const chosen = await showWarning(
    vscode.l10n.t(
      "Saving {0} was interrupted when its window closed. {0} has the content from before, and the complete new content is in {1} beside it. Use the new content, or delete it.",
      target.path.slice(1),
      beside,
    ),
    use,
    remove,
  );
  try {
    if (chosen === use) {
      const replace = vscode.l10n.t("Replace");
      const question = vscode.l10n.t("Replace {0} with the content of {1}?", name, beside);
      const detail = vscode.l10n.t("The content that {0} has now is lost.", name);
      if ((await showWarning(question, { modal: true, detail }, replace)) === replace) {
        await vscode.workspace.fs.rename(upload, target, { overwrite: true });
        void showInformation(vscode.l10n.t("{0} has the new content.", name));
      }
    } else if (chosen === remove) {
      const confirmed = vscode.l10n.t("Delete");
      const question = vscode.l10n.t("Delete {0}?", beside);
      const detail = vscode.l10n.t("It has the content that you last saved in {0}.", name);
      if ((await showWarning(question, { modal: true, detail }, confirmed)) === confirmed) {
        await vscode.workspace.fs.delete(upload);
      }
    }
  } catch (error) {
    void showError(errorText(error));
  }
}
