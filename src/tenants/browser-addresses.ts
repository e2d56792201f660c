import { isConfidential } from "../api/http/credentials.ts";
import type { Tenant } from "./tenant.ts";

/** The address of a workspace in the tenant's web application. */
export function workspacePage(tenant: Pick<Tenant, "baseUrl">, workspaceId: string): string {
  return `${tenant.baseUrl}/jupyter-workspaces/${encodeURIComponent(workspaceId)}`;
}

/**
 * True if an address from a server can be opened in the browser. It must use HTTPS (or HTTP to this computer), and
 * belong to the tenant's host, a subdomain of it, or one of its content hosts.
 */
export function mayOpen(
  address: string,
  tenant: Pick<Tenant, "baseUrl" | "contentServer">,
  contentOrigins: readonly string[] = [],
): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const url = new URL(address);
  if (!isConfidential(url) || url.username !== "" || url.password !== "") {
    return false;
  }
  const tenantHost = new URL(tenant.baseUrl).hostname;
  const contentHosts = [tenant.contentServer.origin, ...contentOrigins]
    .filter((origin) => origin !== undefined && URL.canParse(origin))
    .map((origin) => new URL(String(origin)).hostname);
  return [tenantHost, ...contentHosts].some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
}
