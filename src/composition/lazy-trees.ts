import * as vscode from "vscode";
import type { WorkspacesViewParts } from "../features/workspaces/tree.ts";
import type { TreeRow, ViewName } from "../ui/tree/definition.ts";
import type { TreeElement } from "../ui/tree/elements.ts";
import type { PlatformTree } from "../ui/tree/platform-tree.ts";
import type { PlatformTrees, TreeViews } from "./trees.ts";

/** Registers the views with the extension; what they show is loaded when the first of them comes in sight. */
export class LazyTrees implements vscode.Disposable {
  readonly #parts: WorkspacesViewParts;
  readonly #providers: Readonly<Record<ViewName, LazyTree>>;
  readonly #views: TreeViews;
  #loading: Promise<PlatformTrees & vscode.Disposable> | undefined;

  constructor(parts: WorkspacesViewParts) {
    this.#parts = parts;
    const provider = (name: ViewName): LazyTree => new LazyTree(async () => (await this.load())[name], name);
    this.#providers = {
      workspaces: provider("workspaces"),
      designs: provider("designs"),
      pages: provider("pages"),
      sandbox: provider("sandbox"),
      workflows: provider("workflows"),
    };
    const view = (name: ViewName): vscode.TreeView<TreeElement> => {
      const treeDataProvider = this.#providers[name];
      return vscode.window.createTreeView(`platformWorkbench.${name}`, {
        treeDataProvider,
        showCollapseAll: name !== "workspaces",
        ...(name === "pages" ? { canSelectMany: true, dragAndDropController: treeDataProvider } : {}),
      });
    };
    this.#views = {
      workspaces: view("workspaces"),
      designs: view("designs"),
      pages: view("pages"),
      sandbox: view("sandbox"),
      workflows: view("workflows"),
    };
  }

  /** The selected rows of all views that show. */
  get selection(): readonly TreeRow[] {
    return Object.values(this.#views)
      .filter(({ visible }) => visible)
      .flatMap(({ selection }) => selection.flatMap((element) => (element.type === "row" ? [element.row] : [])));
  }

  /** The trees, made on the first call. */
  load(): Promise<PlatformTrees> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  dispose(): void {
    void this.#loading?.then((trees) => trees.dispose());
    vscode.Disposable.from(...Object.values(this.#views), ...Object.values(this.#providers)).dispose();
  }

  async #load(): Promise<PlatformTrees & vscode.Disposable> {
    const { createTrees } = await import("./trees.ts");
    const trees = createTrees(this.#views, this.#parts);
    for (const [name, provider] of Object.entries(this.#providers)) {
      provider.follow(trees[name as ViewName]);
    }
    return trees;
  }
}

/** Stands in for a tree until it is loaded, and hands on to it from then on. */
class LazyTree implements vscode.TreeDataProvider<TreeElement>, vscode.TreeDragAndDropController<TreeElement> {
  readonly dragMimeTypes: readonly string[];
  readonly dropMimeTypes: readonly string[];
  readonly #load: () => Promise<PlatformTree>;
  readonly #changed = new vscode.EventEmitter<TreeElement | undefined>();
  #tree: PlatformTree | undefined;
  #listener: vscode.Disposable | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<PlatformTree>, name: ViewName) {
    this.#load = load;
    this.dropMimeTypes = [`application/vnd.code.tree.platformworkbench.${name}`];
    this.dragMimeTypes = [];
  }

  follow(tree: PlatformTree): void {
    this.#tree = tree;
    this.#listener = tree.onDidChangeTreeData((element) => this.#changed.fire(element));
  }

  async getChildren(element?: TreeElement): Promise<TreeElement[]> {
    return (await this.#load()).getChildren(element);
  }

  async getTreeItem(element: TreeElement): Promise<vscode.TreeItem> {
    return (await this.#load()).getTreeItem(element);
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    element: TreeElement,
    cancellation: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    return (await this.#load()).resolveTreeItem(item, element, cancellation);
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return this.#tree?.getParent(element);
  }

  async handleDrag(source: readonly TreeElement[], data: vscode.DataTransfer): Promise<void> {
    (await this.#load()).drag(source, data);
  }

  async handleDrop(target: TreeElement | undefined, data: vscode.DataTransfer): Promise<void> {
    await (await this.#load()).drop(target, data);
  }

  dispose(): void {
    this.#listener?.dispose();
    this.#changed.dispose();
  }
}
