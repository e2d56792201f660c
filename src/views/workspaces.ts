import * as vscode from "vscode";
import type { Workspace } from "../api/models/workspaces.ts";
import { getWorkspace } from "../api/operations/workspaces.ts";
import { stateOf } from "../api/workspaces.ts";
import type { Connections } from "../tenants/connections.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../tenants/workspace-lifecycle.ts";
import { StartingRows } from "./starting-rows.ts";
import { WorkspaceListing } from "./workspace-listing.ts";
import {
  type ShownWorkspace,
  treeItemOf,
  type WorkspaceNode,
  type WorkspaceTreeNode,
  workspaceItem,
  workspaceTooltip,
} from "./workspace-tree-items.ts";

const viewId = "platformWorkbench.workspaces";
const loadingDelay = 300;
const redrawPause = 20;

export interface WorkspacesViewParts {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly lifecycle: WorkspaceLifecycle;
  readonly log: vscode.LogOutputChannel;
}

/** The Workspaces view: the tenant's workspaces, or with several tenants a row for each with its workspaces below. */
export class WorkspacesView implements vscode.TreeDataProvider<WorkspaceTreeNode>, vscode.Disposable {
  readonly #parts: WorkspacesViewParts;
  readonly #listings = new Map<string, WorkspaceListing>();
  /** One object per workspace, so that a single row can be drawn again. */
  readonly #nodes = new Map<string, WorkspaceNode>();
  /** Tenants whose rows are being asked for: the answer shows what changes meanwhile. */
  readonly #answering = new Set<string>();
  readonly #changed = new vscode.EventEmitter<WorkspaceTreeNode | undefined>();
  readonly #view: vscode.TreeView<WorkspaceTreeNode>;
  readonly #starting: StartingRows<WorkspaceNode>;
  readonly #listeners: readonly vscode.Disposable[];
  #filter = "";
  #redrawing: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(parts: WorkspacesViewParts) {
    this.#parts = parts;
    this.#view = vscode.window.createTreeView(viewId, { treeDataProvider: this });
    this.#starting = new StartingRows({
      isWatched: () => this.#view.visible && vscode.window.state.focused,
      starting: () => this.#startingElsewhere(),
      read: (row) => this.#readAgain(row),
    });
    const forgetTenant = (tenantId: string): void => {
      this.#listings.get(tenantId)?.dispose();
      this.#listings.delete(tenantId);
    };
    this.#listeners = [
      this.#view,
      this.#starting,
      this.#view.onDidChangeVisibility(() => this.#starting.schedule()),
      vscode.window.onDidChangeWindowState(() => this.#starting.schedule()),
      parts.registry.onDidChange(() => {
        for (const id of this.#listings.keys()) {
          forgetTenant(id);
        }
        this.#redrawSoon();
      }),
      parts.secrets.onDidChange(({ tenantId, workspaceId }) => {
        if (workspaceId === undefined) {
          forgetTenant(tenantId);
          this.#redrawSoon();
        }
      }),
      parts.lifecycle.onDidChangeState(({ tenantId, workspaceId, workspace }) =>
        this.#show(tenantId, workspaceId, workspace),
      ),
    ];
    void this.#updateConditions();
  }

  /** The rows that are selected, or the focused one. */
  get selection(): readonly WorkspaceTreeNode[] {
    return this.#view.selection;
  }

  get filter(): string {
    return this.#filter;
  }

  /** Reads again what is shown. */
  async refresh(): Promise<void> {
    const reading = Promise.all([...this.#listings.values()].map((listing) => listing.refresh(this.#filter)));
    await vscode.window.withProgress({ location: { viewId } }, () => reading);
  }

  /** Shows the workspaces whose name contains the text; all of them for the empty text. */
  async setFilter(filter: string): Promise<void> {
    this.#filter = filter;
    this.#view.message = filter === "" ? "" : vscode.l10n.t('Workspaces with "{0}" in their name', filter);
    await vscode.commands.executeCommand("setContext", "platformWorkbench.workspacesFiltered", filter !== "");
    await this.refresh();
  }

  async loadMore(tenantId: string): Promise<void> {
    await vscode.window.withProgress({ location: { viewId } }, async () => this.#listing(tenantId).more());
  }

  async retry(tenantId: string): Promise<void> {
    await this.#listing(tenantId).refresh(this.#filter);
  }

  getTreeItem(node: WorkspaceTreeNode): vscode.TreeItem {
    return node.type === "workspace"
      ? workspaceItem(node, this.#shown(node))
      : treeItemOf(node, { isFiltered: this.#filter !== "" });
  }

  resolveTreeItem(item: vscode.TreeItem, node: WorkspaceTreeNode): vscode.TreeItem {
    if (node.type === "workspace") {
      const tenant = this.#parts.registry.get(node.tenantId);
      item.tooltip = workspaceTooltip(this.#shown(node), tenant);
    }
    return item;
  }

  async getChildren(node?: WorkspaceTreeNode): Promise<WorkspaceTreeNode[]> {
    if (node !== undefined) {
      return node.type === "tenant" ? this.#rows(node.tenant, node.isSignedIn) : [];
    }
    const tenants = this.#parts.registry.all;
    const [only] = tenants;
    if (only === undefined) {
      return [];
    }
    const signedIn = await Promise.all(tenants.map((tenant) => this.#isSignedIn(tenant)));
    if (tenants.length === 1) {
      // Signed out or empty, the view's welcome content says what to do.
      const rows = signedIn[0] === true ? await this.#rows(only, true) : [];
      return this.#filter === "" && rows.every(({ type }) => type === "empty") ? [] : rows;
    }
    return tenants.map((tenant, index) => ({
      type: "tenant",
      tenant,
      isSignedIn: signedIn[index] === true,
      isCurrent: tenant.id === this.#parts.registry.current?.id,
    }));
  }

  dispose(): void {
    clearTimeout(this.#redrawing);
    for (const listing of this.#listings.values()) {
      listing.dispose();
    }
    vscode.Disposable.from(...this.#listeners, this.#changed).dispose();
  }

  async #isSignedIn(tenant: Tenant): Promise<boolean> {
    return (await this.#parts.secrets.credential(tenant)) !== undefined;
  }

  #listing(tenantId: string): WorkspaceListing {
    const known = this.#listings.get(tenantId);
    if (known !== undefined) {
      return known;
    }
    const listing = new WorkspaceListing({
      connect: () => this.#parts.connections.platform(tenantId),
      onChange: () => this.#listed(tenantId),
    });
    this.#listings.set(tenantId, listing);
    return listing;
  }

  async #rows(tenant: Tenant, isSignedIn: boolean): Promise<WorkspaceTreeNode[]> {
    const tenantId = tenant.id;
    if (!isSignedIn) {
      return [{ type: "signedOut", tenant }];
    }
    const listing = this.#listing(tenantId);
    this.#answering.add(tenantId);
    // A quick answer shows no loading row at all.
    await Promise.race([listing.ensure(this.#filter), pause(loadingDelay)]);
    this.#answering.delete(tenantId);
    const { state } = listing;
    const rows = listing.rows.map((workspace) => this.#node(tenantId, workspace.id));
    switch (state.type) {
      case "unread":
      case "loading":
        return rows.length > 0 ? rows : [{ type: "loading", tenantId }];
      case "failed":
        return [{ type: "error", tenantId, error: state.error }, ...rows];
      case "ready":
        if (rows.length === 0) {
          return [{ type: "empty", tenantId }];
        }
        return state.hasMore ? [...rows, { type: "more", tenantId, shown: rows.length, total: state.total }] : rows;
    }
  }

  #node(tenantId: string, workspaceId: string): WorkspaceNode {
    const key = `${tenantId}/${workspaceId}`;
    const node = this.#nodes.get(key) ?? { type: "workspace", tenantId, workspaceId };
    this.#nodes.set(key, node);
    return node;
  }

  #shown({ tenantId, workspaceId }: WorkspaceNode): ShownWorkspace {
    const rows = this.#listings.get(tenantId)?.rows ?? [];
    return {
      workspace: rows.find(({ id }) => id === workspaceId) ?? { id: workspaceId },
      isWaitedFor: this.#parts.lifecycle.isWaitingFor(tenantId, workspaceId),
    };
  }

  #show(tenantId: string, workspaceId: string, workspace: Workspace | undefined): void {
    const listing = this.#listings.get(tenantId);
    if (listing?.rows.some(({ id }) => id === workspaceId) !== true) {
      return;
    }
    if (workspace !== undefined) {
      listing.replace(workspace);
    }
    this.#changed.fire(this.#node(tenantId, workspaceId));
    this.#starting.schedule();
  }

  #listed(tenantId: string): void {
    const listing = this.#listings.get(tenantId);
    const state = listing?.state;
    if (state?.type === "ready") {
      void this.#learn(tenantId, state.rows);
    }
    if (state?.type === "failed") {
      const reason = state.error instanceof Error ? state.error.message : String(state.error);
      this.#parts.log.warn(`view of ${tenantId}: ${reason}`);
    }
    void this.#updateConditions();
    this.#starting.schedule();
    // While rows that are shown are read again, they stay as they are.
    const isRereading = state?.type === "loading" && listing?.rows.length !== 0;
    if (!this.#answering.has(tenantId) && !isRereading) {
      this.#changed.fire(undefined);
    }
  }

  /** Names are remembered for messages and tabs, and addresses so that opening asks nothing again. */
  async #learn(tenantId: string, rows: readonly Workspace[]): Promise<void> {
    try {
      for (const workspace of rows) {
        await this.#parts.connections.learn(tenantId, workspace);
      }
    } catch (error) {
      this.#parts.log.debug(`remembering workspaces: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #startingElsewhere(): readonly WorkspaceNode[] {
    return [...this.#listings].flatMap(([tenantId, listing]) =>
      listing.rows
        .filter((row) => stateOf(row).state === "starting" && !this.#parts.lifecycle.isWaitingFor(tenantId, row.id))
        .map((row) => this.#node(tenantId, row.id)),
    );
  }

  async #readAgain(node: WorkspaceNode): Promise<void> {
    const { tenantId, workspaceId } = node;
    try {
      const client = await this.#parts.connections.platform(tenantId);
      const workspace = await client.call(getWorkspace, { workspaceId });
      if (this.#listings.get(tenantId)?.replace(workspace) === true) {
        await this.#learn(tenantId, [workspace]);
        this.#changed.fire(node);
      }
    } catch (error) {
      this.#parts.log.debug(`reading ${workspaceId} again: ${error instanceof Error ? error.message : String(error)}`);
    }
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
      const listing = this.#listings.get(only.id);
      const isEmpty = listing?.state.type === "ready" && listing.rows.length === 0;
      state = !(await this.#isSignedIn(only)) ? "signedOut" : isEmpty ? "empty" : "listed";
    }
    await vscode.commands.executeCommand("setContext", "platformWorkbench.tenants", count);
    await vscode.commands.executeCommand("setContext", "platformWorkbench.workspacesState", state);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
