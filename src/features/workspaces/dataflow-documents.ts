import type * as vscode from "vscode";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { Connections } from "../../tenants/connections.ts";
import { accountKeys } from "../../tenants/stored-account-state.ts";
import type { DocumentAddress } from "../../ui/documents/document-address.ts";
import type { DocumentSource } from "../../ui/documents/platform-documents.ts";
import { bodySchema, exampleBody } from "./dataflow-body.ts";

const firstBody = `${JSON.stringify(exampleBody, undefined, 2)}\n`;

/** The last responses of an account, by notebook. */
const responsesOfAccount: AccountValue<Map<string, string>> = { create: () => new Map() };

/** The body of a notebook's dataflow update, which is saved for the next time, and the platform's response. */
export class DataflowDocuments {
  readonly #state: vscode.Memento;
  readonly #accounts: Pick<Connections, "account">;

  constructor(state: vscode.Memento, accounts: Pick<Connections, "account">) {
    this.#state = state;
    this.#accounts = accounts;
  }

  readonly body: Required<DocumentSource> = {
    read: async (address) => this.#bodies()[ownerOf(address)] ?? firstBody,
    write: async (address, text) =>
      this.#state.update(accountKeys.dataflowBodies, { ...this.#bodies(), [ownerOf(address)]: text }),
  };

  readonly schema: DocumentSource = { read: async () => `${JSON.stringify(bodySchema(), undefined, 2)}\n` };

  readonly response: DocumentSource = {
    read: async (address) => this.#responses(address).get(ownerOf(address)) ?? "null\n",
  };

  /** Sets the platform's response for its read-only document. */
  prefilled(address: DocumentAddress, response: unknown): void {
    this.#responses(address).set(ownerOf(address), `${JSON.stringify(response ?? null, undefined, 2)}\n`);
  }

  #responses({ tenantId }: DocumentAddress): Map<string, string> {
    return this.#accounts.account(tenantId).get(responsesOfAccount);
  }

  #bodies(): Readonly<Record<string, string>> {
    return this.#state.get<Readonly<Record<string, string>>>(accountKeys.dataflowBodies, {});
  }
}

/** Body and response belong to one notebook of one workspace; the document's key is the notebook's id. */
function ownerOf({ tenantId, workspaceId, key }: DocumentAddress): string {
  return `${tenantId}/${workspaceId}/${key}`;
}
