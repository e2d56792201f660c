import * as vscode from "vscode";
import { maxUnsavedCharacters, maxUnsavedTexts } from "../../api/companion/operations/language.ts";
import { type RemoteDocument, remoteDocumentOf } from "./remote-document.ts";

/** The unsaved texts of other scripts of a document's workspace, which the server doesn't know. */
export interface UnsavedScripts {
  /** The parameter of requests that look into other files. */
  readonly texts: { readonly path: string; readonly text: string }[];
  /** Those beyond the limits. */
  readonly left: readonly { readonly path: string; readonly document: vscode.TextDocument }[];
}

export function unsavedScripts({ place, parts }: RemoteDocument): UnsavedScripts {
  const texts: { readonly path: string; readonly text: string }[] = [];
  const left: { readonly path: string; readonly document: vscode.TextDocument }[] = [];
  let characters = 0;
  for (const document of vscode.workspace.textDocuments) {
    const other = document.isDirty && !parts.includes(document) ? remoteDocumentOf(document) : undefined;
    const isThere =
      other?.kind === "script" &&
      other.place.tenantId === place.tenantId &&
      other.place.workspaceId === place.workspaceId;
    if (isThere) {
      const text = document.getText();
      const isKnown = texts.length < maxUnsavedTexts && characters + text.length <= maxUnsavedCharacters;
      if (isKnown) {
        characters += text.length;
        texts.push({ path: other.path, text });
      } else {
        left.push({ path: other.path, document });
      }
    }
  }
  return { texts, left };
}
