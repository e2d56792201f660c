import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { dragType, type TreeDefinition, type TreeParts, type TreeRow, type ViewName, viewId } from "./definition.ts";
import type { TreeElement } from "./elements.ts";
import type { PlatformTree } from "./platform-tree.ts";

/** A feature's tree; its definition loads when the view becomes visible or a command needs it. */
export interface TreeContribution {
  readonly view: ViewName;
  readonly options?: { readonly canSelectMany?: true; readonly canDrag?: true; readonly canCollapseAll?: false };
  readonly load: () => Promise<TreeDefinition<TreeRow>>;
  /** Called once with the tree, before it shows anything. The result is disposed of with the tree. */
  readonly onCreated?: (tree: PlatformTree) => Promise<vscode.Disposable>;
}

/** Some of the trees by the names of their views. */
export type TreesOf<Name extends ViewName> = Readonly<Record<Name, PlatformTree>>;

/** The trees of the Platform container. */
export interface Trees {
  /** The tree of a view, created on the first call. Throws for a view that no feature contributes. */
  load(view: ViewName): Promise<PlatformTree>;
  /** The trees that have been created. */
  readonly loaded: readonly PlatformTree[];
  /** The selected rows of all visible views. */
  readonly selection: readonly TreeRow[];
}

/** Registers the views with the editor immediately. Each tree is created when its view becomes visible. */
export class LazyTrees implements Trees, vscode.Disposable {
  readonly #parts: TreeParts;
  readonly #trees = new Map<ViewName, LazyTree>();

  constructor(parts: TreeParts) {
    this.#parts = parts;
  }

  add(contribution: TreeContribution): void {
    this.#trees.set(contribution.view, new LazyTree(contribution, this.#parts));
  }

  get loaded(): readonly PlatformTree[] {
    return [...this.#trees.values()].flatMap(({ tree }) => (tree === undefined ? [] : [tree]));
  }

  get selection(): readonly TreeRow[] {
    return [...this.#trees.values()]
      .filter(({ view }) => view.visible)
      .flatMap(({ view }) => view.selection.flatMap((element) => (element.type === "row" ? [element.row] : [])));
  }

  async load(view: ViewName): Promise<PlatformTree> {
    const tree = this.#trees.get(view);
    if (tree === undefined) {
      throw new Error(`there is no tree ${view}`);
    }
    return tree.load();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#trees.values()).dispose();
  }
}

/** A placeholder that delegates to the tree once it is created. */
class LazyTree
  implements vscode.TreeDataProvider<TreeElement>, vscode.TreeDragAndDropController<TreeElement>, vscode.Disposable
{
  readonly dragMimeTypes: readonly string[] = [];
  readonly dropMimeTypes: readonly string[];
  readonly view: vscode.TreeView<TreeElement>;
  readonly load: () => Promise<PlatformTree>;
  readonly #changed = new vscode.EventEmitter<TreeElement | undefined>();
  #tree: PlatformTree | undefined;
  #disposables: readonly vscode.Disposable[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(contribution: TreeContribution, parts: TreeParts) {
    const { view, options = {} } = contribution;
    this.dropMimeTypes = [dragType(view)];
    this.load = lazy(() => this.#create(contribution, parts));
    this.view = vscode.window.createTreeView(viewId(view), {
      treeDataProvider: this,
      showCollapseAll: options.canCollapseAll ?? true,
      ...(options.canSelectMany === true ? { canSelectMany: true } : {}),
      ...(options.canDrag === true ? { dragAndDropController: this } : {}),
    });
  }

  get tree(): PlatformTree | undefined {
    return this.#tree;
  }

  async getChildren(element?: TreeElement): Promise<TreeElement[]> {
    return (await this.load()).getChildren(element);
  }

  async getTreeItem(element: TreeElement): Promise<vscode.TreeItem> {
    return (await this.load()).getTreeItem(element);
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    element: TreeElement,
    cancellation: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    return (await this.load()).resolveTreeItem(item, element, cancellation);
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return this.#tree?.getParent(element);
  }

  async handleDrag(source: readonly TreeElement[], data: vscode.DataTransfer): Promise<void> {
    (await this.load()).drag(source, data);
  }

  async handleDrop(target: TreeElement | undefined, data: vscode.DataTransfer): Promise<void> {
    await (await this.load()).drop(target, data);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables, this.view, this.#changed).dispose();
  }

  async #create({ load, onCreated }: TreeContribution, parts: TreeParts): Promise<PlatformTree> {
    const [module, definition] = await Promise.all([import("./platform-tree.ts"), load()]);
    const tree = new module.PlatformTree(definition, this.view, parts);
    this.#disposables = [tree, tree.onDidChangeTreeData((element) => this.#changed.fire(element))];
    if (onCreated !== undefined) {
      this.#disposables = [...this.#disposables, await onCreated(tree)];
    }
    this.#tree = tree;
    return tree;
  }
}
