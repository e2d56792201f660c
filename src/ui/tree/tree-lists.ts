import type { PlatformClient } from "../../api/client/client.ts";
import type { Branch, TreeRow } from "./definition.ts";
import type { TreeElement } from "./elements.ts";
import { BranchListing } from "./listing.ts";

/** A list of a tree and its parent; undefined for a list at the top. */
export interface KnownList<Row extends TreeRow> {
  readonly tenantId: string;
  readonly listing: BranchListing<Row>;
  parent: TreeElement<Row> | undefined;
}

interface TreeListsOptions<Row extends TreeRow> {
  connect(tenantId: string): Promise<PlatformClient>;
  onChange(list: KnownList<Row>): void;
}

/** The lists of a tree that were shown. */
export class TreeLists<Row extends TreeRow> {
  readonly #options: TreeListsOptions<Row>;
  readonly #known = new Map<string, KnownList<Row>>();

  constructor(options: TreeListsOptions<Row>) {
    this.#options = options;
  }

  get all(): readonly KnownList<Row>[] {
    return [...this.#known.values()];
  }

  /** Returns the list of the branch and sets its parent. Reads nothing. */
  take(tenantId: string, branch: Branch<Row>, parent: TreeElement<Row> | undefined): KnownList<Row> {
    const key = keyOf(tenantId, branch.key);
    const known = this.#known.get(key);
    if (known !== undefined) {
      known.parent = parent;
      known.listing.renew(branch);
      return known;
    }
    const listing: BranchListing<Row> = new BranchListing({
      branch,
      connect: () => this.#options.connect(tenantId),
      onChange: () => {
        // A list that was discarded meanwhile no longer reports changes.
        if (this.#known.get(key) === list) {
          this.#options.onChange(list);
        }
      },
    });
    const list: KnownList<Row> = { tenantId, listing, parent };
    this.#known.set(key, list);
    return list;
  }

  find(tenantId: string, branchKey: string): KnownList<Row> | undefined {
    return this.#known.get(keyOf(tenantId, branchKey));
  }

  /** All rows of a tenant that were read, at any level. */
  rows(tenantId: string): readonly Row[] {
    return this.all.flatMap((list) => (list.tenantId === tenantId ? list.listing.rows : []));
  }

  /** Replaces a row in every list that contains it. */
  replace(row: Row): void {
    for (const { tenantId, listing } of this.#known.values()) {
      if (tenantId === row.tenantId) {
        listing.replace(row);
      }
    }
  }

  /** Discards the lists of these tenants. */
  forget(isMeant: (tenantId: string) => boolean): void {
    for (const [key, { tenantId, listing }] of this.#known) {
      if (isMeant(tenantId)) {
        listing.dispose();
        this.#known.delete(key);
      }
    }
  }

  dispose(): void {
    this.forget(() => true);
  }
}

/** Unambiguous, because tenant ids contain no slash. */
function keyOf(tenantId: string, branchKey: string): string {
  return `${tenantId}/${branchKey}`;
}

/** Milliseconds that the editor has to request the rows of a redrawn list, and the number of retries. */
const retryDelay = 2_000;
const mostRetries = 5;

type ShownList = Pick<KnownList<TreeRow>, "tenantId">;

/**
 * Repeats a redraw that the editor dropped. The editor can lose a redraw while it is busy with another one, so that a
 * list that was read still shows as loading. This class tracks what the editor last got for each list.
 */
export class TreeRefreshRetry {
  readonly #shownAsLoading = new Set<ShownList>();
  readonly #timers = new Map<ShownList, NodeJS.Timeout>();

  /** Called when the editor requested the list and got its current rows. */
  answered(list: ShownList, isLoading: boolean): void {
    clearTimeout(this.#timers.get(list));
    this.#timers.delete(list);
    if (isLoading) {
      this.#shownAsLoading.add(list);
    } else {
      this.#shownAsLoading.delete(list);
    }
  }

  /** Called when the list was read and `redraw` was called. Repeats `redraw` until the editor requests the list. */
  redrawn(list: ShownList, redraw: () => void, retries = mostRetries): void {
    if (!this.#shownAsLoading.has(list) || retries === 0) {
      return;
    }
    clearTimeout(this.#timers.get(list));
    const retry = (): void => {
      redraw();
      this.redrawn(list, redraw, retries - 1);
    };
    this.#timers.set(list, setTimeout(retry, retryDelay));
  }

  /** Stops retrying for the lists of these tenants; for all by default. */
  forget(isMeant: (tenantId: string) => boolean = () => true): void {
    for (const list of [...this.#shownAsLoading].filter(({ tenantId }) => isMeant(tenantId))) {
      this.answered(list, false);
    }
  }
}
