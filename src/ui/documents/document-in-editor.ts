import * as vscode from "vscode";
import { activeUris } from "../commands/active-uris.ts";
import { type DocumentAddress, documentAddressOf } from "./document-address.ts";

/** A platform document that a command applies to. */
export interface DocumentInEditor {
  readonly uri: vscode.Uri;
  readonly address: DocumentAddress;
}

/** The document of this kind in the menu's or the active editor, even if it is one side of a comparison. */
export function documentInEditor(argument: unknown, kind: string): DocumentInEditor {
  for (const uri of [...(argument instanceof vscode.Uri ? [argument] : []), ...activeUris()]) {
    const address = documentAddressOf(uri);
    if (address?.kind === kind) {
      return { uri, address };
    }
  }
  throw new Error(vscode.l10n.t("The active editor has nothing to send. Open the document, then try again."));
}
