import { LRUCache } from "lru-cache";
import * as vscode from "vscode";
import type { FunctionResult } from "../../api/catalogue/models/code-engine.ts";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { Connections } from "../../tenants/connections.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { ChosenFunction } from "./choice.ts";

const maxResults = 20;

interface Results {
  next: number;
  readonly texts: LRUCache<string, string>;
}

/** The results of functions that the account has run, as JSON, by their documents' keys. */
const resultsOfAccount: AccountValue<Results> = {
  create: () => ({ next: 1, texts: new LRUCache({ max: maxResults }) }),
};

/** Shows the result of a run as a read-only document. */
export async function showResult(
  { client, tenantId, packageName, version, function: own }: ChosenFunction,
  result: FunctionResult,
): Promise<void> {
  const results = client.account.get(resultsOfAccount);
  const key = String(results.next++);
  results.texts.set(key, `${JSON.stringify(result, undefined, 2)}\n`);
  const title = `${own.name} (${versionName(packageName, version)}).json`;
  const uri = documentUri({ kind: "function-result", tenantId, workspaceId: "", key, title });
  await vscode.commands.executeCommand("vscode.open", uri);
}

/** Reads such a document. Throws if the result is no longer kept. */
export async function readResult(connections: Connections, { tenantId, key }: DocumentAddress): Promise<string> {
  const text = connections.account(tenantId).get(resultsOfAccount).texts.get(key);
  if (text === undefined) {
    throw new Error(vscode.l10n.t("This result is no longer kept. Run the function again."));
  }
  return text;
}
