import * as vscode from "vscode";
import * as z from "zod/mini";
import type { PlatformClient } from "../../api/client/client.ts";
import { ancestorsText, PageHierarchy, type PlacedPage } from "../../api/families/pages/page-hierarchy.ts";
import type { PageNode } from "../../api/families/pages/page-tree.ts";
import { readPageTree } from "../../api/families/pages/pages.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { chooseResource, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { type PlatformResource, resource } from "../../ui/resources/resource.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";

export interface PageCommandParts extends ResourceChoiceParts {
  readonly trees: TreesOf<"pages">;
}

/** The page that a command applies to. */
export interface ChosenPage {
  readonly tenantId: string;
  readonly client: PlatformClient;
  readonly id: string;
  readonly name: string;
}

/** The pages that a command applies to, with their current positions in the hierarchy. */
export interface ChosenPages {
  readonly tenantId: string;
  readonly client: PlatformClient;
  readonly hierarchy: PageHierarchy;
  readonly pages: readonly [PlacedPage, ...PlacedPage[]];
}

const ofPage = z.looseObject({ page: resource });

/**
 * The page of a row (a page, or a row below it), or the one that the user picks. Throws a CancellationError if
 * canceled.
 */
export async function choosePage(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenPage> {
  const below = z.safeParse(ofPage, argument);
  const { tenantId, id, name } = await chooseResource(parts, run, below.success ? below.data.page : argument, {
    type: "page",
    title,
  });
  return { tenantId, id, name, client: await parts.connections.platform(tenantId) };
}

/** The selected pages, the page of the row, or the one that the user picks. Reads their positions again. */
export async function choosePages(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  selection: readonly unknown[],
  title: string,
): Promise<ChosenPages> {
  const selected = selection.flatMap((row) => pageOf(row) ?? []);
  const [first] = selected;
  if (selected.some(({ tenantId }) => tenantId !== first?.tenantId)) {
    throw new Error(vscode.l10n.t("The selected pages belong to several tenants. Select those of one tenant."));
  }
  if (first !== undefined) {
    return placedPages(parts, run, first.tenantId, selected);
  }
  const { tenantId, id, name } = await choosePage(parts, run, argument, title);
  return placedPages(parts, run, tenantId, [{ type: "page", tenantId, id, name }]);
}

/** The pages of a tenant with their current positions in the hierarchy. Throws for a page that no longer exists. */
export async function placedPages(
  { connections }: ResourceChoiceParts,
  run: CommandRun,
  tenantId: string,
  resources: readonly PlatformResource[],
): Promise<ChosenPages> {
  run.setErrorContext({ tenantId, entities: resources });
  const client = await connections.platform(tenantId);
  const hierarchy = new PageHierarchy(await readPageTree(client));
  const placed = resources.map(({ id, name }) => {
    const place = hierarchy.place(id);
    if (place === undefined) {
      throw new Error(vscode.l10n.t("{0} is no longer in the page hierarchy. Refresh the Pages view.", name));
    }
    return place;
  });
  const [first, ...others] = placed;
  if (first === undefined) {
    throw new vscode.CancellationError();
  }
  return { tenantId, client, hierarchy, pages: [first, ...others] };
}

function pageOf(row: unknown): PlatformResource | undefined {
  const named = namedResource(row);
  return named?.type === "page" ? named : undefined;
}

/** Asks for any page except the excluded ones, or for the top level if that is allowed. */
export async function pickPlace(
  hierarchy: PageHierarchy,
  title: string,
  options: { readonly withTop: boolean; readonly isPossible: (page: PlacedPage) => boolean },
): Promise<PageNode | "top"> {
  interface Item extends vscode.QuickPickItem {
    readonly place: PageNode | "top";
  }
  const pages = hierarchy.places.filter(options.isPossible).map(
    (place): Item => ({
      label: place.node.title,
      description: ancestorsText(place),
      iconPath: new vscode.ThemeIcon("browser"),
      place: place.node,
    }),
  );
  const top: Item = {
    label: vscode.l10n.t("Top of the Hierarchy"),
    iconPath: new vscode.ThemeIcon("home"),
    place: "top",
  };
  const chosen = await pickItem(options.withTop ? [top, ...pages] : pages, {
    title,
    placeHolder: vscode.l10n.t("Search pages by name"),
    matchOnDescription: true,
  });
  return chosen.place;
}

/** "Germany", or "3 pages". */
export function pagesText(pages: readonly PlacedPage[]): string {
  const [first, ...others] = pages;
  return first !== undefined && others.length === 0 ? first.node.title : vscode.l10n.t("{0} pages", pages.length);
}

/** Each page with its ancestors, for a confirmation. */
export function pageLines(pages: readonly PlacedPage[]): readonly string[] {
  return pages.map((place) => [ancestorsText(place), place.node.title].filter((text) => text !== "").join(" / "));
}
