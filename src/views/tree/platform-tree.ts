import * as vscode from "vscode";
import { resourcePage } from "../../documents/resource-pages.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { BranchListing } from "./branch-listing.ts";
import { ChangingParts } from "./changing-parts.ts";
import type { Branch, TreeDefinition, TreeRow } from "./definition.ts";
import { type ListReference, RowElement, type TreeElement } from "./elements.ts";
import { frameItem } from "./frame-items.ts";
import { viewId } from "./view-name.ts";

const loadingDelay = 300;
const redrawPause = 20;

/** What every tree stands on. */
export interface TreeParts {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly log: vscode.LogOutputChannel;
}

/** What is read again while it changes: a whole list, or one row where rows can be read alone. */
type ChangingPart<Row extends TreeRow> =
  | { readonly type: "list"; readonly listing: BranchListing<Row> }
  | { readonly type: "row"; readonly row: Row };

/** A list that was read, and the row that it hangs below. */
interface KnownList<Row extends TreeRow> {
  readonly listing: BranchListing<Row>;
  readonly parent: TreeElement<Row> | undefined;
}

/**
 * The rows of one view: of the only tenant, or with several tenants below a row for each. Lists are read when they are
 * looked at and kept; a refresh reads again what is in sight.
 */
export class PlatformTree<Row extends TreeRow = TreeRow>
  implements vscode.TreeDataProvider<TreeElement<Row>>, vscode.Disposable
{
  readonly definition: TreeDefinition<Row>;
  readonly #parts: TreeParts;
  readonly #view: vscode.TreeView<TreeElement<Row>>;
  readonly #lists = new Map<string, KnownList<Row>>();
  readonly #elements = new Map<string, RowElement<Row>>();
  /** Lists that are being asked for: the answer shows what changes meanwhile. */
  readonly #answering = new Set<string>();
  readonly #changed = new vscode.EventEmitter<TreeElement<Row> | undefined>();
  readonly #changing: ChangingParts<ChangingPart<Row>>;
  readonly #listeners: readonly vscode.Disposable[];
  #filter = "";
  #redrawing: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(definition: TreeDefinition<Row>, view: vscode.TreeView<TreeElement<Row>>, parts: TreeParts) {
    this.definition = definition;
    this.#parts = parts;
    this.#view = view;
    this.#changing = new ChangingParts({
      isWatched: () => view.visible && vscode.window.state.focused,
      changing: () => this.#changingParts(),
      read: (part) => this.#readAgain(part),
    });
    const forgetAll = (belongs: (tenantId: string) => boolean): void => {
      for (const [key, { listing }] of this.#lists) {
        if (belongs(tenantOfKey(key))) {
          listing.dispose();
          this.#lists.delete(key);
        }
      }
      this.#redrawSoon();
    };
    this.#listeners = [
      this.#changing,
      view.onDidChangeVisibility(() => this.#changing.schedule()),
      vscode.window.onDidChangeWindowState(() => this.#changing.schedule()),
      parts.registry.onDidChange(() => forgetAll(() => true)),
      parts.secrets.onDidChange(({ tenantId, workspaceId }) => {
        if (workspaceId === undefined) {
          forgetAll((id) => id === tenantId);
        }
      }),
    ];
    void this.#updateConditions();
  }

  /** The selected rows. */
  get selection(): readonly Row[] {
    return this.#view.selection.flatMap((element) => (element.type === "row" ? [element.row] : []));
  }

  /** What is selected, rows of the frame included. */
  get selectedElements(): readonly TreeElement<Row>[] {
    return this.#view.selection;
  }

  get filter(): string {
    return this.#filter;
  }

  /** All rows that were read of a tenant, below whatever row. */
  rows(tenantId: string): readonly Row[] {
    return [...this.#lists].flatMap(([key, { listing }]) => (tenantOfKey(key) === tenantId ? listing.rows : []));
  }

  /** Reads again what is in sight, and the rest when it comes in sight. */
  async refresh(): Promise<void> {
    const tops = [...this.#lists.values()].filter(({ parent }) => parent?.type !== "row");
    for (const { listing } of this.#lists.values()) {
      listing.invalidate();
    }
    const reading = Promise.all(tops.map(({ listing }) => listing.refresh(this.#filter)));
    await this.#withProgress(reading);
    this.#changed.fire(undefined);
  }

  /** Reads lists again, by their branches' keys; those that were never read are not. */
  async refreshLists(tenantId: string, ...keys: readonly string[]): Promise<void> {
    const listings = keys.flatMap((key) => this.#lists.get(listKey(tenantId, key))?.listing ?? []);
    await this.#withProgress(Promise.all(listings.map((listing) => listing.refresh())));
  }

  /** Shows the rows that fit the text; all of them for the empty text. */
  async setFilter(filter: string): Promise<void> {
    this.#filter = filter;
    this.#view.message = filter === "" ? "" : this.definition.words.filtered(filter);
    await vscode.commands.executeCommand("setContext", `${viewId(this.definition.view)}Filtered`, filter !== "");
    await this.refresh();
  }

  async loadMore({ tenantId, list }: ListReference): Promise<void> {
    await this.#withProgress(this.#lists.get(listKey(tenantId, list))?.listing.more() ?? Promise.resolve());
  }

  async retry({ tenantId, list }: ListReference): Promise<void> {
    await this.#lists.get(listKey(tenantId, list))?.listing.refresh();
  }

  /** Takes a row as it is now and draws it again. */
  replace(row: Row): void {
    for (const [key, { listing }] of this.#lists) {
      if (tenantOfKey(key) === row.tenantId) {
        listing.replace(row);
      }
    }
    const element = this.#elements.get(listKey(row.tenantId, row.key));
    if (element !== undefined) {
      element.row = row;
      this.#changed.fire(element);
    }
    this.#changing.schedule();
  }

  /** Selects a row that was read before. False for one that was not. */
  async reveal(tenantId: string, key: string): Promise<boolean> {
    const element = this.#elements.get(listKey(tenantId, key));
    if (element === undefined) {
      return false;
    }
    await this.#view.reveal(element, { select: true, focus: false });
    return true;
  }

  getTreeItem(element: TreeElement<Row>): vscode.TreeItem {
    if (element.type !== "row") {
      return frameItem(element);
    }
    const { row } = element;
    const item = this.definition.item(row);
    item.id = `${row.tenantId}/${row.key}`;
    item.contextValue = `${item.contextValue ?? row.type}${this.#marks(row)}`;
    item.command ??= {
      command: "platformWorkbench.clickRow",
      title: vscode.l10n.t("Open"),
      arguments: [{ view: this.definition.view, tenantId: row.tenantId, key: row.key }],
    };
    return item;
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    element: TreeElement<Row>,
    cancellation: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    if (element.type === "row") {
      const abort = new AbortController();
      cancellation.onCancellationRequested(() => abort.abort());
      const card = await this.definition.card?.(element.row, abort.signal);
      if (card !== undefined) {
        item.tooltip = card;
      }
    }
    return item;
  }

  /** The row of that key, as last read. */
  row(tenantId: string, key: string): Row | undefined {
    return this.#elements.get(listKey(tenantId, key))?.row;
  }

  getParent(element: TreeElement<Row>): TreeElement<Row> | undefined {
    return element.type === "row" ? element.parent : undefined;
  }

  async getChildren(element?: TreeElement<Row>): Promise<TreeElement<Row>[]> {
    if (element?.type === "row") {
      const below = this.definition.below(element.row);
      return below === undefined ? [] : isBranch(below) ? this.#list(element, below) : this.#elementsOf(below, element);
    }
    if (element !== undefined) {
      return element.type === "tenant" ? this.#top(element, element.tenant, element.isSignedIn) : [];
    }
    return this.#tenants();
  }

  /** Puts the rows that can be dragged into what is dragged. */
  drag(source: readonly TreeElement<Row>[], data: vscode.DataTransfer): void {
    const rows = source.flatMap((element) => (element.type === "row" ? [element.row] : []));
    if (rows.length === source.length && this.definition.dragAndDrop?.canDrag(rows) === true) {
      data.set(this.#dragType, new vscode.DataTransferItem(rows));
    }
  }

  /** Does what dropping dragged rows on this one means. */
  async drop(target: TreeElement<Row> | undefined, data: vscode.DataTransfer): Promise<void> {
    const rows: unknown = data.get(this.#dragType)?.value;
    if (Array.isArray(rows) && (target === undefined || target.type === "row")) {
      await this.definition.dragAndDrop?.drop(rows, target?.row);
    }
  }

  get #dragType(): string {
    return `application/vnd.code.tree.platformworkbench.${this.definition.view}`;
  }

  dispose(): void {
    clearTimeout(this.#redrawing);
    for (const { listing } of this.#lists.values()) {
      listing.dispose();
    }
    vscode.Disposable.from(...this.#listeners, this.#changed).dispose();
  }

  async #tenants(): Promise<TreeElement<Row>[]> {
    const tenants = this.#parts.registry.all;
    const [only] = tenants;
    if (only === undefined) {
      return [];
    }
    const signedIn = await Promise.all(tenants.map((tenant) => this.#isSignedIn(tenant)));
    if (tenants.length === 1) {
      // Signed out or empty, the view's welcome content says what to do.
      const rows = signedIn[0] === true ? await this.#top(undefined, only, true) : [];
      return this.#filter === "" && rows.every(({ type }) => type === "empty") ? [] : rows;
    }
    return tenants.map((tenant, index) => ({
      type: "tenant",
      tenant,
      isSignedIn: signedIn[index] === true,
      isCurrent: tenant.id === this.#parts.registry.current?.id,
    }));
  }

  async #isSignedIn(tenant: Tenant): Promise<boolean> {
    return (await this.#parts.secrets.credential(tenant)) !== undefined;
  }

  async #top(parent: TreeElement<Row> | undefined, tenant: Tenant, isSignedIn: boolean): Promise<TreeElement<Row>[]> {
    if (!isSignedIn) {
      return [{ type: "signedOut", tenant, text: this.definition.words.signedOut }];
    }
    return this.#list(parent, this.definition.top(tenant.id), tenant.id);
  }

  #marks(row: Row): string {
    if (row.resource === undefined) {
      return "";
    }
    const tenant = this.#parts.registry.get(row.tenantId);
    const page = tenant === undefined ? undefined : resourcePage(tenant, row.resource);
    return `;id;details;link${page === undefined ? "" : ";page"}`;
  }

  async #list(
    parent: TreeElement<Row> | undefined,
    branch: Branch<Row>,
    tenantId = parent?.type === "row" ? parent.tenantId : "",
  ): Promise<TreeElement<Row>[]> {
    const key = listKey(tenantId, branch.key);
    const listing = this.#lists.get(key)?.listing ?? this.#newList(key, tenantId, parent, branch);
    const filter = parent?.type === "row" ? "" : this.#filter;
    this.#answering.add(key);
    // A quick answer shows no loading row at all.
    await Promise.race([listing.ensure(filter), pause(loadingDelay)]);
    this.#answering.delete(key);
    const { state } = listing;
    const reference = { tenantId, list: branch.key, view: this.definition.view };
    const rows: TreeElement<Row>[] = this.#elementsOf(listing.rows, parent);
    switch (state.type) {
      case "unread":
      case "loading":
        return rows.length > 0 ? rows : [{ type: "loading", ...reference }];
      case "failed":
        return [{ type: "error", error: state.error, things: branch.words.things, ...reference }, ...rows];
      case "ready": {
        const { empty, nothingFits = empty } = branch.words;
        if (rows.length === 0) {
          return [{ type: "empty", text: filter === "" ? empty : nothingFits, ...reference }];
        }
        const { pageSize } = branch;
        return state.hasMore
          ? [...rows, { type: "more", shown: rows.length, total: state.total, pageSize, ...reference }]
          : rows;
      }
    }
  }

  #newList(
    key: string,
    tenantId: string,
    parent: TreeElement<Row> | undefined,
    branch: Branch<Row>,
  ): BranchListing<Row> {
    const listing: BranchListing<Row> = new BranchListing({
      branch,
      connect: () => this.#parts.connections.platform(tenantId),
      onChange: () => this.#listed(tenantId, key),
    });
    this.#lists.set(key, { listing, parent });
    return listing;
  }

  #elementsOf(rows: readonly Row[], parent: TreeElement<Row> | undefined): RowElement<Row>[] {
    return rows.map((row) => {
      const key = listKey(row.tenantId, row.key);
      const known = this.#elements.get(key);
      if (known !== undefined && known.parent === parent) {
        known.row = row;
        return known;
      }
      const element = new RowElement(row, parent);
      this.#elements.set(key, element);
      return element;
    });
  }

  #listed(tenantId: string, key: string): void {
    const known = this.#lists.get(key);
    if (known === undefined) {
      return;
    }
    const { listing, parent } = known;
    const { state } = listing;
    if (state.type === "ready") {
      this.definition.onRead?.(tenantId, state.rows, (row) => this.replace(row));
    }
    if (state.type === "failed") {
      const reason = state.error instanceof Error ? state.error.message : String(state.error);
      this.#parts.log.warn(`${this.definition.view} of ${tenantId}: ${reason}`);
    }
    void this.#updateConditions();
    this.#changing.schedule();
    // While rows that are shown are read again, they stay as they are.
    const isRereading = state.type === "loading" && listing.rows.length !== 0;
    if (!this.#answering.has(key) && !isRereading) {
      this.#changed.fire(parent);
    }
  }

  #changingParts(): readonly ChangingPart<Row>[] {
    const { definition } = this;
    return [...this.#lists.values()].flatMap(({ listing }): readonly ChangingPart<Row>[] => {
      const rows = listing.state.type === "loading" ? [] : listing.rows.filter((row) => definition.isChanging?.(row));
      if (definition.readAgain !== undefined) {
        return rows.map((row) => ({ type: "row", row }));
      }
      return rows.length === 0 ? [] : [{ type: "list", listing }];
    });
  }

  async #readAgain(part: ChangingPart<Row>): Promise<void> {
    if (part.type === "list") {
      await part.listing.refresh();
      return;
    }
    const { row } = part;
    try {
      const client = await this.#parts.connections.platform(row.tenantId);
      const fresh = (await this.definition.readAgain?.(row, client)) ?? row;
      this.definition.onRead?.(row.tenantId, [fresh], (other) => this.replace(other));
      this.replace(fresh);
    } catch (error) {
      this.#parts.log.debug(`reading ${row.key} again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #withProgress(work: Promise<unknown>): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: viewId(this.definition.view) } }, () => work);
  }

  /** Several changes at once, as of a tenant that comes with its credential, are one redrawing. */
  #redrawSoon(): void {
    clearTimeout(this.#redrawing);
    this.#redrawing = setTimeout(() => {
      void this.#updateConditions();
      this.#changed.fire(undefined);
    }, redrawPause);
  }

  /** Keeps the conditions of menus and welcome content. */
  async #updateConditions(): Promise<void> {
    const tenants = this.#parts.registry.all;
    const count = tenants.length === 0 ? "none" : tenants.length === 1 ? "one" : "several";
    const [only] = tenants;
    let state = "listed";
    if (only === undefined) {
      state = "noTenant";
    } else if (tenants.length === 1) {
      const top = this.#lists.get(listKey(only.id, this.definition.top(only.id).key))?.listing;
      const isEmpty = top?.state.type === "ready" && top.rows.length === 0;
      state = !(await this.#isSignedIn(only)) ? "signedOut" : isEmpty ? "empty" : "listed";
    }
    await vscode.commands.executeCommand("setContext", "platformWorkbench.tenants", count);
    await vscode.commands.executeCommand("setContext", `${viewId(this.definition.view)}State`, state);
  }
}

function isBranch<Row>(below: readonly Row[] | Branch<Row>): below is Branch<Row> {
  return "read" in below;
}

/** Tenant ids hold no slash. */
function listKey(tenantId: string, key: string): string {
  return `${tenantId}/${key}`;
}

function tenantOfKey(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
