import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { addressOf, type FileAddress, scheme } from "../../tenants/workspace-uri.ts";

/** The workspace file that a command applies to. */
export interface ActiveFile extends FileAddress {
  readonly uri: vscode.Uri;
  /** The last segment of the path. */
  readonly name: string;
}

/** The file of the menu, or of the active notebook or text editor. Throws if there is none. */
export function activeFile(argument: unknown): ActiveFile {
  const chosen = argument instanceof vscode.Uri ? argument : undefined;
  const uri =
    chosen ?? vscode.window.activeNotebookEditor?.notebook.uri ?? vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || uri.scheme !== scheme) {
    throw new Error(vscode.l10n.t("The active editor doesn't show a workspace file. Open one, then try again."));
  }
  const address = addressOf(uri);
  return { ...address, uri, name: nameOf(address.path) };
}
