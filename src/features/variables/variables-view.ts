import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { CompanionUnavailableError } from "../../api/companion/errors.ts";
import { errorText } from "../../tenants/error-text.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import type { OpenKernel } from "../../tenants/open-kernels.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { StableRow } from "../../ui/tree/elements.ts";
import { KernelVariables, type ListOptions } from "./kernel-variables.ts";
import { obstacleOf } from "./obstacles.ts";
import { itemOf, type NoticeNode } from "./variable-items.ts";
import type { Changed, ListElement, VariableNode } from "./variable-lists.ts";
import type { VariablesServices } from "./variables-services.ts";

const viewId = "platformWorkbench.variables";
const sortKey = "variables.sort";
/** Milliseconds after which the view says that it is loading. */
const quietMs = 300;

type Element = ListElement | NoticeNode;

/**
 * The Variables view. Shows the variables of the notebook that was active last, also while a file is active. Nothing is
 * requested while nobody sees it.
 */
export class VariablesView implements vscode.TreeDataProvider<Element>, vscode.Disposable {
  readonly #services: VariablesServices;
  readonly #view: vscode.TreeView<Element>;
  readonly #changed = new vscode.EventEmitter<Changed>();
  readonly #listeners: readonly vscode.Disposable[];
  /** The keys of the expanded rows. */
  readonly #expanded = new Set<string>();
  #notebook: vscode.NotebookDocument | undefined;
  #notice: NoticeNode | undefined;
  #variables: KernelVariables | undefined;
  #options: ListOptions;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(services: VariablesServices) {
    this.#services = services;
    this.#options = { filter: "", sort: services.state.get<ListOptions["sort"]>(sortKey, "name"), includesAll: false };
    this.#view = vscode.window.createTreeView(viewId, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#listeners = [
      this.#view.onDidChangeVisibility(() => this.#update()),
      this.#view.onDidExpandElement(({ element }) => this.#expand(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#expand(element, false)),
      vscode.window.onDidChangeActiveNotebookEditor((editor) => this.#show(editor?.notebook)),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#closed(notebook)),
      services.openKernels.onEvent(({ kernel, event }) => {
        if (kernel.notebook === this.#notebook) {
          this.#update(event.type === "restarted");
        } else {
          // An untitled notebook that has a kernel from now on.
          this.#show(vscode.window.activeNotebookEditor?.notebook);
        }
      }),
    ];
    void vscode.commands.executeCommand("setContext", "platformWorkbench.variablesKnown", true);
    this.#show(vscode.window.activeNotebookEditor?.notebook);
  }

  get options(): ListOptions {
    return this.#options;
  }

  /** The notebook whose variables are shown. */
  get notebook(): vscode.NotebookDocument | undefined {
    return this.#notebook;
  }

  get kernel(): OpenKernel | undefined {
    return this.#notebook === undefined ? undefined : this.#services.openKernels.find(this.#notebook);
  }

  /** The variables that are shown. Throws if there are none. */
  get variables(): KernelVariables {
    if (this.#variables === undefined) {
      throw new Error(vscode.l10n.t("The kernel of the notebook isn't connected."));
    }
    return this.#variables;
  }

  /**
   * The selected variables if there are several, or else the focused one, for a key. Extensions can't read the focus, so
   * the editor selects it first. A sentence is not selected, because that would run its command.
   */
  async focusedVariables(): Promise<readonly VariableNode[]> {
    if (this.#notice === undefined && this.#view.selection.length < 2) {
      await vscode.commands.executeCommand("list.select");
    }
    return this.#view.selection.flatMap((element) => variableOf(element) ?? []);
  }

  /** Changes what is listed, and reads it. */
  async setOptions(changed: Partial<ListOptions>): Promise<void> {
    const options = { ...this.#options, ...changed };
    this.#options = options;
    const { filter, includesAll } = options;
    await vscode.commands.executeCommand("setContext", "platformWorkbench.variablesFiltered", filter !== "");
    await vscode.commands.executeCommand("setContext", "platformWorkbench.variablesAll", includesAll);
    await this.#services.state.update(sortKey, options.sort);
    this.#showMessage();
    await this.#withProgress(this.#variables?.refresh());
    this.#changed.fire(undefined);
  }

  /** Reads everything again, with a new connection to the program if there is none. */
  async refresh(): Promise<void> {
    if (this.#variables?.state.type === "listed") {
      await this.#withProgress(this.#variables.refresh());
    } else {
      this.#update(true);
    }
  }

  async loadMore(list: string): Promise<void> {
    this.#changed.fire(await this.#withProgress(this.#variables?.lists.loadMore(list)));
  }

  getTreeItem(element: Element): vscode.TreeItem {
    const item = itemOf(element instanceof StableRow ? element.row : element);
    const node = variableOf(element);
    if (node !== undefined && this.#expanded.has(node.key) && node.row.hasChildren) {
      item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    }
    return item;
  }

  async getChildren(element?: Element): Promise<Element[]> {
    const variables = this.#variables;
    if (this.#notice !== undefined || variables === undefined) {
      return this.#notice === undefined ? [] : [this.#notice];
    }
    if (element !== undefined) {
      return element instanceof StableRow && element.row.type === "variable" ? variables.lists.elements(element) : [];
    }
    await Promise.race([variables.settled, delay(quietMs)]);
    if (variables !== this.#variables) {
      return this.getChildren();
    }
    const { state } = variables;
    switch (state.type) {
      case "loading":
        return [{ type: "notice", text: vscode.l10n.t("Loading…"), icon: "loading~spin" }];
      case "waiting":
        return [waitingNotice()];
      case "ended":
        return state.hasRows ? variables.lists.elements() : [failedNotice(state.error)];
      case "listed": {
        const elements = await variables.lists.elements();
        return elements.length > 0 ? elements : [this.#emptyNotice(variables.all)];
      }
    }
  }

  dispose(): void {
    this.#variables?.dispose();
    vscode.Disposable.from(...this.#listeners, this.#view, this.#changed).dispose();
  }

  #expand(element: Element, isExpanded: boolean): void {
    const node = variableOf(element);
    if (node !== undefined) {
      this.#expanded[isExpanded ? "add" : "delete"](node.key);
    }
  }

  /** Shows the variables of a notebook if it is ours. Otherwise, those of the last one stay. */
  #show(notebook: vscode.NotebookDocument | undefined): void {
    const isOurs =
      notebook !== undefined &&
      (notebook.uri.scheme === scheme || this.#services.openKernels.find(notebook) !== undefined);
    if (isOurs && notebook !== this.#notebook) {
      this.#notebook = notebook;
      this.#expanded.clear();
      this.#view.description = nameOf(notebook.uri.path);
      this.#update(true);
    }
  }

  #closed(notebook: vscode.NotebookDocument): void {
    if (notebook === this.#notebook) {
      this.#notebook = undefined;
      this.#view.description = "";
      this.#update(true);
      this.#show(vscode.window.activeNotebookEditor?.notebook);
    }
  }

  /** Follows the kernel. `isNew`: what is shown is of another notebook or process. */
  #update(isNew = false): void {
    const { kernel } = this;
    const notice = this.#notebook === undefined ? undefined : obstacleOf(kernel);
    const connection = kernel?.connection;
    const known = this.#variables;
    if (!this.#view.visible || notice !== undefined || kernel === undefined || connection === undefined) {
      this.#variables = undefined;
      known?.dispose();
    } else if (isNew || known?.connection !== connection || canStartAgain(known)) {
      known?.dispose();
      const variables: KernelVariables = new KernelVariables({
        kernel,
        connection,
        options: () => this.#options,
        isExpanded: (key) => this.#expanded.has(key),
        onChange: (changed) => this.#redraw(variables, changed),
      });
      this.#variables = variables;
    }
    const isOther = isNew || notice?.text !== this.#notice?.text;
    this.#notice = notice;
    // What is hidden stays, unless it must not be shown again.
    if (isOther || (this.#view.visible && this.#variables !== known)) {
      this.#redraw(this.#variables);
    }
  }

  #redraw(variables: KernelVariables | undefined, changed?: Changed): void {
    if (variables === this.#variables) {
      this.#showMessage();
      this.#changed.fire(changed);
    }
  }

  #showMessage(): void {
    const state = this.#variables?.state;
    const { filter } = this.#options;
    const sentences = [
      ...(filter === "" ? [] : [vscode.l10n.t('Variables whose name or type contains "{0}"', filter)]),
      ...(state?.type === "ended" && state.hasRows
        ? [vscode.l10n.t("The variables may have changed since: {0}", errorText(state.error))]
        : []),
    ];
    const message = withoutLinks(sentences.join("\n"));
    if (message !== this.#view.message) {
      this.#view.message = message;
    }
  }

  #emptyNotice(all: number): NoticeNode {
    const text =
      this.#options.filter !== "" ? vscode.l10n.t("No matching variables") : vscode.l10n.t("No variables yet");
    return { type: "notice", text: all === 0 ? vscode.l10n.t("No variables yet") : text, icon: "info" };
  }

  async #withProgress<Result>(work: Promise<Result> | undefined): Promise<Result | undefined> {
    return vscode.window.withProgress({ location: { viewId } }, async () => work);
  }
}

function variableOf(element: Element): VariableNode | undefined {
  return element instanceof StableRow && element.row.type === "variable" ? element.row : undefined;
}

/** True if the program could be lost only with the connection, which is open again. */
function canStartAgain({ state, connection }: KernelVariables): boolean {
  return (
    state.type === "ended" &&
    !(state.error instanceof CompanionUnavailableError) &&
    connection.state.type === "connected"
  );
}

function waitingNotice(): NoticeNode {
  const text = vscode.l10n.t("The kernel is busy. Variables are shown when the running cell has ended.");
  return { type: "notice", text, icon: "watch" };
}

function failedNotice(error: unknown): NoticeNode {
  return {
    type: "notice",
    text: vscode.l10n.t("Can't show variables: {0}", errorText(error)),
    icon: "error",
    action: { label: vscode.l10n.t("Select to retry"), command: "platformWorkbench.refreshVariables" },
  };
}
