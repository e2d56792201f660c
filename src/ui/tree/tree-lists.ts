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

/** The lists of a tree that were looked at. */
export class TreeLists<Row extends TreeRow> {
  readonly #options: TreeListsOptions<Row>;
  readonly #known = new Map<string, KnownList<Row>>();

  constructor(options: TreeListsOptions<Row>) {
    this.#options = options;
  }

  get all(): readonly KnownList<Row>[] {
    return [...this.#known.values()];
  }

  /** The list of that branch, below this parent from now on. Reads nothing. */
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
        // A list that was forgotten meanwhile no longer reports changes.
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

  /** Replaces a row in every list that has it. */
  replace(row: Row): void {
    for (const { tenantId, listing } of this.#known.values()) {
      if (tenantId === row.tenantId) {
        listing.replace(row);
      }
    }
  }

  /** Forgets the lists of these tenants. */
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

/** Unambiguous, as tenant ids contain no slash. */
function keyOf(tenantId: string, branchKey: string): string {
  return `${tenantId}/${branchKey}`;
}

/** Milliseconds that the editor has to ask for the rows of a redrawn list, and how often a redraw is repeated. */
const retryDelay = 2_000;
const mostRetries = 5;

type ShownList = Pick<KnownList<TreeRow>, "tenantId">;

/**
 * Repeats a redraw that the editor dropped. While it is busy with another one, the editor can lose a redraw: a list that
 * has been read then goes on showing as loading. This keeps track of what the editor was last given for each list.
 */
export class TreeRefreshRetry {
  readonly #shownAsLoading = new Set<ShownList>();
  readonly #timers = new Map<ShownList, NodeJS.Timeout>();

  /** The editor asked for the list and got its current rows. */
  answered(list: ShownList, isLoading: boolean): void {
    clearTimeout(this.#timers.get(list));
    this.#timers.delete(list);
    if (isLoading) {
      this.#shownAsLoading.add(list);
    } else {
      this.#shownAsLoading.delete(list);
    }
  }

  /** The list was read and `redraw` was called: it is called again until the editor asks for the list. */
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

  /** Stops retrying for the lists of these tenants, all by default. */
  forget(isMeant: (tenantId: string) => boolean = () => true): void {
    for (const list of [...this.#shownAsLoading].filter(({ tenantId }) => isMeant(tenantId))) {
      this.answered(list, false);
    }
  }
}
