import * as vscode from "vscode";
import type { Tenant } from "../../tenants/tenant.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { resourceLink } from "../../ui/resources/resource-link.ts";
import { resourcePage } from "../../ui/resources/resource-pages.ts";
import { windowLink, windowPage } from "./window-links.ts";

/** The https address of a resource in the tenant's web application. Anyone with access can open it. */
export function pageOf(tenant: Pick<Tenant, "baseUrl">, resource: PlatformResource): string {
  const page = resourcePage(tenant, resource);
  if (page === undefined) {
    throw new Error(vscode.l10n.t("{0} has no web page.", resource.name));
  }
  return page;
}

/**
 * A link to a resource, for sharing. In a browser, links with the editor's own scheme can't be clicked, so the link is
 * a window's address for a workspace, and the web page for anything else.
 */
export async function linkTo(tenant: Pick<Tenant, "baseUrl">, resource: PlatformResource): Promise<string> {
  if (vscode.env.uiKind !== vscode.UIKind.Web) {
    return resourceLink(resource, vscode.env.uriScheme);
  }
  const page = resource.type === "workspace" ? await windowPage() : undefined;
  return page === undefined
    ? pageOf(tenant, resource)
    : windowLink(page, { tenantId: resource.tenantId, workspaceId: resource.id, name: resource.name });
}
