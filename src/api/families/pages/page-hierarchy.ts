import type { PageNode } from "./page-tree.ts";

/** A page in the hierarchy, with its parent, and its siblings including itself. */
export interface PlacedPage {
  readonly node: PageNode;
  /** Undefined at the top level. */
  readonly parent: PlacedPage | undefined;
  readonly siblings: readonly PageNode[];
}

/** Maximum number of ancestors in the path of a page, so that the paths of all pages stay short. */
const maxShownAncestors = 20;

/** The titles of the ancestors of a page, such as `Sales / Germany`; empty at the top level. */
export function ancestorsText({ parent }: PlacedPage): string {
  const titles: string[] = [];
  let place = parent;
  for (; place !== undefined && titles.length < maxShownAncestors; place = place.parent) {
    titles.unshift(place.node.title);
  }
  return (place === undefined ? titles : ["…", ...titles]).join(" / ");
}

/** Answers questions about the positions of pages in the hierarchy. */
export class PageHierarchy {
  readonly top: readonly PageNode[];
  readonly #places = new Map<string, PlacedPage>();

  constructor(top: readonly PageNode[]) {
    this.top = top;
    this.#take(top);
  }

  get size(): number {
    return this.#places.size;
  }

  /** All positions, each page before its descendants. */
  get places(): readonly PlacedPage[] {
    return [...this.#places.values()];
  }

  place(id: string): PlacedPage | undefined {
    return this.#places.get(id);
  }

  /** The parent of a page; undefined at the top level. */
  parentOf(id: string): PageNode | undefined {
    return this.#places.get(id)?.parent?.node;
  }

  /** True for the page itself and its descendants. */
  isWithin(id: string, ancestorId: string): boolean {
    return id === ancestorId || this.#hasAncestor(id, (ancestor) => ancestor === ancestorId);
  }

  /** Omits pages that are descendants of other given pages, because they move with them. */
  outermost(ids: readonly string[]): readonly string[] {
    const given = new Set(ids);
    return ids.filter((id) => !this.#hasAncestor(id, (ancestor) => given.has(ancestor)));
  }

  #hasAncestor(id: string, isMeant: (ancestorId: string) => boolean): boolean {
    for (let place = this.#places.get(id)?.parent; place !== undefined; place = place.parent) {
      if (isMeant(place.node.id)) {
        return true;
      }
    }
    return false;
  }

  #take(top: readonly PageNode[]): void {
    const places: PlacedPage[] = [];
    const enter = (siblings: readonly PageNode[], parent: PlacedPage | undefined): void => {
      for (const node of siblings.toReversed()) {
        places.push({ node, parent, siblings });
      }
    };
    enter(top, undefined);
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      // If a page occurs twice, its first position counts.
      if (!this.#places.has(place.node.id)) {
        this.#places.set(place.node.id, place);
        enter(place.node.children, place);
      }
    }
  }
}

/** Reorders ids: places the moved ones, in their previous order, directly before or after another id. */
export function reordered(
  ids: readonly string[],
  moved: readonly string[],
  { targetId, side }: { readonly targetId: string; readonly side: "before" | "after" },
): readonly string[] {
  const kept = ids.filter((id) => !moved.includes(id) || id === targetId);
  const inOrder = ids.filter((id) => moved.includes(id) && id !== targetId);
  const at = kept.indexOf(targetId) + (side === "after" ? 1 : 0);
  return [...kept.slice(0, at), ...inOrder, ...kept.slice(at)];
}

/**
 * A page in the results of a search by title. Results include ancestors. An empty search returns the entire hierarchy.
 */
export interface FoundPage {
  readonly node: PageNode;
  /** False for a page that is included only because a descendant matches. */
  readonly fits: boolean;
  /** The matching descendants. */
  readonly below: readonly FoundPage[];
}

export function foundPages(nodes: readonly PageNode[], text: string): readonly FoundPage[] {
  const wanted = text.toLocaleLowerCase();
  const found: FoundPage[] = [];
  const pending = nodes.map((node) => ({ node, siblings: found }));
  const visits: { readonly node: PageNode; readonly siblings: FoundPage[]; readonly below: FoundPage[] }[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const below: FoundPage[] = [];
    visits.push({ ...next, below });
    for (const node of next.node.children) {
      pending.push({ node, siblings: below });
    }
  }
  // Each page is after its descendants, and siblings are in their order.
  for (const { node, siblings, below } of visits.reverse()) {
    const fits = node.title.toLocaleLowerCase().includes(wanted);
    if (fits || below.length > 0) {
      siblings.push({ node, fits, below });
    }
  }
  return found;
}
