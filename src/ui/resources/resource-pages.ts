import { workspacePage } from "../../tenants/browser-addresses.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { PlatformResource } from "./resource.ts";

/** The web page of a resource in the tenant's web application; undefined if none is known. */
export function resourcePage(
  tenant: Pick<Tenant, "baseUrl">,
  { type, id, parentId = "" }: PlatformResource,
): string | undefined {
  switch (type) {
    case "workspace":
      return workspacePage(tenant, id);
    case "design":
      return `${tenant.baseUrl}/assetlibrary/${encodeURIComponent(id)}/overview`;
    case "page":
      return `${tenant.baseUrl}/page/${encodeURIComponent(id)}`;
    case "workflowVersion":
      return `${tenant.baseUrl}/workflows/models/${encodeURIComponent(parentId)}/${encodeURIComponent(id)}`;
    case "trigger":
      return `${tenant.baseUrl}/workflows/triggers/${encodeURIComponent(parentId)}`;
    case "functionPackage":
      return `${tenant.baseUrl}/codeengine/${encodeURIComponent(id)}`;
    case "studioApp":
      return `${tenant.baseUrl}/app-studio/${encodeURIComponent(id)}`;
    case "repository":
      return `${tenant.baseUrl}/admin/sandbox/repositories/${encodeURIComponent(id)}`;
    default:
      return undefined;
  }
}
