import type { PlatformClient } from "../../api/client/client.ts";
import type { Branch, TreeRow } from "./definition.ts";
import type { TreeElement } from "./elements.ts";
import { BranchListing } from "./listing.ts";

/** A list of a tree and its parent; undefined for a list at the top. */
export interface KnownList<Row extends TreeRow> {
  readonly tenantId: string;
  readonly listing: BranchListing<Row>;
  parent: TreeElement<Row> | undefined;
  /** True if it was being read when the editor last got its rows. */
  isShownAsLoading: boolean;
  /** What the editor last got, if it has requested the list. */
  shown: readonly TreeElement<Row>[] | undefined;
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
  getOrCreate(tenantId: string, branch: Branch<Row>, parent: TreeElement<Row> | undefined): KnownList<Row> {
    const key = listKey(tenantId, branch.key);
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
    const list: KnownList<Row> = { tenantId, listing, parent, isShownAsLoading: false, shown: undefined };
    this.#known.set(key, list);
    return list;
  }

  find(tenantId: string, branchKey: string): KnownList<Row> | undefined {
    return this.#known.get(listKey(tenantId, branchKey));
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
  delete(isMeant: (tenantId: string) => boolean): void {
    for (const [key, { tenantId, listing }] of this.#known) {
      if (isMeant(tenantId)) {
        listing.dispose();
        this.#known.delete(key);
      }
    }
  }

  dispose(): void {
    this.delete(() => true);
  }
}

/** Unambiguous, because tenant ids contain no slash. */
function listKey(tenantId: string, branchKey: string): string {
  return `${tenantId}/${branchKey}`;
}
