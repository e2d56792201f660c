import { createHash } from "node:crypto";
import type { AnyOperation } from "./operation.ts";

/** A page of a list, with the total number of items and the page's offset if the server returned them. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total?: number | undefined;
  readonly offset?: number | undefined;
}

/** How to request the pages of a list. */
export interface PageSource<Item> {
  /** Number of items per request. */
  readonly pageSize: number;
  /** The identity of an item. Without one, the entire item is compared. */
  keyOf(item: Item): string | number | null | undefined;
  fetch(offset: number): Promise<Page<Item>>;
}

/**
 * All items of a list, page by page, without duplicates. Keeps only one page and the keys of the previous items in
 * memory. Ends when the server's total is reached, or at a page other than the requested one. Without a total, ends at
 * a page that is short or has no new items.
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

/** An operation's default number of items per page. */
export function pageSizeOf(operation: AnyOperation): number {
  return operation.paging?.pageSize ?? 100;
}

function keyText(key: string | number | null | undefined, item: unknown): string {
  return key === undefined || key === null
    ? createHash("sha256").update(JSON.stringify(item)).digest("base64")
    : String(key);
}
