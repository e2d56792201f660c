import * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import { type DocumentAddress, documentUri, fileName } from "../../ui/documents/document-address.ts";
import { versionLabel, versionName } from "../../ui/format/labels.ts";
import type { DesignSource } from "./sources.ts";
import { sourceFiles } from "./sources.ts";

/** A file of a design's version. */
export interface DesignFile extends DesignSource {
  readonly tenantId: string;
  readonly designName: string;
  /** Within the source, with slashes. */
  readonly path: string;
}

/**
 * Where a document's path contains the version: in its first folder, in the file name (which the tab shows), or
 * nowhere. A comparison then shows the file as changed, not as renamed.
 */
type VersionPlace = "folder" | "name" | "nowhere";

/** The read-only document of a file of a design's version. Its path is readable; the query makes it unique. */
export function designFileUri(
  { tenantId, designId, designName, version, path }: DesignFile,
  versionPlace: VersionPlace = "folder",
): vscode.Uri {
  const uri = documentUri({ kind: "design-file", tenantId, workspaceId: "", key: "", title: "" });
  const source = versionPlace === "folder" ? versionName(designName, version) : designName;
  const within = versionPlace === "name" ? path.replace(/(\.[^./]+)?$/, ` ${versionLabel(version)}$1`) : path;
  return uri.with({
    path: ["", "design-file", ...[source, ...within.split("/")].map(fileName)].join("/"),
    query: [designId, version, path].map(encodeURIComponent).join("/"),
  });
}

/** Reads such a document. Throws with the reason if it can't be read. */
export async function readDesignFile(connections: Connections, address: DocumentAddress): Promise<Uint8Array> {
  const { tenantId, key } = address;
  const [designId = "", version = "", path = ""] = key.split("/").map(decodeURIComponent);
  const files = await sourceFiles(await connections.platform(tenantId), { designId, version });
  const content = files.get(path);
  if (content === undefined) {
    throw new Error(vscode.l10n.t("{0} isn't in version {1}.", path, version));
  }
  return content;
}
