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

/** A page in the admin summary. */
export function summaryShape(page: PageState, { pages }: PagesState): Shape {
  const parent = pages.find(({ id }) => id === page.parentId);
  let top = page;
  for (let above = parent; above !== undefined; above = pages.find(({ id }) => id === top.parentId)) {
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

/** The pages below a page, or at the top level, with their descendants. */
export function navigationShape(
  state: PagesState,
  collectionsOf: (pageId: number) => readonly unknown[],
  parentId: number | null = null,
  hierarchy = 0,
): readonly Shape[] {
  return state.pages
    .filter((page) => page.parentId === parentId)
    .map((page) => {
      const children = navigationShape(state, collectionsOf, page.id, hierarchy + 1);
      const owner = page.owners.find(({ type }) => type === "USER");
      return {
        id: String(page.id),
        title: page.title,
        type: "page",
        subType: null,
        href: `/page/${page.id}`,
        parent: parentId === null ? null : String(parentId),
        hierarchy,
        children,
        childCount: children.length,
        owner: owner?.id ?? null,
        ownerName: owner === undefined ? null : personOf(owner.id).name,
        owners: page.owners.map(ownerShape),
        collections: collectionsOf(page.id),
        locked: page.locked,
        hasAccess: true,
        isOwner: isOwn(page),
        pageVisible: true,
        sharedView: false,
        virtualPage: false,
      };
    });
}

/** A filter view in a page's list. */
export function viewShape({ id, name, scope, isDefault }: FilterViewState): Shape {
  return { analyzerId: id, name, type: "NAMED", scope, ownerId: String(userId), isDefault, order: null };
}

/** A single filter view. */
export function wholeViewShape(view: FilterViewState): Shape {
  return { ...view.settings, ...viewShape(view), pageUrn: String(view.pageId) };
}
