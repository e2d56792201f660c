import * as vscode from "vscode";
import type { CompanionPlace } from "./companions.ts";
import { authorityOf, splitAuthority } from "./workspace-uri.ts";

/** The scheme of the sources of libraries on a workspace's server, which are read-only. */
export const libraryScheme = "platform-library";

/** The address of a library's source, by its absolute path on the server. On Windows, it has no slash before its drive. */
export function libraryUri({ tenantId, workspaceId }: CompanionPlace, path: string): vscode.Uri {
  const slashed = path.replaceAll("\\", "/");
  return vscode.Uri.from({
    scheme: libraryScheme,
    authority: authorityOf(tenantId, workspaceId),
    path: slashed.startsWith("/") ? slashed : `/${slashed}`,
  });
}

/** The source of a library at an address; undefined if it names no workspace. */
export function libraryOf({
  authority,
  path,
}: vscode.Uri): { readonly place: CompanionPlace; readonly path: string } | undefined {
  const place = splitAuthority(authority);
  return place && { place, path: /^\/[a-z]:/i.test(path) ? path.slice(1) : path };
}
