import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import { WindowActivity } from "../../tenants/window-activity.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import { addExecutionCounts } from "./cells/saved-execution-counts.ts";
import { ConnectionTrouble } from "./connection-trouble.ts";
import type { ControllerEvent } from "./kernel-controller.ts";
import { settleKernel } from "./kernel-ownership.ts";
import { KernelSelection, markFollowing } from "./kernel-selection.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernelEvent } from "./notebook-connection.ts";
import { NotebookKernel } from "./notebook-kernel.ts";
import { notebookType } from "./notebook-metadata.ts";
import { sweepFullOutputs } from "./output/full-output.ts";
import { type KernelSessions, storedKernelSessions } from "./sessions/kernel-sessions.ts";
import { addWidgetState } from "./widgets/saved-widget-state.ts";
import { WorkspaceKernels } from "./workspace-kernels.ts";

const ownerKey = "kernels.owner";

/** An event of one of the open notebooks. */
export interface NotebookEvent {
  readonly kernel: NotebookKernel;
  readonly event: NotebookKernelEvent;
}

/**
 * The open notebooks of workspaces. Creates the owners of state, which it alone knows all of: a NotebookKernel for each
 * notebook, WorkspaceKernels for each of their workspaces, and the window's KernelSessions. Passes on to them what the
 * editor reports. What the window shows about kernels, and the commands, use it, and learn of changes from its events.
 */
export class NotebookKernels implements vscode.Disposable {
  /** The kernels and sessions of notebooks across reloads and windows. */
  readonly sessions: KernelSessions;
  readonly trouble: ConnectionTrouble;
  readonly #services: KernelServices;
  readonly #workspaces = new Map<string, WorkspaceKernels>();
  readonly #kernels = new Map<vscode.NotebookDocument, NotebookKernel>();
  readonly #events = new vscode.EventEmitter<NotebookEvent>();
  readonly #selection = new KernelSelection();
  /** Authorities of workspaces whose server reported no kernels. They are not requested again for another notebook. */
  readonly #withoutKernels = new Set<string>();
  /** Running checks whether a server has kernels, by authority. Runs that begin meanwhile wait for the same one. */
  readonly #reaching = new RequestSharing<void>();
  readonly #outputDirectory: string;
  readonly #disposables: readonly vscode.Disposable[];

