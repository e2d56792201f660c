import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { errorMessage } from "../../api/error-message.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { type Branch, isBranch, type TreeDefinition, type TreeParts, type TreeRow } from "./definition.ts";
import { type ListReference, RowElement, type TenantElement, type TreeElement } from "./elements.ts";
import type { BranchListing } from "./listing.ts";
import { RedrawRetry } from "./redraw-retry.ts";
import { type KnownList, TreeLists } from "./tree-lists.ts";

/** Milliseconds before a list that is still being read shows a loading row. */
const loadingDelayMs = 300;

interface TreeContentOptions<Row extends TreeRow> {
  readonly definition: TreeDefinition<Row>;
  readonly parts: {
    readonly connections: Pick<TreeParts["connections"], "platform">;
    readonly log: Pick<TreeParts["log"], "warn">;
    readonly registry: Pick<TreeParts["registry"], "all" | "current">;
    readonly secrets: Pick<TreeParts["secrets"], "credential">;
  };
  /** Redraws an element and its descendants; the whole tree for undefined. */
  redraw(element: TreeElement<Row> | undefined): void;
  /** True if the editor shows a row as it is now. */
  isDrawn(element: RowElement<Row>): boolean;
  /** Called whenever the state of a list has changed. */
  onListChange(): void;
  /** Called whenever a single row has changed. */
  onRowChange(): void;
}

/**
 * The elements of a tree, created from the lists that were read, independent of the editor's view. Lists are read and
 * cached when they are first shown.
 */
export class TreeContent<Row extends TreeRow> {
  readonly #options: TreeContentOptions<Row>;
  readonly #lists: TreeLists<Row>;
  readonly #rows = new RowElements<Row>();
  readonly #tenants: TenantElements;
  /** Lists that the editor is requesting. The result includes changes that are made meanwhile. */
  readonly #responding = new Set<KnownList<Row>>();
  /** Redraws of lists, and of the whole tree for undefined. */
  readonly #retry = new RedrawRetry<KnownList<Row> | undefined>();

