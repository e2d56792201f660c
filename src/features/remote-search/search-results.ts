import * as vscode from "vscode";
import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { filesText } from "../../ui/format/counts.ts";
import { fileIcon } from "../../ui/resources/resource-icons.ts";
import { displayedRow } from "../../ui/tree/tree-items.ts";
import type { SearchMatch } from "./matches.ts";

const viewId = "platformWorkbench.searchResults";
const redrawPauseMs = 100;
const contextBefore = 40;

/** A file with matches. */
export interface SearchedFile {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly matches: readonly SearchMatch[];
}

type SearchNode =
  | { readonly type: "file"; readonly file: SearchedFile }
  | { readonly type: "place"; readonly file: SearchedFile; readonly place: SearchMatch };

/** The result of a search. */
interface SearchEnd {
  /** Number of text files that were searched. */
  readonly files: number;
  /** Number of files that were skipped because they are binary or too large. */
  readonly skipped: number;
  readonly isCancelled: boolean;
  /** Number of matches after which a search ends. */
  readonly max: number;
  /** Why the search took a request for each file, in one sentence. */
  readonly reason?: string | undefined;
}

/**
 * Lets a file be dragged to an editor. The view also needs this to keep the focus when a search begins: unless a tree
 * has a controller, the editor hides it while it is empty and has a message, which loses the focus.
 */
const draggedFiles: vscode.TreeDragAndDropController<SearchNode> = {
  dragMimeTypes: ["text/uri-list"],
  dropMimeTypes: [],
  handleDrag: (nodes, data) => {
    const uris = new Set(nodes.map(({ file }) => file.uri.toString()));
    data.set("text/uri-list", new vscode.DataTransferItem([...uris].join("\r\n")));
  },
};

