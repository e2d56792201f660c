import type * as vscode from "vscode";
import * as z from "zod/mini";
import { type DocumentAddress, documentUri } from "../documents/document-address.ts";
import { type PlatformResource, resource } from "../resources/resource.ts";

/** The address of a resource's details as Markdown, or of the platform's response as JSON. */
export function detailsUri(of: PlatformResource, kind: "details" | "json"): vscode.Uri {
  const { type, tenantId, id, parentId = "", name } = of;
  const extension = kind === "details" ? "md" : "json";
  const key = [type, parentId, id, name].map(encodeURIComponent).join("/");
  return documentUri({ kind, tenantId, workspaceId: "", key, title: `${name}.${extension}` });
}

/** The resource of such an address. Throws for an address in another format. */
export function detailsResource({ tenantId, key }: DocumentAddress): PlatformResource {
  const [type, parentId = "", id, name] = key.split("/").map(decodeURIComponent);
  return z.parse(resource, { type, tenantId, id, name, ...(parentId === "" ? {} : { parentId }) });
}