  constructor(options: TreeContentOptions<Row>) {
    const { connections, registry } = options.parts;
    this.#options = options;
    this.#lists = new TreeLists({
      connect: (tenantId) => connections.platform(tenantId),
      onChange: (list) => this.#listed(list),
    });
    this.#tenants = new TenantElements(registry);
  }

  get lists(): Pick<TreeLists<Row>, "all" | "rows"> {
    return this.#lists;
  }

  /** The element of a row that was shown. */
  find(tenantId: string, key: string): RowElement<Row> | undefined {
    return this.#rows.find(tenantId, key);
  }

  /**
   * The element at the end of a path of keys. Reads the lists on the path. Undefined if one of them does not exist, for
   * example in a view that was never shown.
   */
  async findByPath(tenantId: string, path: readonly string[]): Promise<RowElement<Row> | undefined> {
    let found: RowElement<Row> | undefined;
    for (const key of path) {
      if (found !== undefined) {
        await this.#readBelow(found);
      }
      found = this.find(tenantId, key);
      if (found === undefined) {
        return undefined;
      }
    }
    return found;
  }

  /** True if the top-level list of the tenant was read and is empty. */
  isEmpty(tenantId: string): boolean {
    const top = this.#lists.find(tenantId, this.#options.definition.top(tenantId).key)?.listing;
    return top?.state.type === "ready" && top.rows.length === 0;
  }

  async isSignedIn(tenant: Tenant): Promise<boolean> {
    return (await this.#options.parts.secrets.credential(tenant)) !== undefined;
  }

  /** The children of an element; the top level for undefined. `filter` applies to the top-level list of each tenant. */
  async children(element: TreeElement<Row> | undefined, filter: string): Promise<TreeElement<Row>[]> {
    switch (element?.type) {
      case undefined:
        this.#retry.stop(undefined);
        return this.#tops(filter);
      case "tenant":
        return this.#top(element, element.tenant, element.isSignedIn, filter);
      case "row": {
        const below = this.#options.definition.below(element.row) ?? [];
        return isBranch(below) ? this.#list(element, below, element.tenantId, "") : this.#rows.elements(below, element);
      }
      default:
        return [];
    }
  }

  /** Reads the top-level lists again now, and the others when they are next shown. */
  async refresh(filter: string): Promise<void> {
    const { all } = this.#lists;
    for (const { listing } of all) {
      listing.invalidate();
    }
    const tops = all.filter(({ parent }) => parent?.type !== "row");
    await Promise.all(tops.map(({ listing }) => listing.refresh(filter)));
  }

  /** Reads lists again, by the keys of their branches, except those that were never read. */
  async refreshLists(tenantId: string, keys: readonly string[]): Promise<void> {
    const known = keys.flatMap((key) => this.#lists.find(tenantId, key) ?? []);
    await Promise.all(known.map((list) => this.#current(list).refresh()));
  }

  /** Reads the next page of a list. */
  async loadMore({ tenantId, list }: ListReference): Promise<void> {
    await this.#lists.find(tenantId, list)?.listing.more();
  }

  /** Reads all remaining pages of a list, until the signal is aborted. */
  async loadAll(
    { tenantId, list }: ListReference,
    signal: AbortSignal,
    onRead: (shown: number, total: number | undefined) => void,
  ): Promise<void> {
    await this.#lists.find(tenantId, list)?.listing.all(signal, onRead);
  }

  /** The words of a list that was shown. */
  things({ tenantId, list }: ListReference): string {
    return this.#lists.find(tenantId, list)?.listing.branch.words.things ?? "";
  }

  /** Replaces a row with a newer version. */
  replace(row: Row): void {
    this.#lists.replace(row);
    const element = this.find(row.tenantId, row.key);
    if (element !== undefined) {
      element.row = row;
      this.#options.redraw(element);
    }
    this.#options.onRowChange();
  }

  /** Discards the lists of these tenants. */
  deleteLists(isMeant: (tenantId: string) => boolean): void {
    for (const list of this.#lists.all.filter(({ tenantId }) => isMeant(tenantId))) {
      this.#retry.stop(list);
    }
    this.#lists.delete(isMeant);
  }

  /** Redraws the whole tree. */
  redrawAll(): void {
    const redraw = (): void => this.#options.redraw(undefined);
    redraw();
    this.#retry.redrawn(undefined, redraw);
  }

  dispose(): void {
    this.#retry.dispose();
    this.#lists.dispose();
  }

  /** The rows of the only tenant, or an element for each of several tenants. */
  async #tops(filter: string): Promise<TreeElement<Row>[]> {
    const tenants = this.#options.parts.registry.all;
    const [only] = tenants;
    if (only === undefined) {
      return [];
    }
    const signedIn = await Promise.all(tenants.map((tenant) => this.isSignedIn(tenant)));
    if (tenants.length === 1) {
      // While signed out or empty, the view shows its welcome content.
      const rows = signedIn[0] === true ? await this.#top(undefined, only, true, filter) : [];
      return filter === "" && rows.every(({ type }) => type === "empty") ? [] : rows;
    }
    return tenants.map((tenant, index) => this.#tenants.element(tenant, signedIn[index] === true));
  }

  async #top(
    parent: TreeElement<Row> | undefined,
    tenant: Tenant,
    isSignedIn: boolean,
    filter: string,
  ): Promise<TreeElement<Row>[]> {
    const { definition } = this.#options;
    return isSignedIn
      ? this.#list(parent, definition.top(tenant.id), tenant.id, filter)
      : [{ type: "signedOut", tenant, text: definition.words.signedOut }];
  }

  async #list(
    parent: TreeElement<Row> | undefined,
    branch: Branch<Row>,
    tenantId: string,
    filter: string,
  ): Promise<TreeElement<Row>[]> {
    const list = this.#lists.getOrCreate(tenantId, branch, parent);
    const { listing } = list;
    this.#responding.add(list);
    // If the response is quick, no loading row is shown.
    await Promise.race([listing.ensure(filter), wait(loadingDelayMs)]);
    this.#responding.delete(list);
    this.#retry.stop(list);
    list.isShownAsLoading = listing.state.type === "loading";
    list.shown = this.#elements(list);
    return [...list.shown];
  }

  #elements({ tenantId, listing, parent }: KnownList<Row>): TreeElement<Row>[] {
    const reference = { tenantId, list: listing.branch.key, view: this.#options.definition.view };
    return listElements(listing, this.#rows.elements(listing.rows, parent), reference);
  }

  /** The list for the current state of its row, which may have more information than when the list was read. */
  #current({ tenantId, listing, parent }: KnownList<Row>): BranchListing<Row> {
    const below = parent?.type === "row" ? this.#options.definition.below(parent.row) : undefined;
    return below !== undefined && isBranch(below) && below.key === listing.branch.key
      ? this.#lists.getOrCreate(tenantId, below, parent).listing
      : listing;
  }

  /** Creates the elements below a row. Reads the list if it wasn't read. */
  async #readBelow(element: RowElement<Row>): Promise<void> {
    const below = this.#options.definition.below(element.row) ?? [];
    if (!isBranch(below)) {
      this.#rows.elements(below, element);
      return;
    }
    const { listing } = this.#lists.getOrCreate(element.tenantId, below, element);
    await listing.ensure("");
    this.#rows.elements(listing.rows, element);
  }

  #listed(list: KnownList<Row>): void {
    const { definition, parts, redraw, onListChange } = this.#options;
    const { tenantId, listing, parent } = list;
    const { state } = listing;
    if (state.type === "ready") {
      this.#rows.elements(state.rows, parent);
      definition.onRead?.(tenantId, state.rows, (row) => this.replace(row));
    }
    if (state.type === "failed") {
      const reason = errorMessage(state.error);
      parts.log.warn(`${definition.view} of ${tenantId}: ${reason}`);
    }
    onListChange();
    // Visible rows stay unchanged while they are read again.
    const isRereading = state.type === "loading" && listing.rows.length !== 0 && state.hasNewRows !== true;
    if (this.#responding.has(list) || isRereading) {
      return;
    }
    const elements = this.#elements(list);
    const isParentDrawn = parent?.type !== "row" || this.#options.isDrawn(parent);
    if (isParentDrawn && list.shown !== undefined && isSameList(list.shown, elements)) {
      // While a whole list is drawn again, the editor loses the row of a menu or icon that is chosen.
      for (const element of elements) {
        if (element.type === "row" && !this.#options.isDrawn(element)) {
          redraw(element);
        }
      }
      return;
    }
    if (parent === undefined) {
      this.redrawAll();
      return;
    }
    redraw(parent);
    if (state.type !== "loading" && list.isShownAsLoading) {
      this.#retry.redrawn(list, () => redraw(list.parent));
    }
  }
}

