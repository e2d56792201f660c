import * as vscode from "vscode";
import { documentScheme } from "./document-address.ts";

/** Tracks why the platform's documents are being saved, because only the user may request a save. */
export class SaveReasons implements vscode.Disposable {
  readonly #reasons = new Map<string, vscode.TextDocumentSaveReason>();
  readonly #listener: vscode.Disposable;

  constructor() {
    this.#listener = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (document.uri.scheme === documentScheme) {
          this.#reasons.set(document.uri.toString(), reason);
        }
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#reasons.delete(uri.toString())),
    );
  }

  /** Throws unless the user saves the document. */
  refuseAutomatic(uri: vscode.Uri, title: string): void {
    const reason = this.#reasons.get(uri.toString()) ?? vscode.TextDocumentSaveReason.Manual;
    if (reason !== vscode.TextDocumentSaveReason.Manual) {
      throw new Error(vscode.l10n.t("{0} isn't sent automatically. Save it to send it to the platform.", title));
    }
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
