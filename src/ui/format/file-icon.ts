import * as vscode from "vscode";

/** The icon of a remote file in our own lists. */
export function fileIcon(path: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(path.endsWith(".ipynb") ? "notebook" : "file");
}
