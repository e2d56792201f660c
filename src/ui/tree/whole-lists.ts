import type { PageRequest } from "./definition.ts";

/** A part of a list that the platform gives as a whole. */
export interface ListPart<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** Lists that the platform gives in one answer, shown a page at a time: further pages ask for nothing. */
export class WholeLists<Item> {
  readonly #pageSize: number;
  readonly #mostLists: number;
  readonly #lists = new Map<string, readonly Item[]>();

  /** Keeps at most that many lists, those that were read last. */
  constructor(pageSize: number, mostLists: number) {
    this.#pageSize = pageSize;
    this.#mostLists = mostLists;
  }

  /** The page that is asked for; the first one reads the list again. `fits` leaves out what the filter does not fit. */
  async page(
    key: string,
    { offset }: Pick<PageRequest, "offset">,
    read: () => Promise<readonly Item[]>,
    fits: (item: Item) => boolean = () => true,
  ): Promise<ListPart<Item>> {
    const kept = offset === 0 ? undefined : this.#lists.get(key);
    const all = kept ?? (await read());
    if (kept === undefined) {
      this.#keep(key, all);
    }
    const fitting = all.filter(fits);
    const items = fitting.slice(offset, offset + this.#pageSize);
    return { items, total: fitting.length, hasMore: offset + items.length < fitting.length };
  }

  #keep(key: string, list: readonly Item[]): void {
    this.#lists.delete(key);
    this.#lists.set(key, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > this.#mostLists && oldest !== undefined) {
      this.#lists.delete(oldest);
    }
  }
}
