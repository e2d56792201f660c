import * as vscode from "vscode";
import { normalizeContentPath } from "../api/catalogue/content-path.ts";
import { errorText } from "./error-text.ts";

export const scheme = "platform-contents";

/** The tenant and workspace ids in the authority of a URI. */
interface Authority {
  readonly tenantId: string;
  readonly workspaceId: string;
}

/** The item that a file URI refers to. The empty path is the workspace root. */
export interface FileAddress extends Authority {
  readonly path: string;
}

/**
 * `<workspace id>.<tenant id>`. Neither id contains a dot, so the first dot separates them. Both are lowercase, because
 * the editor ignores case when it compares authorities.
 */
export function authorityOf(tenantId: string, workspaceId: string): string {
  return `${workspaceId}.${tenantId}`;
}

/** An id in an authority. Ids also become names of folders and keys, so they have no separators. Can be empty. */
const idForm = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}./\\:*?"<>|%]*$/u;

/**
 * Parses an authority. Either id can be empty. Undefined for a string without a dot, and for ids with characters that no
 * id has, because authorities come from links and files.
 */
export function splitAuthority(authority: string): Authority | undefined {
  const [workspaceId, tenantId, ...rest] = authority.split(".");
  return workspaceId === undefined || tenantId === undefined || rest.length > 0
    ? undefined
    : idForm.test(workspaceId) && idForm.test(tenantId)
      ? { workspaceId, tenantId }
      : undefined;
}

/** `platform-contents://<workspace id>.<tenant id>/<content path>`. */
export function uriOf(tenantId: string, workspaceId: string, path = ""): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: authorityOf(tenantId, workspaceId), path: `/${path}` });
}

/** Parses a file URI. Throws a FileSystemError if it has no workspace, or if its path leaves the workspace. */
export function addressOf(uri: vscode.Uri): FileAddress {
  const authority = splitAuthority(uri.authority);
  if (uri.scheme !== scheme || authority === undefined || authority.workspaceId === "" || authority.tenantId === "") {
    throw vscode.FileSystemError.Unavailable(vscode.l10n.t("{0} isn't a workspace address.", uri.toString()));
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

/** The URI of another path in the same workspace. */
export function siblingUri(uri: vscode.Uri, path: string): vscode.Uri {
  return uri.with({ path: `/${path}` });
}
