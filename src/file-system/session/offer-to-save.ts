import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { displayedName } from "../../api/displayed-text.ts";
import { isUnsavedAt, saveEditor } from "./editor-documents.ts";

/**
 * Says that work continues with the saved version of a file that has unsaved changes, and saves them if the user wants
 * to. Throws a CancellationError if canceled, and an Error if they can't be saved.
 */
export async function offerToSave(authority: string, path: string, title: string): Promise<void> {
  if (!isUnsavedAt(authority, path)) {
    return;
  }
  const name = displayedName(nameOf(path));
  const save = vscode.l10n.t("Save, Then Continue");
  const items = [
    { label: save, iconPath: new vscode.ThemeIcon("save") },
    { label: vscode.l10n.t("Continue with the Saved Version"), iconPath: new vscode.ThemeIcon("discard") },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: displayedName(title),
    placeHolder: vscode.l10n.t("{0} has unsaved changes, which only count if you save them.", name),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) {
    throw new vscode.CancellationError();
  }
  if (chosen.label === save && !(await saveEditor(authority, path))) {
    throw new Error(vscode.l10n.t("{0} couldn't be saved. Save it, then try again.", name));
  }
}
