import type { PlatformClient } from "../../api/client/client.ts";
import type { Branch, PageRequest, TreeRow } from "./definition.ts";

/** The state of a list. Its rows stay visible while it is read again, even if that fails. */
type ListingState<Row> =
  | { readonly type: "unread" }
  | { readonly type: "loading"; readonly rows: readonly Row[] }
  | { readonly type: "failed"; readonly error: unknown; readonly rows: readonly Row[] }
  | {
      readonly type: "ready";
      readonly rows: readonly Row[];
      readonly hasMore: boolean;
      /** The total number of items, if the platform reports it. */
      readonly total: number | undefined;
      readonly remark: string | undefined;
      /** The list may have changed on the platform: it is read again the next time it is shown. */
      readonly isStale: boolean;
    };

interface ListingOptions<Row> {
  readonly branch: Branch<Row>;
  readonly connect: () => Promise<PlatformClient>;
  readonly onChange: () => void;
}

interface Read<Row> {
  readonly rows: readonly Row[];
  readonly offset: number;
  readonly hasMore: boolean;
  readonly total: number | undefined;
  readonly remark: string | undefined;
}

/** A list of a tree, read page by page. The filter is applied by the branch. */
export class BranchListing<Row extends TreeRow> {
  readonly #options: ListingOptions<Row>;
  #branch: Branch<Row>;
  #state: ListingState<Row> = { type: "unread" };
  #filter = "";
  /** Offset of the next page in the platform's items, not in rows: pages can overlap. */
  #offset = 0;
  #generation = 0;
  #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ListingOptions<Row>) {
    this.#options = options;
    this.#branch = options.branch;
  }

  get branch(): Branch<Row> {
    return this.#branch;
  }

  /** Replaces the branch with one of the same key, which may have been created from a newer row. */
  renew(branch: Branch<Row>): void {
    this.#branch = branch;
  }

  get state(): ListingState<Row> {
    return this.#state;
  }

  get filter(): string {
    return this.#filter;
  }

  get rows(): readonly Row[] {
    return this.#state.type === "unread" ? [] : this.#state.rows;
  }

  /** Reads the list unless it was, or is being, read with this filter. */
  ensure(filter: string): Promise<void> {
    const isStale = this.#state.type === "ready" && this.#state.isStale;
    return this.#state.type === "unread" || isStale || filter !== this.#filter
      ? this.refresh(filter)
      : (this.#running ?? Promise.resolve());
  }

  /** Marks the list as stale; its rows stay visible until it is read again. */
  invalidate(): void {
    if (this.#state.type === "ready") {
      this.#state = { ...this.#state, isStale: true };
    } else if (this.#state.type === "failed") {
      const { rows } = this.#state;
      this.#state = { type: "ready", rows, hasMore: false, total: undefined, remark: undefined, isStale: true };
    }
  }

  /** Reads the list again, with the same number of pages. */
  refresh(filter: string = this.#filter): Promise<void> {
    const { pageSize } = this.branch;
    const keepsRows = filter === this.#filter;
    const wanted = keepsRows ? Math.max(this.#offset, pageSize) : pageSize;
    const generation = this.#begin();
    this.#filter = filter;
    this.#set({ type: "loading", rows: keepsRows ? this.rows : [] });
    return this.#track(generation, async (client, signal) => {
      let read = startingWith<Row>([], 0);
      do {
        read = await this.#next(client, read, signal);
      } while (read.hasMore && read.offset < wanted);
      return read;
    });
  }

  /** Adds the next page. */
  more(): Promise<void> {
    if (this.#state.type === "loading") {
      return this.#running ?? Promise.resolve();
    }
    const generation = this.#begin();
    const { rows } = this;
    this.#set({ type: "loading", rows });
    return this.#track(generation, (client, signal) => this.#next(client, startingWith(rows, this.#offset), signal));
  }

  /** Replaces a row with a newer version. Returns true if the list has the row. */
  replace(row: Row): boolean {
    const index = this.rows.findIndex(({ key }) => key === row.key);
    if (index < 0 || this.#state.type === "unread") {
      return false;
    }
    this.#state = { ...this.#state, rows: this.rows.with(index, row) };
    return true;
  }

  dispose(): void {
    this.#begin();
  }

  #begin(): number {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#generation += 1;
    return this.#generation;
  }

  #track(generation: number, read: (client: PlatformClient, signal: AbortSignal) => Promise<Read<Row>>): Promise<void> {
    const { signal } = this.#abort;
    const running = (async () => {
      try {
        const { rows, offset, hasMore, total, remark } = await read(await this.#options.connect(), signal);
        if (generation === this.#generation) {
          this.#offset = offset;
          this.#set({ type: "ready", rows, hasMore, total, remark, isStale: false });
        }
      } catch (error) {
        if (generation === this.#generation) {
          this.#set({ type: "failed", error, rows: this.rows });
        }
      }
    })();
    this.#running = running;
    return running;
  }

  async #next(client: PlatformClient, before: Read<Row>, signal: AbortSignal): Promise<Read<Row>> {
    const { rows, taken, hasMore, total, remark } = await this.branch.read({
      client,
      filter: this.#filter,
      offset: before.offset,
      signal,
    });
    return {
      rows: merged(before.rows, rows),
      offset: before.offset + (taken ?? rows.length),
      hasMore,
      total,
      remark,
    };
  }

  #set(state: ListingState<Row>): void {
    this.#state = state;
    this.#options.onChange();
  }
}

function startingWith<Row>(rows: readonly Row[], offset: number): Read<Row> {
  return { rows, offset, hasMore: true, total: undefined, remark: undefined };
}

/** Pages overlap if something changes between reads, so keep each row only once. */
function merged<Row extends TreeRow>(shown: readonly Row[], page: readonly Row[]): readonly Row[] {
  const keys = new Set(shown.map(({ key }) => key));
  return [...shown, ...page.filter(({ key }) => !keys.has(key))];
}

/** A page of a list that was read as a whole. */
export interface ListPart<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly hasMore: boolean;
}

/**
 * Lists that the platform returns in one response and that are shown page by page. Only the first page sends a request.
 */
export class WholeLists<Item> {
  readonly #pageSize: number;
  readonly #mostLists: number;
  readonly #lists = new Map<string, readonly Item[]>();

  /** Keeps at most `mostLists` lists, the most recently read. */
  constructor(pageSize: number, mostLists: number) {
    this.#pageSize = pageSize;
    this.#mostLists = mostLists;
  }

  /** A page of the list; the first page reads the list again. `fits` is the filter. */
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
