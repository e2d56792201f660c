import type * as vscode from "vscode";
import * as z from "zod/mini";
import { type DocumentAddress, documentUri } from "../documents/document-address.ts";
import { type PlatformResource, resource } from "../resources/resource.ts";

/**
 * The address of a resource's details as Markdown, or of the platform's response as JSON. The name of a preview is its
 * tab's, so it has no extension: package.json says by the path that it is Markdown.
 */
export function detailsUri(of: PlatformResource, kind: "details" | "json"): vscode.Uri {
  const { type, tenantId, id, parentId = "", name } = of;
  const key = [type, parentId, id, name].map(encodeURIComponent).join("/");
  const address = { kind, tenantId, workspaceId: "", key };
  return kind === "details"
    ? documentUri({ ...address, title: name }, { isPreview: true })
    : documentUri({ ...address, title: `${name}.json` });
}

/** The resource of such an address. Throws for an address in another format. */
export function detailsResource({ tenantId, key }: DocumentAddress): PlatformResource {
  const [type, parentId = "", id, name] = key.split("/").map(decodeURIComponent);
  return z.parse(resource, { type, tenantId, id, name, ...(parentId === "" ? {} : { parentId }) });
}
