import * as vscode from "vscode";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";
import type { SearchedTexts } from "./matches.ts";

/** Maximum number of characters of all unsaved texts. The rest is searched as it is on the server. */
const maxCharacters = 8_000_000;

/** A document with unsaved changes. */
export interface UnsavedTexts extends SearchedTexts {
  /** Content path. */
  readonly path: string;
}

/** The texts of a workspace's documents that differ from the server, because they have unsaved changes in an editor. */
export function unsavedTextsOf({ tenantId, workspaceId }: WorkspaceReference): readonly UnsavedTexts[] {
  const pathIn = (document: { readonly uri: vscode.Uri; readonly isDirty: boolean }): string | undefined => {
    if (!document.isDirty || document.uri.scheme !== scheme) {
      return undefined;
    }
    const address = addressOf(document.uri);
    return address.tenantId === tenantId && address.workspaceId === workspaceId ? address.path : undefined;
  };
  const found: UnsavedTexts[] = [];
  let characters = 0;
  const add = (path: string | undefined, texts: () => readonly string[], areCells: boolean): void => {
    if (path !== undefined) {
      const unsaved = { path, texts: texts(), areCells };
      characters += unsaved.texts.reduce((sum, { length }) => sum + length, 0);
      if (characters <= maxCharacters) {
        found.push(unsaved);
      }
    }
  };
  for (const document of vscode.workspace.textDocuments) {
    add(pathIn(document), () => [document.getText()], false);
  }
  for (const notebook of vscode.workspace.notebookDocuments) {
    add(pathIn(notebook), () => notebook.getCells().map(({ document }) => document.getText()), true);
  }
  return found;
}
