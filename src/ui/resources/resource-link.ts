import * as z from "zod/mini";
import { type PlatformResource, resource } from "./resource.ts";

export const extensionId = "platform-workbench.platform-workbench";

/**
 * A link that opens the resource in an editor with its tenant, such as `vscode://…/open?tenant=acme&type=design&id=7`.
 */
export function resourceLink({ type, tenantId, id, parentId, name }: PlatformResource, editorScheme: string): string {
  const query = new URLSearchParams({ tenant: tenantId, type, id, name });
  if (parentId !== undefined) {
    query.set("parent", parentId);
  }
  return `${editorScheme}://${extensionId}/open?${query}`;
}

/** The resource in a link's path and query; undefined for a link in another format. */
export function linkedResource(path: string, query: string): PlatformResource | undefined {
  if (path !== "/open") {
    return undefined;
  }
  const values = new URLSearchParams(query);
  const parentId = values.get("parent");
  const read = z.safeParse(resource, {
    type: values.get("type"),
    tenantId: values.get("tenant"),
    id: values.get("id"),
    ...(parentId === null ? {} : { parentId }),
    name: values.get("name") ?? values.get("id"),
  });
  return read.success ? read.data : undefined;
}
