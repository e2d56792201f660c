import { LRUCache } from "lru-cache";
import type { PlatformClient } from "../../api/client/client.ts";
import { walkConcurrency } from "../../api/content-server/concurrency.ts";
import { LatestRequest } from "../../api/latest-request.ts";
import { unknownId } from "../resources/resource.ts";
import type { Branch, BranchPage, PageRequest, TreeRow } from "./definition.ts";

/** The state of a list. Its rows stay visible while it is read again, even if that fails. */
type ListingState<Row> =
  | { readonly type: "unread" }
  | {
      readonly type: "loading";
      readonly rows: readonly Row[];
      /** True if the rows include some that were just read, but not shown. */
      readonly hasNewRows?: boolean;
    }
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

/** Maximum number of items that are added at once. A server could claim to have more forever. */
const maxAdded = 20_000;

interface ListingOptions<Row> {
  readonly branch: Branch<Row>;
  readonly connect: () => Promise<PlatformClient>;
  readonly onChange: () => void;
}

/** Rows of several pages. Pages overlap if something changes between reads, so it has each row only once. */
class CollectedRows<Row extends TreeRow> {
  readonly rows: Row[] = [];
  readonly #keys = new Set<string>();

  constructor(rows: readonly Row[] = []) {
    this.add(rows);
  }

  add(page: readonly Row[]): this {
    for (const row of page) {
      // Rows without an id aren't the same row, and the editor rejects rows with the same key.
      const own = row.key.endsWith(`/${unknownId}`) ? { ...row, key: `${row.key}${this.rows.length}` } : row;
      if (!this.#keys.has(own.key)) {
        this.#keys.add(own.key);
        this.rows.push(own);
      }
    }
    return this;
  }
}

/** What was read so far. Reads that follow each other share the collected rows. */
interface Read<Row extends TreeRow> {
  readonly collected: CollectedRows<Row>;
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
  readonly #reads = new LatestRequest();
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

