import * as vscode from "vscode";
import * as z from "zod/mini";
import { type PageHierarchy, type PlacedPage, reordered } from "../../api/families/pages/page-hierarchy.ts";
import type { PageNode } from "../../api/families/pages/page-tree.ts";
import { movePagesTo, setPageOrder } from "../../api/families/pages/pages.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { resource } from "../../ui/resources/resource.ts";
import { type ChosenPages, choosePages, type PageCommandParts, pagesText, pickPlace, placedPages } from "./choice.ts";
import type { PagesCommandId } from "./declarations.ts";
import { hierarchyKey } from "./rows/page.ts";

const dropped = z.looseObject({ pages: z.array(resource), target: z.optional(resource) });
/** The platform's id for the top level of the hierarchy. */
const topId = 0;

/** Commands that move pages within the hierarchy and change the order of siblings. */
export function pageMovingCommands(parts: PageCommandParts) {
  return {
    "platformWorkbench.movePages": async (run, argument, selection) => {
      const title = vscode.l10n.t("Move Page");
      const chosen = outermost(await choosePages(parts, run, argument, selection, title));
      const { hierarchy, pages } = chosen;
      const place = await pickPlace(hierarchy, vscode.l10n.t("Move {0} into a Page", pagesText(pages)), {
        withTop: pages.some(({ parent }) => parent !== undefined),
        isPossible: ({ node }) =>
          !pages.some((page) => hierarchy.isWithin(node.id, page.node.id)) &&
          pages.some((page) => page.parent?.node.id !== node.id),
      });
      await move(parts, chosen, place === "top" ? undefined : place);
    },
    "platformWorkbench.movePageUp": (run, argument, selection) => moveBeside(parts, run, argument, selection, -1),
    "platformWorkbench.movePageDown": (run, argument, selection) => moveBeside(parts, run, argument, selection, 1),
    "platformWorkbench.dropPages": (run, argument) => drop(parts, run, argument),
  } satisfies Partial<CommandHandlers<PagesCommandId>>;
}

/** Moves dropped pages into a page. For a sibling, asks for the position. */
async function drop(parts: PageCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const { pages, target } = z.parse(dropped, argument);
  const [first] = pages;
  if (first === undefined || (target !== undefined && target.tenantId !== first.tenantId)) {
    return;
  }
  if (pages.some(({ tenantId }) => tenantId !== first.tenantId)) {
    throw new Error(vscode.l10n.t("Can't move pages of several tenants together."));
  }
  const chosen = outermost(await placedPages(parts, run, first.tenantId, pages));
  const { hierarchy } = chosen;
  const place = target === undefined ? undefined : hierarchy.place(target.id);
  if (target === undefined) {
    await move(parts, chosen, undefined);
    return;
  }
  if (place === undefined || chosen.pages.some(({ node }) => node.id === target.id)) {
    return;
  }
  if (chosen.pages.some(({ node }) => hierarchy.isWithin(target.id, node.id))) {
    throw new Error(
      vscode.l10n.t(
        "Can't move {0} into {1}, because {1} is one of its subpages.",
        pagesText(chosen.pages),
        place.node.title,
      ),
    );
  }
  const parentId = place.parent?.node.id;
  if (chosen.pages.some(({ parent }) => parent?.node.id !== parentId)) {
    await move(parts, chosen, place.node);
    return;
  }
  const where = await askWhere(chosen.pages, place.node);
  await (where === "below" ? move(parts, chosen, place.node) : order(parts, chosen, place, where));
}

async function askWhere(pages: readonly PlacedPage[], { title }: PageNode): Promise<"before" | "after" | "below"> {
  const items = [
    { label: vscode.l10n.t("Before {0}", title), iconPath: new vscode.ThemeIcon("arrow-up"), where: "before" },
    { label: vscode.l10n.t("After {0}", title), iconPath: new vscode.ThemeIcon("arrow-down"), where: "after" },
    {
      label: vscode.l10n.t("Inside {0}, as a Subpage", title),
      iconPath: new vscode.ThemeIcon("indent"),
      where: "below",
    },
  ] as const;
  const chosen = await pickItem(items, {
    title: vscode.l10n.t("Move {0}", pagesText(pages)),
    placeHolder: vscode.l10n.t("Choose the new position"),
  });
  return chosen.where;
}

