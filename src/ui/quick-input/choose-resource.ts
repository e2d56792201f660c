import * as vscode from "vscode";
import * as z from "zod/mini";
import { getRepository, searchRepositories } from "../../api/catalogue/operations/sandbox.ts";
import { listWorkflows } from "../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { allDesigns } from "../../api/families/designs.ts";
import { ancestorsText, PageHierarchy } from "../../api/families/pages/page-hierarchy.ts";
import { readPageTree } from "../../api/families/pages/pages.ts";
import { allRepositories } from "../../api/families/sandbox.ts";
import { AccessError } from "../../tenants/access-obstacle.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { CommandRun } from "../commands/command-runner.ts";
import type { PlatformConnections } from "../commands/progress.ts";
import { versionLabel } from "../format/labels.ts";
import { type PlatformResource, resource } from "../resources/resource.ts";
import { resourceIcons } from "../resources/resource-icons.ts";
import { enterId } from "./entered-id.ts";
import { pickBySearch, type SearchItem } from "./search-pick.ts";

/** The resource types that can be chosen by name. */
type ChoosableType = "design" | "page" | "repository" | "workflow";

export interface ResourceChoiceParts {
  readonly registry: TenantRegistry;
  readonly connections: PlatformConnections;
}

type Pages = AsyncGenerator<readonly SearchItem<PlatformResource>[]>;

const ofResource = z.looseObject({ resource });

/** The tenant that a command without a row applies to. Throws an AccessError if there is none. */
export function currentTenant(registry: TenantRegistry): Tenant {
  const tenant = registry.current;
  if (tenant === undefined) {
    throw new AccessError(
      "unknownTenant",
      {},
      vscode.l10n.t("No tenant has been added yet. Add one, or try the sample tenant."),
    );
  }
  return tenant;
}

/**
 * The resource of this type that a row or a caller refers to, or the one that the user picks in the current tenant.
 * Throws a CancellationError if canceled.
 */
export async function chooseResource<Type extends ChoosableType>(
  { registry, connections }: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  { type, title }: { readonly type: Type; readonly title: string },
): Promise<PlatformResource & { readonly type: Type }> {
  const named = namedResource(argument);
  if (named?.type === type) {
    connections.tenant(named.tenantId);
    run.setErrorContext({ tenantId: named.tenantId, entities: [named] });
    return { ...named, type };
  }
  const tenant = currentTenant(registry);
  run.setErrorContext({ tenantId: tenant.id });
  const client = await connections.platform(tenant.id);
  const { placeholder, nothingFits } = wordsOf(type);
  const heading = `${title} · ${tenant.label}`;
  const chosen = await pickBySearch({
    title: heading,
    placeholder,
    nothingFits,
    search: (text, signal) => resourceSearch[type](client, tenant.id, text, signal),
  }).catch((error: unknown) => {
    // The API description has no list of repositories (4.5).
    if (type !== "repository" || !isMissingOperation(searchRepositories, error)) {
      throw error;
    }
    return enterRepository(client, tenant.id, heading);
  });
  run.setErrorContext({ tenantId: tenant.id, entities: [chosen] });
  return { ...chosen, type };
}

/** Asks for a repository's id if there is no list to choose from. Reads the repository for its name. */
async function enterRepository(client: PlatformClient, tenantId: string, title: string): Promise<PlatformResource> {
  const prompt = vscode.l10n.t("This platform doesn't list repositories. Enter the ID or the address of a repository.");
  const repositoryId = await enterId(title, prompt);
  const { name } = await client.call(getRepository, { repositoryId });
  return { type: "repository", tenantId, id: repositoryId, name: name ?? repositoryId };
}

/** The resource that a row or a caller refers to; undefined if there is none. */
export function namedResource(argument: unknown): PlatformResource | undefined {
  const carried = z.safeParse(ofResource, argument);
  const named = z.safeParse(resource, argument);
  return carried.success ? carried.data.resource : named.data;
}

/** Lists and searches each type: on the platform if it supports that, otherwise among all items. */
export const resourceSearch: Readonly<
  Record<ChoosableType, (client: PlatformClient, tenantId: string, text: string, signal: AbortSignal) => Pages>
> = {
  async *design(client, tenantId, search, signal) {
    for await (const page of allDesigns(client, { search }, { signal })) {
      yield page.map(({ id, name, latestVersion }) =>
        resourceItem(
          { type: "design", tenantId, id, name: name ?? id },
          latestVersion === null || latestVersion === undefined ? undefined : versionLabel(latestVersion),
        ),
      );
    }
  },
  async *page(client, tenantId, text, signal) {
    const { places } = new PageHierarchy(await readPageTree(client, {}, { signal }));
    yield places
      .filter(({ node }) => contains(node.title, text))
      .map((place) => {
        const { id, title } = place.node;
        return resourceItem({ type: "page", tenantId, id, name: title }, ancestorsText(place) || undefined);
      });
  },
  async *repository(client, tenantId, name, signal) {
    for await (const page of allRepositories(client, name === "" ? {} : { name }, { signal })) {
      yield page.flatMap(({ id, name: own }) =>
        isKnownId(id) ? [resourceItem({ type: "repository", tenantId, id, name: own ?? id })] : [],
      );
    }
  },
  async *workflow(client, tenantId, text, signal) {
    const workflows = await client.call(listWorkflows, {}, { signal });
    yield workflows
      .flatMap(({ id, name }) =>
        isKnownId(id) ? [resourceItem({ type: "workflow", tenantId, id, name: name ?? id })] : [],
      )
      .filter(({ label }) => contains(label, text));
  },
};

/** False for an entry without an id, which can't be chosen. */
function isKnownId(id: string | null | undefined): id is string {
  return id !== null && id !== undefined;
}

/** A resource as a choice, with the icon of its type. */
export function resourceItem(value: PlatformResource, description?: string): SearchItem<PlatformResource> {
  return {
    label: value.name,
    iconPath: new vscode.ThemeIcon(resourceIcons[value.type]),
    ...(description === undefined ? {} : { description }),
    value,
  };
}

function contains(name: string, text: string): boolean {
  return name.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}

function wordsOf(type: ChoosableType): { readonly placeholder: string; readonly nothingFits: string } {
  switch (type) {
    case "design":
      return {
        placeholder: vscode.l10n.t("Search app designs by name"),
        nothingFits: vscode.l10n.t("No matching app designs"),
      };
    case "page":
      return { placeholder: vscode.l10n.t("Search pages by name"), nothingFits: vscode.l10n.t("No matching pages") };
    case "repository":
      return {
        placeholder: vscode.l10n.t("Search repositories by name"),
        nothingFits: vscode.l10n.t("No matching repositories"),
      };
    case "workflow":
      return {
        placeholder: vscode.l10n.t("Search workflows by name"),
        nothingFits: vscode.l10n.t("No matching workflows"),
      };
  }
}
