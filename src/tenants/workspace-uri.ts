import * as vscode from "vscode";
import { normalizeContentPath } from "../api/catalogue/content-path.ts";

export const scheme = "platform-contents";

/** What a file address means: an item of a workspace of a tenant. The empty path is the workspace root. */
export interface FileAddress {
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly path: string;
}

/**
 * `platform-contents://<workspace id>.<tenant id>/<content path>`. Neither id has a dot in it, so the first one parts them;
 * both are lower case, because the editor compares authorities without regard to case.
 */
export function uriOf(tenantId: string, workspaceId: string, path = ""): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: `${workspaceId}.${tenantId}`, path: `/${path}` });
}

/** Reads a file address. Throws a FileSystemError for one that names no workspace or leaves it. */
export function addressOf(uri: vscode.Uri): FileAddress {
  const cut = uri.authority.indexOf(".");
  if (uri.scheme !== scheme || cut <= 0 || cut === uri.authority.length - 1) {
    throw vscode.FileSystemError.Unavailable(
      vscode.l10n.t('The address "{0}" names no workspace of a tenant.', uri.toString()),
    );
  }
  try {
    return {
      workspaceId: uri.authority.slice(0, cut),
      tenantId: uri.authority.slice(cut + 1),
      path: normalizeContentPath(uri.path),
    };
  } catch (error) {
    throw vscode.FileSystemError.NoPermissions(error instanceof Error ? error.message : String(error));
  }
}

/** The same workspace's address of another path. */
export function siblingUri(uri: vscode.Uri, path: string): vscode.Uri {
  return uri.with({ path: `/${path}` });
}