async function move(parts: PageCommandParts, chosen: ChosenPages, parent: PageNode | undefined): Promise<void> {
  const { client, tenantId, hierarchy } = chosen;
  const pages = chosen.pages.filter((page) => page.parent?.node.id !== parent?.id);
  const name = pagesText(pages);
  const place = parent?.title ?? vscode.l10n.t("the top of the hierarchy");
  if (pages.length === 0) {
    const message =
      parent === undefined
        ? vscode.l10n.t("{0} is already at the top of the hierarchy.", pagesText(chosen.pages))
        : vscode.l10n.t("{0} is already inside {1}.", pagesText(chosen.pages), place);
    void showInformation(message);
    return;
  }
  const pageIds = pages.map(({ node }) => node.id);
  await movePagesTo(client, { pageIds, ...(parent === undefined ? {} : { parentPageId: parent.id }) });
  await parts.trees.pages.refreshLists(tenantId, hierarchyKey);
  const message =
    parent === undefined
      ? vscode.l10n.t("Moved {0} to the top of the hierarchy.", name)
      : vscode.l10n.t("Moved {0} into {1}.", name, place);
  await offerUndo(parts, chosen.tenantId, message, () => moveBack(chosen, pages, hierarchy));
}

/** Moves pages back to their previous parents, in their previous order. */
async function moveBack(
  { client }: ChosenPages,
  pages: readonly PlacedPage[],
  hierarchy: PageHierarchy,
): Promise<void> {
  const byParent = Map.groupBy(pages, ({ parent }) => parent?.node.id);
  for (const [parentId, moved] of byParent) {
    const pageIds = moved.map(({ node }) => node.id);
    await movePagesTo(client, { pageIds, ...(parentId === undefined ? {} : { parentPageId: parentId }) });
  }
  const orders = [...byParent.keys()].map((parentId) => ({
    parentPageId: parentId ?? topId,
    pageIds: (parentId === undefined ? hierarchy.top : (hierarchy.place(parentId)?.node.children ?? [])).map(
      ({ id }) => id,
    ),
  }));
  await setPageOrder(client, orders);
}

/** Puts the pages before or after one of their siblings. */
async function order(
  parts: PageCommandParts,
  chosen: ChosenPages,
  target: PlacedPage,
  side: "before" | "after",
): Promise<void> {
  const { client, tenantId, pages } = chosen;
  const ids = target.siblings.map(({ id }) => id);
  const moved = pages.map(({ node }) => node.id);
  const pageIds = reordered(ids, moved, { targetId: target.node.id, side });
  if (pageIds.every((id, index) => id === ids[index])) {
    return;
  }
  const parentPageId = target.parent?.node.id ?? topId;
  await setPageOrder(client, [{ parentPageId, pageIds }]);
  await parts.trees.pages.refreshLists(tenantId, hierarchyKey);
  const message =
    side === "before"
      ? vscode.l10n.t("Moved {0} before {1}.", pagesText(pages), target.node.title)
      : vscode.l10n.t("Moved {0} after {1}.", pagesText(pages), target.node.title);
  await offerUndo(parts, tenantId, message, () => setPageOrder(client, [{ parentPageId, pageIds: ids }]));
}

/** Moves a page up or down by one among its siblings. */
async function moveBeside(
  parts: PageCommandParts,
  run: CommandRun,
  argument: unknown,
  selection: readonly unknown[],
  step: -1 | 1,
): Promise<void> {
  const title = step < 0 ? vscode.l10n.t("Move Page Up") : vscode.l10n.t("Move Page Down");
  const chosen = await choosePages(parts, run, argument, selection, title);
  const { hierarchy, pages } = chosen;
  const [{ node, parent, siblings }] = pages;
  if (pages.some((page) => page.parent?.node.id !== parent?.node.id)) {
    throw new Error(vscode.l10n.t("Only adjacent pages can be moved up or down together."));
  }
  const places = pages.map((page) => siblings.indexOf(page.node));
  const at = step < 0 ? Math.min(...places) - 1 : Math.max(...places) + 1;
  const neighbor = siblings[at];
  const target = neighbor === undefined ? undefined : hierarchy.place(neighbor.id);
  if (target === undefined) {
    const message =
      step < 0
        ? vscode.l10n.t("{0} is already first.", node.title)
        : vscode.l10n.t("{0} is already last.", pages.at(-1)?.node.title ?? node.title);
    void showInformation(message);
    return;
  }
  await order(parts, chosen, target, step < 0 ? "before" : "after");
}

function outermost(chosen: ChosenPages): ChosenPages {
  const ids = new Set(chosen.hierarchy.outermost(chosen.pages.map(({ node }) => node.id)));
  const [first, ...others] = chosen.pages.filter(({ node }) => ids.has(node.id));
  return first === undefined ? chosen : { ...chosen, pages: [first, ...others] };
}

async function offerUndo(
  parts: PageCommandParts,
  tenantId: string,
  message: string,
  undo: () => Promise<void>,
): Promise<void> {
  const label = vscode.l10n.t("Undo");
  if ((await showInformation(message, label)) === label) {
    await undo();
    await parts.trees.pages.refreshLists(tenantId, hierarchyKey);
  }
}