  /**
   * Reads the list again, with the same number of pages. Shows the first page as soon as it is read, and then reads the
   * others, five at a time.
   */
  refresh(filter: string = this.#filter): Promise<void> {
    const { pageSize } = this.branch;
    const keepsRows = filter === this.#filter;
    const wanted = keepsRows ? Math.max(this.#offset, pageSize) : pageSize;
    const signal = this.#reads.begin();
    this.#filter = filter;
    const before = keepsRows ? this.rows : [];
    this.#set({ type: "loading", rows: before });
    return this.#track(signal, async (client) => {
      const first = await this.#next(client, startingWith<Row>([], 0), signal);
      if (!first.hasMore || first.offset >= wanted) {
        return first;
      }
      if (!signal.aborted) {
        const { rows } = new CollectedRows(first.collected.rows).add(before);
        this.#set({ type: "loading", rows, hasNewRows: true });
      }
      return this.#upTo(wanted, client, first, signal);
    });
  }

  /** Reads a list that failed again, with the same number of pages. Its error stays visible until that works. */
  readAgain(): Promise<void> {
    if (this.#state.type !== "failed") {
      return this.#running ?? Promise.resolve();
    }
    const wanted = Math.max(this.#offset, this.branch.pageSize);
    const signal = this.#reads.begin();
    return this.#track(signal, (client) => this.#upTo(wanted, client, startingWith<Row>([], 0), signal));
  }

  /** Reads the first rows again, this many or some more, and keeps the others. For a list of which few rows change. */
  refreshFirst(count: number): Promise<void> {
    const { state } = this;
    if (state.type !== "ready") {
      return this.refresh();
    }
    const [before, offset] = [state.rows, this.#offset];
    const signal = this.#reads.begin();
    this.#set({ type: "loading", rows: before });
    return this.#track(signal, async (client) => {
      const read = await this.#upTo(count, client, startingWith<Row>([], 0), signal);
      const { rows } = read.collected;
      const places = new Map(before.map(({ key }, index) => [key, index]));
      const last = rows.findLast(({ key }) => places.has(key));
      if (!read.hasMore || last === undefined) {
        return this.#upTo(offset, client, read, signal);
      }
      const replaced = (places.get(last.key) ?? 0) + 1;
      const moved = rows.length - replaced;
      read.collected.add(before.slice(replaced));
      return { ...read, offset: offset + moved, hasMore: state.hasMore };
    });
  }

  /** Adds the next page. */
  more(): Promise<void> {
    if (this.#state.type === "loading") {
      return this.#running ?? Promise.resolve();
    }
    const signal = this.#reads.begin();
    const { rows } = this;
    this.#set({ type: "loading", rows });
    return this.#track(signal, (client) => this.#next(client, startingWith(rows, this.#offset), signal));
  }

  /**
   * Adds all remaining pages, five at a time, and calls `onRead` after each five. Keeps the rows that were read if it
   * fails, or if the signal is aborted.
   */
  all(signal: AbortSignal, onRead: (shown: number, total: number | undefined) => void): Promise<void> {
    const { state } = this;
    if (state.type === "loading") {
      return this.#running ?? Promise.resolve();
    }
    const ownSignal = this.#reads.begin();
    const total = state.type === "ready" ? state.total : undefined;
    let read: Read<Row> = { ...startingWith(this.rows, this.#offset), total };
    this.#set({ type: "loading", rows: read.collected.rows });
    return this.#track(ownSignal, async (client) => {
      const either = AbortSignal.any([signal, ownSignal]);
      try {
        return await this.#upTo(read.offset + maxAdded, client, read, either, (next) => {
          read = next;
          if (!ownSignal.aborted) {
            this.#offset = read.offset;
            this.#state = { type: "loading", rows: read.collected.rows };
            onRead(read.collected.rows.length, read.total);
          }
        });
      } catch (error) {
        if (!signal.aborted) {
          throw error;
        }
        return read;
      }
    });
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
    this.#reads.cancel();
  }

  #track(signal: AbortSignal, read: (client: PlatformClient) => Promise<Read<Row>>): Promise<void> {
    const running = (async () => {
      try {
        const { collected, offset, hasMore, total, remark } = await read(await this.#options.connect());
        if (!signal.aborted) {
          this.#offset = offset;
          this.#set({ type: "ready", rows: collected.rows, hasMore, total, remark, isStale: false });
        }
      } catch (error) {
        if (!signal.aborted && this.#state.type === "failed") {
          // It was read again, and is still shown as failed.
          this.#state = { ...this.#state, error };
        } else if (!signal.aborted) {
          this.#set({ type: "failed", error, rows: this.rows });
        }
      }
    })();
    this.#running = running;
    return running;
  }

  async #next(client: PlatformClient, before: Read<Row>, signal: AbortSignal): Promise<Read<Row>> {
    return withPage(before, await this.#page(client, before.offset, signal));
  }

  /** Reads pages, five at a time, up to an offset or the end of the list. */
  async #upTo(
    end: number,
    client: PlatformClient,
    before: Read<Row>,
    signal: AbortSignal,
    onRead: (read: Read<Row>) => void = () => {},
  ): Promise<Read<Row>> {
    const { pageSize } = this.branch;
    let read = before;
    while (read.hasMore && read.offset < end) {
      const { offset } = read;
      const pages = Math.ceil((Math.min(end, read.total ?? end) - offset) / pageSize);
      const count = Math.max(1, Math.min(pages, walkConcurrency));
      const offsets = Array.from({ length: count }, (_, index) => offset + index * pageSize);
      for (const page of await Promise.all(offsets.map((at) => this.#page(client, at, signal)))) {
        read = withPage(read, page);
        // After a page of another size, the next page doesn't begin where it was expected.
        if (!read.hasMore || (page.itemCount ?? page.rows.length) !== pageSize) {
          break;
        }
      }
      if (read.offset === offset) {
        return { ...read, hasMore: false };
      }
      onRead(read);
    }
    return read;
  }

  #page(client: PlatformClient, offset: number, signal: AbortSignal): Promise<BranchPage<Row>> {
    return this.branch.read({ client, filter: this.#filter, offset, signal });
  }

  #set(state: ListingState<Row>): void {
    this.#state = state;
    this.#options.onChange();
  }
}

function startingWith<Row extends TreeRow>(rows: readonly Row[], offset: number): Read<Row> {
  return { collected: new CollectedRows(rows), offset, hasMore: true, total: undefined, remark: undefined };
}

function withPage<Row extends TreeRow>(before: Read<Row>, page: BranchPage<Row>): Read<Row> {
  const { rows, itemCount: taken, hasMore, total, remark } = page;
  const collected = before.collected.add(rows);
  return { collected, offset: before.offset + (taken ?? rows.length), hasMore, total, remark };
}

/** A page of a list that was read as a whole. */
export interface ListPart<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly hasMore: boolean;
}

interface WholeList<Item> {
  readonly all: readonly Item[];
  readonly filter: string;
  /** The items that match the filter. */
  readonly fitting: readonly Item[];
}

/**
 * Lists that the platform returns in one response and that are shown page by page. Only the first page sends a request.
 */
export class WholeLists<Item> {
  readonly #pageSize: number;
  readonly #lists: LRUCache<string, WholeList<Item>>;

  /** Keeps at most `maxLists` lists, the most recently used. */
  constructor(pageSize: number, maxLists: number) {
    this.#pageSize = pageSize;
    this.#lists = new LRUCache({ max: maxLists });
  }

  /** A page of the list; the first page reads the list again. `fits` is true for the items that match the filter. */
  async page(
    key: string,
    { offset, filter }: Pick<PageRequest, "offset" | "filter">,
    read: () => Promise<readonly Item[]>,
    fits: (item: Item) => boolean = () => true,
  ): Promise<ListPart<Item>> {
    const known = offset === 0 ? undefined : this.#lists.get(key);
    let list = known;
    if (list?.filter !== filter) {
      const all = known?.all ?? (await read());
      list = { all, filter, fitting: all.filter(fits) };
      this.#lists.set(key, list);
    }
    const { fitting } = list;
    const items = fitting.slice(offset, offset + this.#pageSize);
    return { items, total: fitting.length, hasMore: offset + items.length < fitting.length };
  }
}
