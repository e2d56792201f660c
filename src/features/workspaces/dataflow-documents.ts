import type * as vscode from "vscode";
import type { DocumentAddress } from "../../ui/documents/document-address.ts";
import type { DocumentSource } from "../../ui/documents/platform-documents.ts";

const bodiesKey = "dataflowBodies";

const firstBody = "{\n}\n";

/** The body of a notebook's dataflow update, which is saved for the next time, and the platform's response. */
export class DataflowDocuments {
  readonly #state: vscode.Memento;
  readonly #responses = new Map<string, string>();

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  readonly body: Required<DocumentSource> = {
    read: async (address) => this.#bodies()[ownerOf(address)] ?? firstBody,
    write: async (address, text) => this.#state.update(bodiesKey, { ...this.#bodies(), [ownerOf(address)]: text }),
  };

  readonly response: DocumentSource = {
    read: async (address) => this.#responses.get(ownerOf(address)) ?? "null\n",
  };

  /** Sets the platform's response for its read-only document. */
  answered(address: DocumentAddress, answer: unknown): void {
    this.#responses.set(ownerOf(address), `${JSON.stringify(answer ?? null, undefined, 2)}\n`);
  }

  #bodies(): Readonly<Record<string, string>> {
    return this.#state.get<Readonly<Record<string, string>>>(bodiesKey, {});
  }
}

/** Body and response belong to one notebook of one workspace; the document's key is the notebook's id. */
function ownerOf({ tenantId, workspaceId, key }: DocumentAddress): string {
  return `${tenantId}/${workspaceId}/${key}`;
}
