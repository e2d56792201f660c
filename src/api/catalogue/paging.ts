import { createHash } from "node:crypto";
import type { AnyOperation } from "./operation.ts";

/** A page as a server gave it, with the number of all items and the page's own offset where it named them. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total?: number | undefined;
  readonly offset?: number | undefined;
}

/** How the pages of a list are asked for. */
export interface PageSource<Item> {
  /** Items asked for at a time. */
  readonly pageSize: number;
  /** What tells two items apart; the whole item where it gives nothing. */
  keyOf(item: Item): string | number | null | undefined;
  fetch(offset: number): Promise<Page<Item>>;
}

/**
 * All items of a list, a page at a time; one that two pages name comes once. Holds no more than one page and the keys of
 * what came before it. Ends where the server's total is reached, without a total on a page that is short or brings
 * nothing new, and on a page that is another one than asked for.
 */
export async function* everyPage<Item>(source: PageSource<Item>): AsyncGenerator<readonly Item[]> {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const page = await source.fetch(offset);
    const { items, total } = page;
    const fresh = items.filter((item) => {
      const before = seen.size;
      return seen.add(keyText(source.keyOf(item), item)).size > before;
    });
    if (fresh.length > 0 || offset === 0) {
      yield fresh;
    }
    const isAskedFor = (page.offset ?? offset) === offset;
    offset += items.length;
    const isLast = total === undefined ? items.length < source.pageSize : offset >= total;
    if (isLast || items.length === 0 || (fresh.length === 0 && (total === undefined || !isAskedFor))) {
      return;
    }
  }
}

/** The number of items that an operation's pages have by default. */
export function pageSizeOf(operation: AnyOperation): number {
  return operation.paging?.pageSize ?? 100;
}

function keyText(key: string | number | null | undefined, item: unknown): string {
  return key === undefined || key === null
    ? createHash("sha256").update(JSON.stringify(item)).digest("base64")
    : String(key);
}
