import * as vscode from "vscode";
import { readPackage, readVersion, sourceExtension } from "../../api/families/code-engine.ts";
import type { Connections } from "../../tenants/connections.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { ChosenVersion } from "./choice.ts";

/** Opens the source of a version as a read-only document, at the definition of a function if one is given. */
export async function openSource(chosen: ChosenVersion, functionName: string | undefined): Promise<void> {
  const { client, packageId } = chosen;
  const { language } = await readPackage(client, packageId);
  const uri = sourceUri(chosen, sourceExtension(language));
  const document = await vscode.workspace.openTextDocument(uri);
  const line = functionName === undefined ? undefined : definitionLine(document.getText(), functionName);
  const selection = line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) };
  await vscode.window.showTextDocument(document, selection);
}

function sourceUri(
  { tenantId, packageId, packageName, version }: Omit<ChosenVersion, "client">,
  extension: string,
): vscode.Uri {
  const key = [packageId, version].map(encodeURIComponent).join("/");
  const title = `${versionName(packageName, version)}${extension}`;
  return documentUri({ kind: "function-source", tenantId, workspaceId: "", key, title });
}

/** Reads such a document. Throws with the reason if it can't be read. */
export async function readSource(connections: Connections, { tenantId, key }: DocumentAddress): Promise<string> {
  const [packageId = "", version = ""] = key.split("/").map(decodeURIComponent);
  const { code } = await readVersion(await connections.platform(tenantId), packageId, version);
  if (code === null || code === undefined) {
    throw new Error(vscode.l10n.t("The platform didn't return the source of version {0}.", version));
  }
  return code;
}

const definitions = ["def ", "async def ", "function ", "async function ", "const ", "let ", "var ", "export "];

/** The line that defines a function in Python or JavaScript; undefined if none is found. */
export function definitionLine(source: string, name: string): number | undefined {
  const found = source.split("\n").findIndex((line) => {
    const text = line.trimStart();
    const keyword = definitions.find((one) => text.startsWith(one));
    if (keyword === undefined) {
      return false;
    }
    const rest = text.slice(keyword.length);
    return rest.startsWith(name) && !/^[\w$]/.test(rest.slice(name.length));
  });
  return found < 0 ? undefined : found;
}
