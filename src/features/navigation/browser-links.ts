import * as vscode from "vscode";
import { addressOf, uriOf } from "../../tenants/workspace-uri.ts";
import { extensionId } from "../../ui/resources/resource-link.ts";

/**
 * A link that opens a workspace's folder, and a file in it, in the editor that a browser shows at `editor`. It names no file
 * of that browser, so that it works in any.
 */
export function browserLink(editor: URL, uri: vscode.Uri): string {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const link = new URL(editor);
  link.searchParams.set("folder", uriOf(tenantId, workspaceId).toString());
  if (path !== "") {
    link.searchParams.set("payload", JSON.stringify([["openFile", uri.toString()]]));
  }
  return link.href;
}

/** The address at which a browser shows this editor. Throws in an editor on the desktop, which has none. */
export async function editorAddress(): Promise<URL> {
  const own = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path: "/open" });
  const callback = (await vscode.env.asExternalUri(own)).toString(true);
  const url = URL.canParse(callback) ? new URL(callback) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(vscode.l10n.t("This editor isn't hosted in a browser, so that it has no link for one."));
  }
  return new URL(url.pathname.replace(/callback$/, ""), url.origin);
}
