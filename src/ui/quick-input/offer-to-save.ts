import * as vscode from "vscode";
import { displayedName } from "../../api/displayed-text.ts";
import { pickRow } from "./show-input.ts";

/**
 * Says that work continues with the saved version of a file that has unsaved changes, and saves them if the user wants
 * to. `save` returns false if they can't be saved. Throws a CancellationError if canceled, and an Error if they can't be
 * saved.
 */
export async function offerToSave(name: string, title: string, save: () => Promise<boolean>): Promise<void> {
  const isSaved = { label: vscode.l10n.t("Save, Then Continue"), iconPath: new vscode.ThemeIcon("save") };
  const isIgnored = {
    label: vscode.l10n.t("Continue with the Saved Version"),
    iconPath: new vscode.ThemeIcon("discard"),
  };
  const placeHolder = vscode.l10n.t("{0} has unsaved changes, which only count if you save them.", displayedName(name));
  const chosen = await pickRow([isSaved, isIgnored], { title, placeHolder });
  if (chosen === isSaved && !(await save())) {
    throw new Error(vscode.l10n.t("{0} couldn't be saved. Save it, then try again.", displayedName(name)));
  }
}
