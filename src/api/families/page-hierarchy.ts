import type { PageNode } from "./pages.ts";

/** A page at its place: the pages above it, from the top, and those beside it, itself among them. */
export interface PlacedPage {
  readonly node: PageNode;
  readonly above: readonly PageNode[];
  readonly siblings: readonly PageNode[];
}

/** The page hierarchy as it was read, for questions about places. */
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

  /** All places, each page before those below it. */
  get places(): readonly PlacedPage[] {
    return [...this.#places.values()];
  }

  place(id: string): PlacedPage | undefined {
    return this.#places.get(id);
  }

  /** The page right above; undefined at the top. */
  parentOf(id: string): PageNode | undefined {
    return this.#places.get(id)?.above.at(-1);
  }

  /** True for the page itself and all below it. */
  isWithin(id: string, ancestorId: string): boolean {
    return id === ancestorId || this.#places.get(id)?.above.some((node) => node.id === ancestorId) === true;
  }

  /** Without those that another one of them lies above: they go where it goes. */
  outermost(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => !ids.some((other) => other !== id && this.isWithin(id, other)));
  }

  #take(nodes: readonly PageNode[], above: readonly PageNode[]): void {
    for (const node of nodes) {
      // A page that stands twice counts where it stands first.
      if (!this.#places.has(node.id)) {
        this.#places.set(node.id, { node, above, siblings: nodes });
        this.#take(node.children, [...above, node]);
      }
    }
  }
}

/** Ids in their new order, with the moved ones, in the order they had, right before or after another one. */
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

/** The pages that a text is in the title of, below those above them; all of a hierarchy for the empty text. */
export interface FoundPage {
  readonly node: PageNode;
  /** False for one that shows only because of what is below it. */
  readonly fits: boolean;
  /** What was found below it. */
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