/** The elements of rows: one object per row while it stays below the same parent, as the editor requires. */
class RowElements<Row extends TreeRow> {
  readonly #known = new Map<string, RowElement<Row>>();

  find(tenantId: string, key: string): RowElement<Row> | undefined {
    return this.#known.get(`${tenantId}/${key}`);
  }

  /** The elements of these rows, in their last read state. */
  elements(rows: readonly Row[], parent: TreeElement<Row> | undefined): RowElement<Row>[] {
    return rows.map((row) => {
      const known = this.find(row.tenantId, row.key);
      if (known !== undefined && known.parent === parent) {
        known.row = row;
        return known;
      }
      const element = new RowElement(row, parent);
      this.#known.set(`${row.tenantId}/${row.key}`, element);
      return element;
    });
  }
}

/** The elements of tenants: one object per tenant, so that it can be redrawn individually. */
class TenantElements {
  readonly #registry: Pick<TenantRegistry, "current">;
  readonly #known = new Map<string, TenantElement>();

  constructor(registry: Pick<TenantRegistry, "current">) {
    this.#registry = registry;
  }

  element(tenant: Tenant, isSignedIn: boolean): TenantElement {
    const isCurrent = tenant.id === this.#registry.current?.id;
    const now: TenantElement = { type: "tenant", tenant, isSignedIn, isCurrent };
    const element = Object.assign(this.#known.get(tenant.id) ?? now, now);
    this.#known.set(tenant.id, element);
    return element;
  }
}

/** True if a list has the same rows in the same order, and the same other elements. */
function isSameList<Row extends TreeRow>(
  shown: readonly TreeElement<Row>[],
  elements: readonly TreeElement<Row>[],
): boolean {
  return (
    shown.length === elements.length &&
    elements.every((element, index) => {
      const other = shown[index];
      return element.type === "row" ? element === other : isDeepStrictEqual(element, other);
    })
  );
}

/** A list's rows and the rows for its state. */
function listElements<Row extends TreeRow>(
  { branch, state, filter }: BranchListing<Row>,
  rows: readonly RowElement<Row>[],
  reference: ListReference & { readonly view: string },
): TreeElement<Row>[] {
  const { words, pageSize } = branch;
  switch (state.type) {
    case "unread":
    case "loading":
      return rows.length > 0 ? [...rows] : [{ type: "loading", ...reference }];
    case "failed":
      return [{ type: "error", error: state.error, things: words.things, ...reference }, ...rows];
    case "ready": {
      const { empty, nothingFits = empty } = words;
      const remarks = state.remark === undefined ? [] : [{ type: "remark", text: state.remark, ...reference } as const];
      if (rows.length === 0) {
        return [{ type: "empty", text: filter === "" ? empty : nothingFits, ...reference }, ...remarks];
      }
      const more = { type: "more", shown: rows.length, total: state.total, pageSize, ...reference } as const;
      return [...rows, ...(state.hasMore ? [more] : []), ...remarks];
    }
  }
}
