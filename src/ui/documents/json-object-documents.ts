import * as vscode from "vscode";
import { type AgreedSave, AskedSaves, askToSend, changesToSend, nothingToSend } from "./asked-saves.ts";
import type { DocumentAddress } from "./document-address.ts";
import type { DocumentInEditor } from "./document-in-editor.ts";
import { changedFields, type JsonObject, parseJsonObject } from "./json-object.ts";
import type { DocumentSource } from "./platform-documents.ts";

/** A kind of objects on the platform that are replaced as a whole. */
export interface JsonObjectKind {
  fetch(address: DocumentAddress): Promise<JsonObject>;
  /** Why the user's object can't be sent; undefined if it can. */
  problem?(address: DocumentAddress, mine: JsonObject): string | undefined;
  /** Asks whether to send, with lines that precede the changes. */
  question(
    address: DocumentAddress,
    now: JsonObject,
    mine: JsonObject,
  ): { readonly question: string; readonly lines?: readonly string[] };
  replace(address: DocumentAddress, mine: JsonObject): Promise<unknown>;
  /** Called after the document was saved. */
  onSaved?(address: DocumentAddress): void;
}

/** Objects of one kind as documents, which replace them after a question that shows all changes. */
export class JsonObjectDocuments implements vscode.Disposable {
  readonly #kind: JsonObjectKind;
  readonly #saves = new AskedSaves();
  /** The last content read for each document, on which the user's changes are based. */
  readonly #bases = new Map<string, JsonObject>();
  readonly #listener = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#bases.delete(uri.toString()));

  constructor(kind: JsonObjectKind) {
    this.#kind = kind;
  }

  readonly source: Required<DocumentSource> = {
    read: async (address, uri) => {
      const value = await this.#kind.fetch(address);
      this.#bases.set(uri.toString(), value);
      return `${JSON.stringify(value, undefined, 2)}\n`;
    },
    write: (address, text, uri) =>
      this.#saves.write(uri, address.title, text, (checked) => this.#ask(address, checked, uri)),
  };

  /** Asks, then sends the document and saves it. */
  send({ uri, address }: DocumentInEditor): Promise<void> {
    return this.#saves.send(uri, (text) => this.#ask(address, text, uri));
  }

  dispose(): void {
    vscode.Disposable.from(this.#saves, this.#listener).dispose();
  }

  /** Checks the text and asks whether to send it. Throws with the reason if it can't or must not be sent. */
  async #ask(address: DocumentAddress, text: string, uri: vscode.Uri): Promise<AgreedSave> {
    const { title } = address;
    const parsed = parseJsonObject(text, vscode.l10n.t);
    const problem = parsed.valid ? this.#kind.problem?.(address, parsed.value) : parsed.reason;
    if (!parsed.valid || problem !== undefined) {
      throw new Error(vscode.l10n.t("{0} wasn't sent: {1}.", title, problem ?? ""));
    }
    const mine = parsed.value;
    const now = await this.#kind.fetch(address);
    const changes = changedFields(now, mine);
    if (changes.length === 0) {
      return nothingToSend;
    }
    const base = this.#bases.get(uri.toString());
    const { detail, send } = changesToSend(changes, base === undefined ? undefined : changedFields(base, now));
    const { question, lines = [] } = this.#kind.question(address, now, mine);
    await askToSend({
      question,
      detail: [...lines, ...detail],
      send,
      declined: vscode.l10n.t("{0} wasn't sent. Your changes stay in the editor.", title),
    });
    return {
      send: async () => {
        await this.#kind.replace(address, mine);
        this.#bases.set(uri.toString(), mine);
      },
      onSaved: () => this.#kind.onSaved?.(address),
    };
  }
}
