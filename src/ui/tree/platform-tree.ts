import * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { BranchListing } from "./branch-listing.ts";
import { ChangingRows } from "./changing-rows.ts";
import type { Branch, TreeDefinition, TreeRow } from "./definition.ts";
import type { ListReference, RowElement, TreeElement } from "./elements.ts";
import { frameItem } from "./frame-items.ts";
import { listElements } from "./list-elements.ts";
import { LostRedraws } from "./lost-redraws.ts";
import { dragRows, dropRows } from "./row-drag.ts";
import { RowElements } from "./row-elements.ts";
import { addCard, rowItem } from "./row-item.ts";
import { TenantElements } from "./tenant-elements.ts";
import { type KnownList, TreeLists } from "./tree-lists.ts";
import { setViewConditions } from "./view-conditions.ts";
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
  readonly #lists: TreeLists<Row>;
  readonly #elements = new RowElements<Row>();
  readonly #tenantElements: TenantElements;
  /** Lists that are being asked for: the answer shows what changes meanwhile. */
  readonly #answering = new Set<KnownList<Row>>();
  readonly #changed = new vscode.EventEmitter<TreeElement<Row> | undefined>();
  readonly #lostRedraws = new LostRedraws();
  readonly #changing: ChangingRows<Row>;
  readonly #listeners: readonly vscode.Disposable[];
  #filter = "";
  #redrawing: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(definition: TreeDefinition<Row>, view: vscode.TreeView<TreeElement<Row>>, parts: TreeParts) {
    this.definition = definition;
    this.#parts = parts;
    this.#view = view;
    this.#lists = new TreeLists({
      connect: (tenantId) => parts.connections.platform(tenantId),
      onChange: (list) => this.#listed(list),
    });
    this.#tenantElements = new TenantElements(parts.registry);
    const { connections, log } = parts;
    const replace = (row: Row): void => this.replace(row);
    this.#changing = new ChangingRows({ definition, lists: this.#lists, connections, log, view, replace });
    const forget = (isMeant: (tenantId: string) => boolean): void => {
      this.#lists.forget(isMeant);
      this.#lostRedraws.forget(isMeant);
      this.#redrawSoon();
    };
    this.#listeners = [
      this.#changing,
      parts.registry.onDidChange(() => forget(() => true)),
      parts.secrets.onDidChange(({ tenantId, workspaceId }) => {
        if (workspaceId === undefined) {
          forget((id) => id === tenantId);
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

  get isInSight(): boolean {
    return this.#view.visible;
  }

  /** All rows that were read of a tenant, below whatever row. */
  rows(tenantId: string): readonly Row[] {
    return this.#lists.rows(tenantId);
  }

  /** Reads again what is in sight, and the rest when it comes in sight. */
  async refresh(): Promise<void> {
    const { all } = this.#lists;
    const tops = all.filter(({ parent }) => parent?.type !== "row");
    for (const { listing } of all) {
      listing.invalidate();
    }
    const reading = Promise.all(tops.map(({ listing }) => listing.refresh(this.#filter)));
    await this.#withProgress(reading);
    this.#changed.fire(undefined);
  }

  /** Reads lists again, by their branches' keys; those that were never read are not. */
  async refreshLists(tenantId: string, ...keys: readonly string[]): Promise<void> {
    const known = keys.flatMap((key) => this.#lists.find(tenantId, key) ?? []);
    await this.#withProgress(Promise.all(known.map((list) => this.#current(list).refresh())));
  }

  /** Shows the rows that fit the text; all of them for the empty text. */
  async setFilter(filter: string): Promise<void> {
    this.#filter = filter;
    this.#view.message = filter === "" ? "" : this.definition.words.filtered(filter);
    await vscode.commands.executeCommand("setContext", `${viewId(this.definition.view)}Filtered`, filter !== "");
    await this.refresh();
  }

  async loadMore({ tenantId, list }: ListReference): Promise<void> {
    await this.#withProgress(this.#lists.find(tenantId, list)?.listing.more() ?? Promise.resolve());
  }

  async retry({ tenantId, list }: ListReference): Promise<void> {
    const known = this.#lists.find(tenantId, list);
    if (known !== undefined) {
      await this.#current(known).refresh();
    }
  }

  /** Takes a row as it is now and draws it again. */
  replace(row: Row): void {
    this.#lists.replace(row);
    const element = this.#elements.find(row.tenantId, row.key);
    if (element !== undefined) {
      element.row = row;
      this.#changed.fire(element);
    }
    this.#changing.schedule();
  }

  /**
   * Selects a row by the keys of the rows that lead to it, its own last; lists on the way are read. False where one of
   * them is not there, as in a view that was never looked at.
   */
  async reveal(tenantId: string, ...path: readonly string[]): Promise<boolean> {
    let found: RowElement<Row> | undefined;
    for (const key of path) {
      if (found !== undefined) {
        await this.#readBelow(found);
      }
      found = this.#elements.find(tenantId, key);
      if (found === undefined) {
        return false;
      }
    }
    if (found === undefined) {
      return false;
    }
    await this.#view.reveal(found, { select: true, focus: false });
    return true;
  }

  getTreeItem(element: TreeElement<Row>): vscode.TreeItem {
    if (element.type !== "row") {
      return frameItem(element);
    }
    return rowItem(this.definition, element.row, this.#parts.registry);
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    element: TreeElement<Row>,
    cancellation: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    if (element.type === "row") {
      await addCard(item, this.definition, element.row, cancellation);
    }
    return item;
  }

  /** The row of that key, as last read. */
  row(tenantId: string, key: string): Row | undefined {
    return this.#elements.find(tenantId, key)?.row;
  }

  getParent(element: TreeElement<Row>): TreeElement<Row> | undefined {
    return element.type === "row" ? element.parent : undefined;
  }

  async getChildren(element?: TreeElement<Row>): Promise<TreeElement<Row>[]> {
    if (element?.type === "row") {
      const below = this.definition.below(element.row);
      return below === undefined
        ? []
        : isBranch(below)
          ? this.#list(element, below)
          : this.#elements.of(below, element);
    }
    if (element !== undefined) {
      return element.type === "tenant" ? this.#top(element, element.tenant, element.isSignedIn) : [];
    }
    return this.#tenants();
  }

  drag(source: readonly TreeElement<Row>[], data: vscode.DataTransfer): void {
    dragRows(this.definition, source, data);
  }

  drop(target: TreeElement<Row> | undefined, data: vscode.DataTransfer): Promise<void> {
    return dropRows(this.definition, target, data);
  }

  dispose(): void {
    clearTimeout(this.#redrawing);
    this.#lostRedraws.forget();
    this.#lists.dispose();
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
    return tenants.map((tenant, index) => this.#tenantElements.of(tenant, signedIn[index] === true));
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

  async #list(
    parent: TreeElement<Row> | undefined,
    branch: Branch<Row>,
    tenantId = parent?.type === "row" ? parent.tenantId : "",
  ): Promise<TreeElement<Row>[]> {
    const list = this.#lists.take(tenantId, branch, parent);
    const { listing } = list;
    const filter = parent?.type === "row" ? "" : this.#filter;
    this.#answering.add(list);
    // A quick answer shows no loading row at all.
    await Promise.race([listing.ensure(filter), pause(loadingDelay)]);
    this.#answering.delete(list);
    this.#lostRedraws.answered(list, listing.state.type === "loading");
    const reference = { tenantId, list: branch.key, view: this.definition.view };
    return listElements(listing, this.#elements.of(listing.rows, parent), reference);
  }

  /** The list as it follows from its row as that is now, which can know more than when the list was read. */
  #current({ tenantId, listing, parent }: KnownList<Row>): BranchListing<Row> {
    const below = parent?.type === "row" ? this.definition.below(parent.row) : undefined;
    return below !== undefined && isBranch(below) && below.key === listing.branch.key
      ? this.#lists.take(tenantId, below, parent).listing
      : listing;
  }

  /** Reads what is below a row, unless it was read, so that its rows are known. */
  async #readBelow(element: RowElement<Row>): Promise<void> {
    const below = this.definition.below(element.row);
    if (below === undefined || !isBranch(below)) {
      this.#elements.of(below ?? [], element);
      return;
    }
    const { listing } = this.#lists.take(element.tenantId, below, element);
    await listing.ensure("");
    this.#elements.of(listing.rows, element);
  }

  #listed(list: KnownList<Row>): void {
    const { tenantId, listing, parent } = list;
    const { state } = listing;
    if (state.type === "ready") {
      this.#elements.of(state.rows, parent);
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
    if (!this.#answering.has(list) && !isRereading) {
      this.#changed.fire(parent);
      if (state.type !== "loading") {
        this.#lostRedraws.told(list, () => this.#changed.fire(list.parent));
      }
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
  #updateConditions(): Promise<void> {
    return setViewConditions({
      view: this.definition.view,
      tenants: this.#parts.registry.all,
      isSignedIn: (tenant) => this.#isSignedIn(tenant),
      isEmpty: ({ id }) => {
        const top = this.#lists.find(id, this.definition.top(id).key);
        return top?.listing.state.type === "ready" && top.listing.rows.length === 0;
      },
    });
  }
}

function isBranch<Row>(below: readonly Row[] | Branch<Row>): below is Branch<Row> {
  return "read" in below;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