/** The Search Results view: files with their matches, added as they are found. Visible after the first search. */
export class SearchResults implements vscode.TreeDataProvider<SearchNode>, vscode.Disposable {
  readonly #view: vscode.TreeView<SearchNode>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  #files: SearchedFile[] = [];
  #count = 0;
  #words = { text: "", workspace: "" };
  /** Aborted when another search is shown, or none. */
  #replaced = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor() {
    this.#view = vscode.window.createTreeView(viewId, {
      treeDataProvider: this,
      showCollapseAll: true,
      dragAndDropController: draggedFiles,
    });
  }

  /** Number of matches so far. */
  get count(): number {
    return this.#count;
  }

  /** The files with matches so far. */
  get files(): readonly SearchedFile[] {
    return this.#files;
  }

  /** Shows a new search. Resolves with a signal that is aborted when its results are no longer shown. */
  async begin(text: string, workspace: string): Promise<AbortSignal> {
    this.#replace();
    const { signal } = this.#replaced;
    this.#words = { text, workspace };
    this.#view.message = withoutLinks(vscode.l10n.t('Searching {0} for "{1}"', workspace, text));
    this.#redraw();
    await vscode.commands.executeCommand("setContext", "platformWorkbench.searched", true);
    await vscode.commands.executeCommand(`${viewId}.focus`);
    return signal;
  }

  add(file: SearchedFile): void {
    this.#files.push(file);
    this.#count += file.matches.length;
    this.#timer ??= setTimeout(() => this.#redraw(), redrawPauseMs);
  }

  /** Removes what was found, because the search begins again. */
  restart(): void {
    this.#files = [];
    this.#count = 0;
    this.#redraw();
  }

  end({ files, skipped, isCancelled, max, reason }: SearchEnd): void {
    this.#files.sort((a, b) => a.path.localeCompare(b.path));
    const { text, workspace } = this.#words;
    const found =
      skipped === 0
        ? vscode.l10n.t("{0} in {1} searched.", results(this.#count), filesText(files))
        : vscode.l10n.t("{0} in {1} searched ({2}).", results(this.#count), filesText(files), skippedText(skipped));
    const sentences = [
      vscode.l10n.t('"{0}" in {1}:', text, workspace),
      found,
      ...(isCancelled ? [vscode.l10n.t("The search was canceled.")] : []),
      ...(this.#count >= max ? [vscode.l10n.t("It ended after {0}.", results(max))] : []),
      ...(reason === undefined ? [] : [vscode.l10n.t("Each file was read on its own: {0}", reason)]),
    ];
    this.#view.message = withoutLinks(sentences.join(" "));
    this.#redraw();
  }

  /** Removes files whose matches were replaced, and says what was done. */
  replaced(paths: ReadonlySet<string>, summary: string): void {
    this.#files = this.#files.filter(({ path }) => !paths.has(path));
    this.#count = this.#files.reduce((sum, { matches }) => sum + matches.length, 0);
    this.#view.message = withoutLinks(summary);
    this.#redraw();
  }

  /**
   * Clears results in the panel, and closes it. Otherwise, when the view disappears, the panel would show a terminal
   * and start one.
   */
  async clearAndClosePanel(): Promise<void> {
    if (this.#view.visible) {
      await vscode.commands.executeCommand("workbench.action.closePanel");
    }
    await this.clear();
  }

  async clear(): Promise<void> {
    this.#replace();
    this.#view.message = "";
    this.#redraw();
    await vscode.commands.executeCommand("setContext", "platformWorkbench.searched", false);
  }

  getChildren(node?: SearchNode): SearchNode[] {
    if (node === undefined) {
      return this.#files.map((file) => ({ type: "file", file }));
    }
    const { file } = node;
    return node.type === "file" ? file.matches.map((place) => ({ type: "place", file, place })) : [];
  }

  getTreeItem(node: SearchNode): vscode.TreeItem {
    return displayedRow(node.type === "file" ? fileItem(node.file) : placeItem(node.file, node.place));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(this.#view, this.#changed).dispose();
  }

  #replace(): void {
    this.#replaced.abort(new vscode.CancellationError());
    this.#replaced = new AbortController();
    this.#files = [];
    this.#count = 0;
  }

  #redraw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.fire(undefined);
  }
}

function fileItem({ uri, path, matches }: SearchedFile): vscode.TreeItem {
  const item = new vscode.TreeItem(nameOf(path), vscode.TreeItemCollapsibleState.Expanded);
  item.id = path;
  item.resourceUri = uri;
  item.iconPath = fileIcon(path);
  item.description = [parentOf(path), String(matches.length)].filter((part) => part !== "").join(" · ");
  item.contextValue = "searchedFile";
  item.accessibilityInformation = { label: `${path}, ${results(matches.length)}` };
  return item;
}

function placeItem({ uri, path }: SearchedFile, place: SearchMatch): vscode.TreeItem {
  const { line, start, end, text, offset = 0, cell } = place;
  const first = start - offset;
  const cut = Math.max(0, first - contextBefore);
  const lead = text.slice(cut, first).trimStart();
  const before = cut + offset > 0 ? `…${lead}` : lead;
  const label = `${before}${text.slice(first)}`.slice(0, 300);
  const highlights: [number, number][] = [[before.length, Math.min(before.length + end - start, label.length)]];
  const item = new vscode.TreeItem({ label, highlights }, vscode.TreeItemCollapsibleState.None);
  item.id = `${path}:${cell ?? ""}:${line}:${start}`;
  item.description = cell === undefined ? String(line + 1) : vscode.l10n.t("cell {0}", cell + 1);
  item.tooltip = text.trim().slice(0, 1000);
  item.command = {
    command: "platformWorkbench.openSearchResult",
    title: vscode.l10n.t("Open"),
    arguments: [{ uri: uri.toString(), line, start, end, ...(cell === undefined ? {} : { cell }) }],
  };
  return item;
}

function skippedText(count: number): string {
  return count === 1
    ? vscode.l10n.t("1 binary or large file skipped")
    : vscode.l10n.t("{0} binary or large files skipped", count);
}

function results(count: number): string {
  return count === 1 ? vscode.l10n.t("1 result") : vscode.l10n.t("{0} results", count);
}
