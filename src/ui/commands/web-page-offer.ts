import * as vscode from "vscode";
import { showInformation } from "../../tenants/messages.ts";
import type { PlatformResource } from "../resources/resource.ts";
import { resourcePage } from "../resources/resource-pages.ts";
import type { PlatformConnections } from "./progress.ts";

/** Reports that the platform's API doesn't support an action for a resource, and offers the web page that does. */
export async function offerWebPage(
  connections: Pick<PlatformConnections, "tenant">,
  resource: PlatformResource,
  text: string,
): Promise<void> {
  const page = resourcePage(connections.tenant(resource.tenantId), resource);
  const open = vscode.l10n.t("Open in Browser");
  const chosen = await showInformation(text, ...(page === undefined ? [] : [open]));
  if (page !== undefined && chosen === open) {
    await vscode.env.openExternal(vscode.Uri.parse(page, true));
  }
}
