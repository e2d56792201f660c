import * as vscode from "vscode";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";

/** The icon of a remote file in our own lists. */
export function fileIcon(path: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(isNotebookPath(path) ? "notebook" : "file");
}
