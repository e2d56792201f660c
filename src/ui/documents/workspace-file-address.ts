import type * as vscode from "vscode";
import { documentAddressOf, documentUri } from "./document-address.ts";

/** The kind of document that is the workspace file of a window in a browser. */
const workspaceFileKind = "workspace-file";

const extension = ".code-workspace";

interface NamedWorkspace {
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly name: string;
}

/** The name of the workspace file of a window with this name. */
export function workspaceFileTitle(name: string): string {
  return `${name}${extension}`;
}

/** The name that a window with this workspace file has. */
export function nameOfWorkspaceFile(title: string): string {
  return title.endsWith(extension) ? title.slice(0, -extension.length) : title;
}

/** The document that opens a workspace's folder in a browser, in a window with the workspace's name. */
export function workspaceFileDocument({ tenantId, workspaceId, name }: NamedWorkspace): vscode.Uri {
  return documentUri({ kind: workspaceFileKind, tenantId, workspaceId, key: "", title: workspaceFileTitle(name) });
}

/** The workspace of such a document; undefined for any other URI. */
export function workspaceOfDocument(uri: vscode.Uri): NamedWorkspace | undefined {
  const address = documentAddressOf(uri);
  return address?.kind !== workspaceFileKind || address.workspaceId === "" || address.tenantId === ""
    ? undefined
    : { tenantId: address.tenantId, workspaceId: address.workspaceId, name: nameOfWorkspaceFile(address.title) };
}
