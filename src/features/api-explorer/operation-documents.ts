import type * as vscode from "vscode";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { Connections } from "../../tenants/connections.ts";
import { accountKeys } from "../../tenants/stored-account-state.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import type { DocumentSource } from "../../ui/documents/platform-documents.ts";

/** The place of a body or response: an operation on a tenant and, if it needs one, a workspace. */
export interface OperationPlace {
  readonly tenantId: string;
  /** Empty for an operation of the platform itself. */
  readonly workspaceId: string;
  readonly operationId: string;
}

/** The last responses of an account, by the URI of their documents. */
const responsesOfAccount: AccountValue<Map<string, string>> = { create: () => new Map() };

/** The bodies of API operations, which are saved across windows, their schemas, and the platform's last responses. */
export class OperationDocuments {
  readonly #state: vscode.Memento;
  readonly #accounts: Pick<Connections, "account">;

  constructor(state: vscode.Memento, accounts: Pick<Connections, "account">) {
    this.#state = state;
    this.#accounts = accounts;
  }

  readonly body: Required<DocumentSource> = {
    read: async (address) => this.bodyOf(placeOf(address)) ?? "{\n}\n",
    write: (address, text) => this.setBody(placeOf(address), text),
  };

  readonly response: DocumentSource = {
    read: async ({ tenantId }, uri) => this.#responses(tenantId).get(uri.toString()) ?? "null\n",
  };

  /** The body as last edited. */
  bodyOf(place: OperationPlace): string | undefined {
    return this.#bodies()[documentKey(place)];
  }

  async setBody(place: OperationPlace, text: string): Promise<void> {
    await this.#state.update(accountKeys.operationBodies, { ...this.#bodies(), [documentKey(place)]: text });
  }

  /** Sets the text of the response's read-only document. */
  setResponse(tenantId: string, uri: vscode.Uri, text: string): void {
    this.#responses(tenantId).set(uri.toString(), text);
  }

  #responses(tenantId: string): Map<string, string> {
    return this.#accounts.account(tenantId).get(responsesOfAccount);
  }

  #bodies(): Readonly<Record<string, string>> {
    return this.#state.get<Readonly<Record<string, string>>>(accountKeys.operationBodies, {});
  }
}

/** The document of an operation's body. The schemas in package.json refer to its name. */
export function bodyUri({ operationId, ...place }: OperationPlace): vscode.Uri {
  return documentUri({ ...place, kind: "operation-body", key: operationId, title: `${operationId}.body.json` });
}

/** The read-only document of an operation's last response. */
export function parsedResponseUri({ operationId, ...place }: OperationPlace): vscode.Uri {
  return documentUri({
    ...place,
    kind: "operation-response",
    key: operationId,
    title: `${operationId}.response.jsonc`,
  });
}

/** The read-only document of an operation's last raw response, which may not be JSON. */
export function responseUri({ operationId, ...place }: OperationPlace): vscode.Uri {
  return documentUri({ ...place, kind: "operation-response", key: operationId, title: `${operationId}.response.txt` });
}

/** The operation and place that a body's or response's document belongs to. */
export function placeOf({ tenantId, workspaceId, key }: DocumentAddress): OperationPlace {
  return { tenantId, workspaceId, operationId: key };
}

function documentKey({ tenantId, workspaceId, operationId }: OperationPlace): string {
  return `${tenantId}/${workspaceId}/${operationId}`;
}
