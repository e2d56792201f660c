import { groupEntries, personOf, userId } from "../seed/organization.ts";
import type { FilterViewState, OwnerState, PageState, PagesState } from "../seed/pages.ts";

type Shape = Readonly<Record<string, unknown>>;

function ownerShape({ id, type }: OwnerState): Shape {
  const group = groupEntries().find((entry) => entry.id === id);
  return { id, type, displayName: type === "USER" ? personOf(id).name : (group?.name ?? `Group ${id}`) };
}

function isOwn(page: PageState): boolean {
  return page.owners.some(({ id, type }) => type === "USER" && id === userId);
}

/** A single page (API description, 4.7). */
export function pageShape(page: PageState): Shape {
  const { title } = page;
  return {
    pageId: page.id,
    pageName: title,
    title,
    type: "page",
    locked: page.locked,
    isOwner: isOwn(page),
    owners: page.owners.map(ownerShape),
    created: page.created,
    updated: page.updated,
    metadata: JSON.stringify({ title, pageTitle: title, type: "page" }),
    mobileEnabled: true,
    sharedViewPage: false,
    virtualPage: false,
  };
}

/** The users and groups that a page is shared with. Shares with domains are not listed. */
export function sharesShape({ shares }: PageState): Shape {
  const entries = (type: string, kind: OwnerState["type"]): readonly Shape[] =>
    shares
      .filter((share) => share.type === type)
      .map(({ id }) => {
        const { displayName } = ownerShape({ id: Number(id), type: kind });
        return kind === "USER" ? { id: Number(id), displayName } : { id: Number(id), name: displayName };
      });
  return { users: entries("user", "USER"), groups: entries("group", "GROUP") };
}

/** Pages in the admin summary. */
export function summaryShapes(found: readonly PageState[], { pages }: PagesState): readonly Shape[] {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const parentOf = ({ parentId }: PageState) => (parentId === null ? undefined : byId.get(parentId));
  return found.map((page) => summaryShape(page, parentOf));
}

function summaryShape(page: PageState, parentOf: (page: PageState) => PageState | undefined): Shape {
  const parent = parentOf(page);
  let top = page;
  for (let above = parent; above !== undefined; above = parentOf(above)) {
    top = above;
  }
  const owner = page.owners.find(({ type }) => type === "USER");
  return {
    pageId: page.id,
    pageTitle: page.title,
    parentPageId: page.parentId,
    parentPageTitle: parent?.title ?? null,
    topPageId: top.id,
    topPageTitle: top.title,
    ownerId: owner?.id ?? null,
    ownerName: owner === undefined ? null : personOf(owner.id).name,
    owners: page.owners.map(ownerShape),
    locked: page.locked,
    lastModified: page.updated,
    cardCount: page.cardIds.length,
  };
}

/** The page hierarchy as JSON: the pages at the top level, with their descendants. `JSON.stringify` can't nest as deep. */
export function navigationJson({ pages }: PagesState, collectionsOf: (pageId: number) => readonly unknown[]): string {
  const childrenOf = Map.groupBy(pages, ({ parentId }) => parentId);
  const parts = ["["];
  const levels = [{ pages: childrenOf.get(null) ?? [], next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const page = level.pages[level.next];
    if (page === undefined) {
      levels.pop();
      parts.push(levels.length === 0 ? "]" : "]}");
    } else {
      const children = childrenOf.get(page.id) ?? [];
      const fields = JSON.stringify(navigationShape(page, levels.length - 1, children.length, collectionsOf(page.id)));
      parts.push(level.next === 0 ? "" : ",", `${fields.slice(0, -1)},"children":[`);
      level.next += 1;
      levels.push({ pages: children, next: 0 });
    }
  }
  return parts.join("");
}

/** A page in the hierarchy, without its children. */
function navigationShape(
  page: PageState,
  hierarchy: number,
  childCount: number,
  collections: readonly unknown[],
): Shape {
  const owner = page.owners.find(({ type }) => type === "USER");
  return {
    id: String(page.id),
    title: page.title,
    type: "page",
    subType: null,
    href: `/page/${page.id}`,
    parent: page.parentId === null ? null : String(page.parentId),
    hierarchy,
    childCount,
    owner: owner?.id ?? null,
    ownerName: owner === undefined ? null : personOf(owner.id).name,
    owners: page.owners.map(ownerShape),
    collections,
    locked: page.locked,
    hasAccess: true,
    isOwner: isOwn(page),
    pageVisible: true,
    sharedView: false,
    virtualPage: false,
  };
}

/** A filter view in a page's list. */
export function viewShape({ id, name, scope, isDefault }: FilterViewState): Shape {
  return { analyzerId: id, name, type: "NAMED", scope, ownerId: String(userId), isDefault, order: null };
}

/** A single filter view. */
export function wholeViewShape(view: FilterViewState): Shape {
  return { ...view.settings, ...viewShape(view), pageUrn: String(view.pageId) };
}
