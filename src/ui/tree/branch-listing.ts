import type { PlatformClient } from "../../api/client/client.ts";
import type { Branch, TreeRow } from "./definition.ts";

/** What is known of a list. What was read before stays while it is read again, or when that fails. */
export type ListingState<Row> =
  | { readonly type: "unread" }
  | { readonly type: "loading"; readonly rows: readonly Row[] }
  | { readonly type: "failed"; readonly error: unknown; readonly rows: readonly Row[] }
  | {
      readonly type: "ready";
      readonly rows: readonly Row[];
      readonly hasMore: boolean;
      /** How many items there are, where the platform tells. */
      readonly total: number | undefined;
      /** It may be another one on the platform now: read again at the next look. */
      readonly isStale: boolean;
    };

export interface ListingOptions<Row> {
  readonly branch: Branch<Row>;
  readonly connect: () => Promise<PlatformClient>;
  readonly onChange: () => void;
}

interface Read<Row> {
  readonly rows: readonly Row[];
  readonly offset: number;
  readonly hasMore: boolean;
  readonly total: number | undefined;
}

/** One list of a tree, read a page at a time and filtered by whoever reads it. */
export class BranchListing<Row extends TreeRow> {
  readonly #options: ListingOptions<Row>;
  #branch: Branch<Row>;
  #state: ListingState<Row> = { type: "unread" };
  #filter = "";
  /** Offset of the next page as the platform counts, not as rows are shown: pages can overlap. */
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

  /** Reads by this branch of the same key from now on: what it stands on may be newer. */
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

  /** Reads it unless it was read with this filter, or is being read. */
  ensure(filter: string): Promise<void> {
    const isStale = this.#state.type === "ready" && this.#state.isStale;
    return this.#state.type === "unread" || isStale || filter !== this.#filter
      ? this.refresh(filter)
      : (this.#running ?? Promise.resolve());
  }

  /** What was read does not count any more; the rows stay in sight until it is read again. */
  invalidate(): void {
    if (this.#state.type === "ready") {
      this.#state = { ...this.#state, isStale: true };
    } else if (this.#state.type === "failed") {
      this.#state = { type: "ready", rows: this.#state.rows, hasMore: false, total: undefined, isStale: true };
    }
  }

  /** Reads again what is shown: as many pages as it had. */
  refresh(filter: string = this.#filter): Promise<void> {
    const { pageSize } = this.branch;
    const keepsRows = filter === this.#filter;
    const wanted = keepsRows ? Math.max(this.#offset, pageSize) : pageSize;
    const generation = this.#begin();
    this.#filter = filter;
    this.#set({ type: "loading", rows: keepsRows ? this.rows : [] });
    return this.#track(generation, async (client, signal) => {
      let read: Read<Row> = { rows: [], offset: 0, hasMore: true, total: undefined };
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
    return this.#track(generation, (client, signal) =>
      this.#next(client, { rows, offset: this.#offset, hasMore: true, total: undefined }, signal),
    );
  }

  /** Takes one row as it is now. True when it is one of the list. */
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
        const { rows, offset, hasMore, total } = await read(await this.#options.connect(), signal);
        if (generation === this.#generation) {
          this.#offset = offset;
          this.#set({ type: "ready", rows, hasMore, total, isStale: false });
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
    const { rows, taken, hasMore, total } = await this.branch.read({
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
    };
  }

  #set(state: ListingState<Row>): void {
    this.#state = state;
    this.#options.onChange();
  }
}

/** The platform's pages overlap when something changes meanwhile: a row comes once. */
function merged<Row extends TreeRow>(shown: readonly Row[], page: readonly Row[]): readonly Row[] {
  const keys = new Set(shown.map(({ key }) => key));
  return [...shown, ...page.filter(({ key }) => !keys.has(key))];
}
