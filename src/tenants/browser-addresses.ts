import { isConfidential } from "../api/http/credentials.ts";
import type { Tenant } from "./tenant.ts";

/** The page of a workspace in the tenant's own web application. */
export function workspacePage(tenant: Pick<Tenant, "baseUrl">, workspaceId: string): string {
  return `${tenant.baseUrl}/jupyter-workspaces/${encodeURIComponent(workspaceId)}`;
}

/**
 * Whether an address that a server named may be opened in the browser: https, or this machine alone, and on the
 * tenant's host, below it, or on one of its content hosts.
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
