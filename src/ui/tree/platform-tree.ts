import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { LatestRequest } from "../../api/latest-request.ts";
import { dragType, type TreeDefinition, type TreeParts, type TreeRow, viewId } from "./definition.ts";
import type { ListReference, TreeElement } from "./elements.ts";
import { ListRecovery } from "./list-recovery.ts";
import { RowPoller } from "./row-poller.ts";
import { TreeContent } from "./tree-content.ts";
import { addCard, frameItem, rowItem } from "./tree-items.ts";

/** Milliseconds within which several changes are combined into one redraw. */
const redrawDelayMs = 20;
/** Maximum milliseconds to wait until the editor has drawn the view again. */
const maxRedrawMs = 2000;
/** Milliseconds between two looks at the selection, because the editor reports no event when it knows it again. */
const lookIntervalMs = 20;

/** Dragged rows. The editor converts them to JSON, which would contain everything below them. */
class DraggedRows<Row extends TreeRow = TreeRow> {
  readonly rows: readonly Row[];

  constructor(rows: readonly Row[]) {
    this.rows = rows;
  }

  toJSON(): readonly string[] {
    return this.rows.map(({ key }) => key);
  }
}

/** A view of the Platform container: its interface to the editor and to commands. Its content is in `TreeContent`. */
export class PlatformTree<Row extends TreeRow = TreeRow>
  implements vscode.TreeDataProvider<TreeElement<Row>>, vscode.Disposable
{
  readonly definition: TreeDefinition<Row>;
  readonly #parts: TreeParts;
  readonly #view: vscode.TreeView<TreeElement<Row>>;
  readonly #content: TreeContent<Row>;
  readonly #changed = new vscode.EventEmitter<TreeElement<Row> | undefined>();
  readonly #sightChanged = new vscode.EventEmitter<void>();
  readonly #polling: RowPoller<Row>;
  readonly #recovery: ListRecovery<Row>;
  readonly #listeners: readonly vscode.Disposable[];
  /** The elements that the user has collapsed. */
  readonly #collapsed = new WeakSet<TreeElement<Row>>();
  #filter = "";
  #redrawing: NodeJS.Timeout | undefined;
  readonly #conditions = new LatestRequest();

  readonly onDidChangeTreeData = this.#changed.event;
  /** Fires when `rowsInSight` may have changed. */
  readonly onDidChangeSight = this.#sightChanged.event;

  constructor(definition: TreeDefinition<Row>, view: vscode.TreeView<TreeElement<Row>>, parts: TreeParts) {
    this.definition = definition;
    this.#parts = parts;
    this.#view = view;
    this.#content = new TreeContent<Row>({
      definition,
      parts,
      redraw: (element) => this.#changed.fire(element),
      // How a row looks may depend on more than the row.
      isDrawn: ({ row, drawn }) =>
        isDeepStrictEqual(drawn, { row, item: { ...rowItem(definition, row, parts.registry) } }),
      onListChange: () => {
        void this.#updateConditions();
        this.#polling.schedule();
        this.#recovery.schedule();
        this.#sightChanged.fire();
      },
      onRowChange: () => this.#polling.schedule(),
    });
    this.#polling = new RowPoller({
      definition,
      lists: this.#content.lists,
      isExpanded: ({ parent }) => this.#isExpanded(parent),
      connections: parts.connections,
      log: parts.log,
      view,
      replace: (row) => this.replace(row),
    });
    this.#recovery = new ListRecovery({ lists: this.#content.lists, view });
    const deleteLists = (isMeant: (tenantId: string) => boolean): void => {
      this.#content.deleteLists(isMeant);
      this.#redrawSoon();
    };
    this.#listeners = [
      this.#polling,
      this.#recovery,
      view.onDidCollapseElement(({ element }) => {
        this.#collapsed.add(element);
        this.#polling.schedule();
        this.#sightChanged.fire();
      }),
      view.onDidExpandElement(({ element }) => {
        this.#collapsed.delete(element);
        this.#polling.schedule();
        this.#sightChanged.fire();
      }),
      view.onDidChangeVisibility(() => this.#sightChanged.fire()),
      parts.registry.onDidChange(() => deleteLists(() => true)),
      parts.secrets.onDidChange(({ tenantId, workspaceId }) => {
        if (workspaceId === undefined) {
          deleteLists((id) => id === tenantId);
        }
      }),
    ];
    void this.#updateConditions();
  }

  /** The selected rows. */
  get selection(): readonly Row[] {
    return this.#view.selection.flatMap((element) => (element.type === "row" ? [element.row] : []));
  }

  /**
   * The selected elements, including messages and Load More rows. While the editor draws the view again, it reports
   * none, so this waits until it has finished.
   */
  async selectedElements(): Promise<readonly TreeElement<Row>[]> {
    const end = Date.now() + maxRedrawMs;
    while (this.#view.selection.length === 0 && Date.now() < end) {
      await pause(lookIntervalMs);
    }
    return this.#view.selection;
  }

  get filter(): string {
    return this.#filter;
  }

  get isInSight(): boolean {
    return this.#view.visible;
  }

  /** The rows of the lists that are expanded, while the view is visible. */
  get rowsInSight(): readonly Row[] {
    const lists = this.#view.visible ? this.#content.lists.all : [];
    return lists.filter(({ parent }) => this.#isExpanded(parent)).flatMap(({ listing }) => listing.rows);
  }

  /** All rows of a tenant that were read, at any level. */
  rows(tenantId: string): readonly Row[] {
    return this.#content.lists.rows(tenantId);
  }

  /** The row with this key, as last read. */
  row(tenantId: string, key: string): Row | undefined {
    return this.#content.find(tenantId, key)?.row;
  }

  /** Reads the visible lists again now, and the others when they become visible. */
  async refresh(): Promise<void> {
    await this.#withProgress(this.#content.refresh(this.#filter));
    this.#content.redrawAll();
  }

  /** Reads lists again, by the keys of their branches, except those that were never read. */
  refreshLists(tenantId: string, ...keys: readonly string[]): Promise<void> {
    return this.#withProgress(this.#content.refreshLists(tenantId, keys));
  }

  /** Shows the rows that match the text; all rows for an empty text. */
  async setFilter(filter: string): Promise<void> {
    this.#filter = filter;
    this.#view.message = filter === "" ? "" : this.definition.words.filtered(filter);
    await vscode.commands.executeCommand("setContext", `${viewId(this.definition.view)}Filtered`, filter !== "");
    await this.refresh();
  }

  loadMore(list: ListReference): Promise<void> {
    return this.#withProgress(this.#content.loadMore(list));
  }

  /** Reads all remaining pages of a list, with progress that can be canceled. */
  async loadAll(list: ListReference): Promise<void> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Loading all {0}…", this.#content.things(list)),
      cancellable: true,
    };
    await vscode.window.withProgress(options, async (progress, cancellation) => {
      const abort = new AbortController();
      cancellation.onCancellationRequested(() => abort.abort());
      await this.#content.loadAll(list, abort.signal, (shown, total) =>
        progress.report({
          message: total === undefined ? vscode.l10n.t("{0} shown", shown) : vscode.l10n.t("{0} of {1}", shown, total),
        }),
      );
    });
  }

  retry({ tenantId, list }: ListReference): Promise<void> {
    return this.#content.refreshLists(tenantId, [list]);
  }

  /** Replaces a row with a newer version and redraws it. */
  replace(row: Row): void {
    this.#content.replace(row);
  }

  /**
   * Selects a row by the keys on its path, ending with its own. Reads the lists on the path. Returns false if one of
   * them does not exist, for example in a view that was never shown.
   */
  async reveal(tenantId: string, ...path: readonly string[]): Promise<boolean> {
    const found = await this.#content.findByPath(tenantId, path);
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
    const item = rowItem(this.definition, element.row, this.#parts.registry);
    // A copy: `resolveTreeItem` adds the card to the item.
    element.drawn = { row: element.row, item: { ...item } };
    return item;
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

  getParent(element: TreeElement<Row>): TreeElement<Row> | undefined {
    return element.type === "row" ? element.parent : undefined;
  }

  getChildren(element?: TreeElement<Row>): Promise<TreeElement<Row>[]> {
    return this.#content.children(element, this.#filter);
  }

  /** Adds the draggable rows to the data transfer. */
  drag(source: readonly TreeElement<Row>[], data: vscode.DataTransfer): void {
    const rows = source.flatMap((element) => (element.type === "row" ? [element.row] : []));
    if (rows.length === source.length && this.definition.dragAndDrop?.canDrag(rows) === true) {
      data.set(dragType(this.definition.view), new vscode.DataTransferItem(new DraggedRows(rows)));
    }
  }

  /** Handles rows that are dropped on an element; undefined is the space below the last row. */
  async drop(target: TreeElement<Row> | undefined, data: vscode.DataTransfer): Promise<void> {
    const dragged: unknown = data.get(dragType(this.definition.view))?.value;
    if (dragged instanceof DraggedRows && (target === undefined || target.type === "row")) {
      await this.definition.dragAndDrop?.drop(dragged.rows, target?.row);
    }
  }

  dispose(): void {
    clearTimeout(this.#redrawing);
    this.#content.dispose();
    vscode.Disposable.from(...this.#listeners, this.#changed, this.#sightChanged).dispose();
  }

  #isExpanded(parent: TreeElement<Row> | undefined): boolean {
    return parent === undefined || !this.#collapsed.has(parent);
  }

  async #withProgress(work: Promise<unknown>): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: viewId(this.definition.view) } }, () => work);
  }

  /** Combines several changes into one redraw, for example when a tenant is added with its credential. */
  #redrawSoon(): void {
    clearTimeout(this.#redrawing);
    this.#redrawing = setTimeout(() => {
      void this.#updateConditions();
      this.#content.redrawAll();
    }, redrawDelayMs);
  }

  /** Sets the context keys that menus and the welcome content depend on. */
  async #updateConditions(): Promise<void> {
    const signal = this.#conditions.begin();
    const tenants = this.#parts.registry.all;
    const [only] = tenants;
    const count = tenants.length === 0 ? "none" : tenants.length === 1 ? "one" : "several";
    let state = "listed";
    if (only === undefined) {
      state = "noTenant";
    } else if (tenants.length === 1) {
      const isSignedIn = await this.#content.isSignedIn(only);
      state = !isSignedIn ? "signedOut" : this.#content.isEmpty(only.id) ? "empty" : "listed";
    }
    if (signal.aborted) {
      // They have changed meanwhile.
      return;
    }
    await vscode.commands.executeCommand("setContext", "platformWorkbench.tenants", count);
    await vscode.commands.executeCommand("setContext", `${viewId(this.definition.view)}State`, state);
  }
}
