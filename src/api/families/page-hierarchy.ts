import type { PageNode } from "./pages.ts";

/** A page in the hierarchy, with its ancestors from the top down, and its siblings including itself. */
export interface PlacedPage {
  readonly node: PageNode;
  readonly above: readonly PageNode[];
  readonly siblings: readonly PageNode[];
}

/** Answers questions about the positions of pages in the hierarchy. */
export class PageHierarchy {
  readonly top: readonly PageNode[];
  readonly #places = new Map<string, PlacedPage>();

  constructor(top: readonly PageNode[]) {
    this.top = top;
    this.#take(top, []);
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
    return this.#places.get(id)?.above.at(-1);
  }

  /** True for the page itself and its descendants. */
  isWithin(id: string, ancestorId: string): boolean {
    return id === ancestorId || this.#places.get(id)?.above.some((node) => node.id === ancestorId) === true;
  }

  /** Omits pages that are descendants of other given pages, because they move with them. */
  outermost(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => !ids.some((other) => other !== id && this.isWithin(id, other)));
  }

  #take(nodes: readonly PageNode[], above: readonly PageNode[]): void {
    for (const node of nodes) {
      // If a page occurs twice, its first position counts.
      if (!this.#places.has(node.id)) {
        this.#places.set(node.id, { node, above, siblings: nodes });
        this.#take(node.children, [...above, node]);
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
  return nodes.flatMap((node): readonly FoundPage[] => {
    const below = foundPages(node.children, text);
    const fits = node.title.toLocaleLowerCase().includes(wanted);
    return fits || below.length > 0 ? [{ node, fits, below }] : [];
  });
}
