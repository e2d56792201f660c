import { getDesign } from "../../api/catalogue/operations/designs.ts";
import { getRepository } from "../../api/catalogue/operations/sandbox.ts";
import { getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { getWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { lookUpContent } from "../../api/families/content-names.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { nonBlank, versionName } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";

/** Maximum length of an address, in characters. */
const maxAddressLength = 20_000;

/** The types of resources whose web page addresses contain everything that is needed to open them. */
const pagePaths = {
  workspace: /^jupyter-workspaces\/(?<id>[^/]+)$/,
  design: /^assetlibrary\/(?<id>[^/]+)(?:\/[^/]*)?$/,
  page: /^page\/(?<id>[^/]+)$/,
  repository: /^admin\/sandbox\/repositories\/(?<id>[^/]+)$/,
  workflowVersion: /^workflows\/models\/(?<parentId>[^/]+)\/(?<id>[^/]+)$/,
} as const;
type LinkedType = keyof typeof pagePaths;
const linkedTypes: readonly LinkedType[] = ["workspace", "design", "page", "repository", "workflowVersion"];

/** The resource of a web address, without its name. */
export interface LinkedPage {
  readonly type: LinkedType;
  readonly tenantId: string;
  readonly id: string;
  readonly parentId?: string;
}

/**
 * The resource of a web address in a tenant's web application: the reverse of `resourcePage`. Undefined for any other
 * text.
 */
export function linkedPage(tenants: readonly Pick<Tenant, "id" | "baseUrl">[], text: string): LinkedPage | undefined {
  if (text.length > maxAddressLength || !URL.canParse(text)) {
    return undefined;
  }
  const { origin, pathname } = new URL(text);
  const address = `${origin}${pathname}`;
  for (const { id: tenantId, baseUrl } of tenants) {
    const path = address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length + 1) : "";
    for (const type of linkedTypes) {
      const found = pagePaths[type].exec(path)?.groups;
      const id = decoded(found?.id);
      const parentId = decoded(found?.parentId);
      if (id !== undefined && (parentId === undefined) === (found?.parentId === undefined)) {
        return { type, tenantId, id, ...(parentId === undefined ? {} : { parentId }) };
      }
    }
  }
  return undefined;
}

/** Requests the resource from the platform and adds its name. Throws if the platform doesn't have the resource. */
export async function namedPage(client: PlatformClient, linked: LinkedPage): Promise<PlatformResource> {
  return { ...linked, name: nonBlank(await nameOf(client, linked)) ?? linked.id };
}

async function nameOf(
  client: PlatformClient,
  { type, id, parentId = "" }: LinkedPage,
): Promise<string | null | undefined> {
  switch (type) {
    case "workspace":
      return (await client.call(getWorkspace, { workspaceId: id })).name;
    case "design":
      return (await client.call(getDesign, { designId: id })).name;
    case "page": {
      const found = await lookUpContent(client, "PAGE", id);
      return found.type === "found" ? found.name : undefined;
    }
    case "repository":
      return (await client.call(getRepository, { repositoryId: id })).name;
    case "workflowVersion":
      return versionName((await client.call(getWorkflow, { modelId: parentId })).name ?? parentId, id);
  }
}

/** Decodes a part of a path; undefined if its percent-encoding is invalid. */
function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
