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
 * The read-only document of a file of a design's version. Its path is one that people read: the design's name, the
 * version and the file's own path follow what tells it apart.
 */
export function designFileUri({ tenantId, designId, designName, version, path }: DesignFile): vscode.Uri {
  const segments = path.split("/");
  const key = [designId, version, path].map(encodeURIComponent).join("/");
  const uri = documentUri({
    ...{ kind: "design-file", tenantId, workspaceId: "", key },
    title: segments.at(-1) ?? path,
  });
  const [empty = "", kind = "", encodedKey = "", title = ""] = uri.path.split("/");
  const folders = [`${designName} ${version}`, ...segments.slice(0, -1)].map(fileName);
  return uri.with({ path: [empty, kind, encodedKey, ...folders, title].join("/") });
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
