import * as vscode from "vscode";
import { heldName } from "../../api/local-names.ts";
import { authorityOf, splitAuthority } from "../../tenants/workspace-uri.ts";

export const documentScheme = "platform-documents";

/**
 * The parts of a document's address. `key` is what a kind needs in addition to the workspace, such as a notebook's id.
 */
export interface DocumentAddress {
  /** The kind of document, such as `configuration`: the first segment of its path. */
  readonly kind: string;
  readonly tenantId: string;
  /** Empty for documents of a whole tenant. */
  readonly workspaceId: string;
  readonly key: string;
  /** The tab's name. */
  readonly title: string;
}

/**
 * `platform-documents://<workspace id>.<tenant id>/<kind>[/<key>]/<title>`. The title of a document that is only shown
 * as a preview can contain a time such as `11:38`.
 */
export function documentUri(
  { kind, tenantId, workspaceId, key, title }: DocumentAddress,
  { isPreview = false }: { readonly isPreview?: boolean } = {},
): vscode.Uri {
  const segments = [
    "",
    kind,
    ...(key === "" ? [] : [encodeURIComponent(key)]),
    isPreview ? tabName(title) : fileName(title),
  ];
  return vscode.Uri.from({
    scheme: documentScheme,
    authority: authorityOf(tenantId, workspaceId),
    path: segments.join("/"),
  });
}

/** Parses a document's address; undefined for an address in another format. */
export function documentAddressOf(uri: vscode.Uri): DocumentAddress | undefined {
  const authority = splitAuthority(uri.authority);
  const [empty, kind = "", ...rest] = uri.path.split("/");
  const title = rest.pop();
  if (uri.scheme !== documentScheme || authority === undefined || empty !== "" || title === undefined || kind === "") {
    return undefined;
  }
  return {
    kind,
    tenantId: authority.tenantId,
    workspaceId: authority.workspaceId,
    // Kinds with a readable path have their key in the query.
    key: uri.query === "" ? decodeURIComponent(rest[0] ?? "") : uri.query,
    title,
  };
}

/** A name that is valid in a path on every computer and still readable. */
export function fileName(text: string): string {
  return heldName(without('\\/:*?"<>|', text), "windows");
}

/** The name of a tab that shows no file: it can contain a time. */
function tabName(text: string): string {
  return heldName(without("\\/", text), "linux");
}

function without(unusable: string, text: string): string {
  const clean = [...text].map((character) => (character < " " || unusable.includes(character) ? "-" : character));
  return clean.join("").replace(/^\.+/, "").trim();
}
