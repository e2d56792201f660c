import * as vscode from "vscode";

/** A number of files: `1 file`, `12 files`. */
export function filesText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 file") : vscode.l10n.t("{0} files", count);
}
