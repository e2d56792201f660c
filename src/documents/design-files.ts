import * as vscode from "vscode";
import type { Connections } from "../tenants/connections.ts";
import type { DesignSource } from "./design-sources.ts";
import { sourceFiles } from "./design-sources.ts";
import { type DocumentAddress, documentUri, fileName } from "./document-address.ts";

/** A file of a design's version. */
export interface DesignFile extends DesignSource {
  readonly designName: string;
  /** Within the source, with slashes. */
  readonly path: string;
}

/**
 * The read-only document of a file of a design's version. Its path is one that people read; the query tells it apart.
 * With `sameForAllVersions` the path has no version in it, so that a comparison takes it for a file that changed, not for
 * one that was renamed.
 */
export function designFileUri(
  { tenantId, designId, designName, version, path }: DesignFile,
  { sameForAllVersions = false }: { readonly sameForAllVersions?: boolean } = {},
): vscode.Uri {
  const uri = documentUri({ kind: "design-file", tenantId, workspaceId: "", key: "", title: "" });
  const source = sameForAllVersions ? designName : `${designName} ${version}`;
  return uri.with({
    path: ["", "design-file", ...[source, ...path.split("/")].map(fileName)].join("/"),
    query: [designId, version, path].map(encodeURIComponent).join("/"),
  });
}

/** Reads such a document. Throws with the reason. */
export async function readDesignFile(connections: Connections, address: DocumentAddress): Promise<Uint8Array> {
  const { tenantId, key } = address;
  const [designId = "", version = "", path = ""] = key.split("/").map(decodeURIComponent);
  const files = await sourceFiles(await connections.platform(tenantId), { tenantId, designId, version });
  const content = files.get(path);
  if (content === undefined) {
    throw new Error(vscode.l10n.t("{0} is not among the files of version {1}.", path, version));
  }
  return content;
}