  constructor(services: KernelServices) {
    this.#services = services;
    const owner = services.windowState.get<string>(ownerKey) ?? randomUUID();
    void services.windowState.update(ownerKey, owner);
    const presence = new WindowActivity();
    this.sessions = storedKernelSessions({ services, owner, presence }, (error) => this.#failed(error));
    this.trouble = new ConnectionTrouble(services);
    this.#outputDirectory = join(services.storage.fsPath, "cell-output");
    this.sessions.sweep().catch((error: unknown) => this.#failed(error));
    sweepFullOutputs(this.#outputDirectory).catch((error: unknown) => this.#failed(error));
    this.#disposables = [
      presence,
      this.#events,
      this.#selection,
      vscode.window.onDidChangeVisibleNotebookEditors(() => this.#showFollowing()),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#closed(notebook)),
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? this.#renewLeases() : undefined)),
      vscode.workspace.onWillSaveNotebookDocument((event) => {
        const kernel = this.find(event.notebook);
        addExecutionCounts(event, (cell) => kernel?.isExecuting(cell) === true);
        addWidgetState(event, kernel);
      }),
    ];
  }

  /** Fires for each event of the open notebooks. */
  get onEvent(): vscode.Event<NotebookEvent> {
    return this.#events.event;
  }

  /** The kernels of the open notebooks. */
  get all(): readonly NotebookKernel[] {
    return [...this.#kernels.values()];
  }

  /** The kernel of an open notebook of a workspace; otherwise undefined. */
  find(notebook: vscode.NotebookDocument): NotebookKernel | undefined {
    return this.#kernels.get(notebook);
  }

  /** The kernel of a notebook of a workspace. */
  kernelOf(notebook: vscode.NotebookDocument): NotebookKernel {
    const known = this.#kernels.get(notebook);
    if (known !== undefined) {
      return known;
    }
    const { sessions, trouble } = this;
    const kernel = new NotebookKernel(notebook, this.#workspaceOf(notebook), {
      sessions,
      trouble,
      log: this.#services.log,
      outputDirectory: this.#outputDirectory,
    });
    kernel.onEvent((event) => {
      if (event.type === "status") {
        this.#showFollowing();
      }
      this.#events.fire({ kernel, event });
    });
    this.#kernels.set(notebook, kernel);
    return kernel;
  }

  /**
   * Handles a notebook that was opened, or that can be connected again: offers its workspace's kernels in the editor, and
   * resumes cells that still run. Never rejects.
   */
  async opened(notebook: vscode.NotebookDocument): Promise<void> {
    if (notebook.uri.scheme !== scheme || notebook.notebookType !== notebookType) {
      return;
    }
    try {
      await this.#offer(notebook);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Asks the servers again that had no kernels, because the user has entered a token or started a workspace. */
  resetSupport(): void {
    this.#withoutKernels.clear();
  }

  /** Selects the kernel of a notebook in the editor. */
  async select({ notebook, controller }: NotebookKernel): Promise<void> {
    await this.#selection.choose(notebook, controller);
  }

  dispose(): void {
    for (const kernel of this.#kernels.values()) {
      kernel.dispose();
    }
    for (const workspace of this.#workspaces.values()) {
      workspace.dispose();
    }
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  async #offer(notebook: vscode.NotebookDocument): Promise<void> {
    const workspace = this.#workspaceOf(notebook);
    const kernel = this.kernelOf(notebook);
    const prefer = (): void => {
      const preferred = workspace.controllerOf(notebook);
      preferred.controller.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
      kernel.prefer(preferred);
    };
    prefer();
    await kernel.opened();
    const { authority } = notebook.uri;
    if (workspace.isUnknown && !this.#withoutKernels.has(authority)) {
      try {
        if (!(await workspace.discover())) {
          this.#withoutKernels.add(authority);
        }
        if (notebook.isClosed) {
          return;
        }
        prefer();
      } catch (error) {
        // For example, the workspace isn't running. The user is asked when a cell is run.
        this.#services.log.debug(`kernels of ${workspace.name}: ${errorMessage(error)}`);
      }
    }
    await this.#selection.offer(notebook, workspace);
  }

  #workspaceOf({ uri }: vscode.NotebookDocument): WorkspaceKernels {
    const known = this.#workspaces.get(uri.authority);
    if (known !== undefined) {
      return known;
    }
    const { tenantId, workspaceId } = addressOf(uri);
    const workspace = new WorkspaceKernels({ tenantId, workspaceId }, this.#services);
    workspace.onEvent((event) => void this.#handle(event));
    this.#workspaces.set(uri.authority, workspace);
    return workspace;
  }

  async #handle(event: ControllerEvent): Promise<void> {
    const { controller, notebook } = event;
    try {
      switch (event.type) {
        case "selected":
          await this.find(notebook)?.selected(controller);
          return;
        case "interrupt":
          await this.find(notebook)?.interrupt();
          return;
        case "run":
          await this.#run(event);
      }
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        this.#services.log.error(`${event.type} of cells: ${errorMessage(error)}`);
        await this.#services.showError(error, controller.address);
      }
    }
  }

  async #run({ controller, notebook, cells }: Extract<ControllerEvent, { readonly type: "run" }>): Promise<void> {
    const { address } = controller;
    if (notebook.uri.scheme !== scheme || this.#workspaces.get(notebook.uri.authority)?.address !== address) {
      throw new Error(
        vscode.l10n.t(
          "This kernel runs only notebooks from the workspace {0}. Select another kernel for this notebook.",
          this.#services.connections.nameOf(address.tenantId, address.workspaceId),
        ),
      );
    }
    const kernel = this.kernelOf(notebook);
    if (kernel.connection === undefined) {
      // Cells are shown as queued only afterward, because the editor then clears their execution counts.
      await this.#reaching.run(notebook.uri.authority, () =>
        this.trouble.withRecovery(address, () => kernel.workspace.requireKernels()),
      );
    }
    if (kernel.controller === controller) {
      await this.trouble.withRecovery(address, () => settleKernel(kernel, this.sessions));
    }
    await kernel.run(controller, cells);
  }

  #closed(notebook: vscode.NotebookDocument): void {
    this.#kernels.get(notebook)?.dispose();
    this.#kernels.delete(notebook);
    const { authority } = notebook.uri;
    const others = vscode.workspace.notebookDocuments.filter(
      (other) => other !== notebook && other.uri.authority === authority && other.uri.scheme === scheme,
    );
    if (others.length === 0) {
      this.#workspaces.get(authority)?.dispose();
      this.#workspaces.delete(authority);
    }
  }

  #showFollowing(): void {
    const controllers = [...this.#workspaces.values()].flatMap((workspace) => [...workspace.controllers.values()]);
    markFollowing(controllers, (notebook) => this.find(notebook)?.isFollowing === true);
  }

  /**
   * Checks leases when the window gets the focus, so that a user who took over a kernel in another window immediately
   * sees that this window follows it.
   */
  #renewLeases(): void {
    for (const { lease } of this.all) {
      void lease?.renew();
    }
  }

  #failed(error: unknown): void {
    this.#services.log.error(`kernels: ${errorMessage(error)}`);
  }
}
