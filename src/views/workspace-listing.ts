import type { Workspace } from "../api/models/workspaces.ts";
import { searchWorkspaces } from "../api/operations/workspaces.ts";
import type { PlatformClient } from "../api/workspaces.ts";

export const pageSize = 50;

/** What is known of a tenant's workspaces. What was listed before stays while it is read again, or when that fails. */
export type ListingState =
  | { readonly type: "unread" }
  | { readonly type: "loading"; readonly rows: readonly Workspace[] }
  | { readonly type: "failed"; readonly error: unknown; readonly rows: readonly Workspace[] }
  | {
      readonly type: "ready";
      readonly rows: readonly Workspace[];
      readonly hasMore: boolean;
      /** How many there are, where the platform tells. */
      readonly total: number | undefined;
    };

export interface ListingOptions {
  readonly connect: () => Promise<PlatformClient>;
  readonly onChange: () => void;
}

/** One tenant's workspaces, a page of 50 at a time, filtered by the server. */
export class WorkspaceListing {
  readonly #options: ListingOptions;
  #state: ListingState = { type: "unread" };
  #filter = "";
  /** Offset of the next page as the platform counts, not as rows are shown: pages can overlap. */
  #offset = 0;
  #generation = 0;
  #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  get state(): ListingState {
    return this.#state;
  }

  get rows(): readonly Workspace[] {
    return this.#state.type === "unread" ? [] : this.#state.rows;
  }

  /** Reads the first page unless it was read or is being read. */
  ensure(filter: string): Promise<void> {
    return this.#state.type === "unread" || filter !== this.#filter
      ? this.refresh(filter)
      : (this.#running ?? Promise.resolve());
  }

  /** Reads again what is shown: as many pages as it had. */
  refresh(filter: string): Promise<void> {
    const keepsRows = filter === this.#filter;
    const wanted = keepsRows ? Math.max(this.#offset, pageSize) : pageSize;
    const generation = this.#begin();
    this.#filter = filter;
    this.#set({ type: "loading", rows: keepsRows ? this.rows : [] });
    return this.#track(generation, async (client, signal) => {
      let rows: readonly Workspace[] = [];
      let offset = 0;
      for (;;) {
        const page = await this.#page(client, offset, signal);
        rows = merged(rows, page.rows);
        offset += page.rows.length;
        if (!page.hasMore || offset >= wanted) {
          return { rows, offset, hasMore: page.hasMore, total: page.total };
        }
      }
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
    return this.#track(generation, async (client, signal) => {
      const page = await this.#page(client, this.#offset, signal);
      return {
        rows: merged(rows, page.rows),
        offset: this.#offset + page.rows.length,
        hasMore: page.hasMore,
        total: page.total,
      };
    });
  }

  /** Takes one workspace as it was just read. True when it is one of the shown. */
  replace(workspace: Workspace): boolean {
    const index = this.rows.findIndex((row) => row.id === workspace.id);
    if (index < 0 || this.#state.type === "unread") {
      return false;
    }
    this.#state = { ...this.#state, rows: this.rows.with(index, workspace) };
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

  #track(
    generation: number,
    read: (
      client: PlatformClient,
      signal: AbortSignal,
    ) => Promise<{
      readonly rows: readonly Workspace[];
      readonly offset: number;
      readonly hasMore: boolean;
      readonly total: number | undefined;
    }>,
  ): Promise<void> {
    const { signal } = this.#abort;
    const running = (async () => {
      try {
        const { rows, offset, hasMore, total } = await read(await this.#options.connect(), signal);
        if (generation === this.#generation) {
          this.#offset = offset;
          this.#set({ type: "ready", rows, hasMore, total });
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

  async #page(
    client: PlatformClient,
    offset: number,
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly Workspace[]; readonly hasMore: boolean; readonly total: number | undefined }> {
    const searchFieldMap: Record<string, string> = this.#filter === "" ? {} : { NAME: this.#filter };
    const { workspaces, pageContext } = await client.call(
      searchWorkspaces,
      { body: { limit: pageSize, offset, searchFieldMap } },
      { signal },
    );
    const total = pageContext?.totalCount ?? undefined;
    const end = offset + workspaces.length;
    const hasMore = workspaces.length > 0 && (total === undefined ? workspaces.length >= pageSize : end < total);
    return { rows: workspaces, hasMore, total };
  }

  #set(state: ListingState): void {
    this.#state = state;
    this.#options.onChange();
  }
}

/** The platform's pages overlap when something runs meanwhile: a workspace comes once. */
function merged(shown: readonly Workspace[], page: readonly Workspace[]): readonly Workspace[] {
  const ids = new Set(shown.map(({ id }) => id));
  return [...shown, ...page.filter(({ id }) => !ids.has(id))];
}
