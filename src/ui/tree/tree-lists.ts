import type { PlatformClient } from "../../api/client/client.ts";
import { BranchListing } from "./branch-listing.ts";
import type { Branch, TreeRow } from "./definition.ts";
import type { TreeElement } from "./elements.ts";

/** A list of a tree, and the row that it hangs below; undefined for the top. */
export interface KnownList<Row extends TreeRow> {
  readonly tenantId: string;
  readonly listing: BranchListing<Row>;
  parent: TreeElement<Row> | undefined;
}

export interface TreeListsOptions<Row extends TreeRow> {
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

  /** The list of that branch, below this row from now on; nothing is read by this. */
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
        // What was forgotten meanwhile tells nobody.
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

  /** All rows that were read of a tenant, below whatever row. */
  rows(tenantId: string): readonly Row[] {
    return this.all.flatMap((list) => (list.tenantId === tenantId ? list.listing.rows : []));
  }

  /** Takes a row as it is now into every list that has it. */
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

/** Tenant ids hold no slash. */
function keyOf(tenantId: string, branchKey: string): string {
  return `${tenantId}/${branchKey}`;
}
