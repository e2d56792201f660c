import * as vscode from "vscode";
import { normalizeContentPath } from "../api/catalogue/content-path.ts";
import { errorText } from "./error-text.ts";

export const scheme = "platform-contents";

/** The tenant and the workspace that the authority of an address names. */
interface Authority {
  readonly tenantId: string;
  readonly workspaceId: string;
}

/** What a file address means: an item of a workspace of a tenant. The empty path is the workspace root. */
export interface FileAddress extends Authority {
  readonly path: string;
}

/**
 * `<workspace id>.<tenant id>`. Neither id contains a dot, so the first dot separates them. Both are lower case, because
 * the editor compares authorities without regard to case.
 */
export function authorityOf(tenantId: string, workspaceId: string): string {
  return `${workspaceId}.${tenantId}`;
}

/** Reads an authority; either id may be empty. Undefined for a text without a dot. */
export function splitAuthority(authority: string): Authority | undefined {
  const dot = authority.indexOf(".");
  return dot < 0 ? undefined : { workspaceId: authority.slice(0, dot), tenantId: authority.slice(dot + 1) };
}

/** `platform-contents://<workspace id>.<tenant id>/<content path>`. */
export function uriOf(tenantId: string, workspaceId: string, path = ""): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: authorityOf(tenantId, workspaceId), path: `/${path}` });
}

/** Reads a file address. Throws a FileSystemError for one that names no workspace or leaves it. */
export function addressOf(uri: vscode.Uri): FileAddress {
  const authority = splitAuthority(uri.authority);
  if (uri.scheme !== scheme || authority === undefined || authority.workspaceId === "" || authority.tenantId === "") {
    throw vscode.FileSystemError.Unavailable(vscode.l10n.t("{0} is not a workspace address.", uri.toString()));
  }
  try {
    return {
      tenantId: authority.tenantId,
      workspaceId: authority.workspaceId,
      path: normalizeContentPath(uri.path),
    };
  } catch (error) {
    throw vscode.FileSystemError.NoPermissions(errorText(error));
  }
}

/** The same workspace's address of another path. */
export function siblingUri(uri: vscode.Uri, path: string): vscode.Uri {
  return uri.with({ path: `/${path}` });
}
