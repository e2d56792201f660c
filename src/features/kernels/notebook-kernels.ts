import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import { errorMessage } from "../../api/error-message.ts";
import { WindowActivity } from "../../tenants/window-activity.ts";
import { addressOf, authorityOf, scheme } from "../../tenants/workspace-uri.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { addExecutionCounts } from "./cells/saved-execution-counts.ts";
import { ConnectionTrouble } from "./connection-trouble.ts";
import type { ControllerEvent, KernelController } from "./controllers/kernel-controller.ts";
import { KernelSelection, markFollowing } from "./controllers/kernel-selection.ts";
import { WindowWorkspaces } from "./controllers/window-workspaces.ts";
import type { WorkspaceKernels } from "./controllers/workspace-kernels.ts";
import { settleKernel } from "./kernel-ownership.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernelEvent } from "./notebook-connection.ts";
import { NotebookKernel } from "./notebook-kernel.ts";
import { kernelNameOf, notebookType, writeKernelMetadata } from "./notebook-metadata.ts";
import { sweepFullOutputs } from "./output/full-output.ts";
import { type KernelSessions, storedKernelSessions } from "./sessions/kernel-sessions.ts";
import { isSavedFrom, isUntitled, workspacesInWindow } from "./untitled/untitled-notebook.ts";
import { addWidgetState } from "./widgets/saved-widget-state.ts";

const ownerKey = "kernels.owner";

/** An event of one of the open notebooks. */
export interface NotebookEvent {
  readonly kernel: NotebookKernel;
  readonly event: NotebookKernelEvent;
}

/**
 * The open notebooks of workspaces. Creates the owners of state, which it alone knows all of: a NotebookKernel for each
 * notebook, the WindowWorkspaces that they run in, and the window's KernelSessions. Passes on to them what the
 * editor reports. What the window shows about kernels, and the commands, use it, and learn of changes from its events.
 */
export class NotebookKernels implements vscode.Disposable {
  /** The kernels and sessions of notebooks across reloads and windows. */
  readonly sessions: KernelSessions;
  readonly trouble: ConnectionTrouble;
  readonly #services: KernelServices;
  readonly #workspaces: WindowWorkspaces;
  readonly #kernels = new Map<vscode.NotebookDocument, NotebookKernel>();
  readonly #events = new vscode.EventEmitter<NotebookEvent>();
  readonly #selection = new KernelSelection();
  readonly #outputDirectory: string;
  readonly #disposables: readonly vscode.Disposable[];

  constructor(services: KernelServices) {
    this.#services = services;
    const owner = services.windowState.get<string>(ownerKey) ?? randomUUID();
    void services.windowState.update(ownerKey, owner);
    const presence = new WindowActivity();
    this.sessions = storedKernelSessions({ services, owner, presence }, (error) => this.#failed(error));
    this.trouble = new ConnectionTrouble(services);
    this.#workspaces = new WindowWorkspaces(services, (event) => void this.#handle(event));
    this.#outputDirectory = join(services.storage.fsPath, "cell-output");
    this.sessions.sweep().catch((error: unknown) => this.#failed(error));
    sweepFullOutputs(this.#outputDirectory).catch((error: unknown) => this.#failed(error));
    this.#disposables = [
      presence,
      this.#events,
      this.#selection,
      vscode.window.onDidChangeVisibleNotebookEditors(() => this.#showFollowing()),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#closed(notebook)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.offerToUntitled()),
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

  /**
   * The kernel of a notebook of a workspace, or of an untitled notebook. Throws if none of our kernels is selected for an
   * untitled notebook.
   */
  kernelOf(notebook: vscode.NotebookDocument): NotebookKernel {
    return this.#kernels.get(notebook) ?? this.#create(notebook, this.#workspaceFor(notebook));
  }

  #create(notebook: vscode.NotebookDocument, workspace: WorkspaceKernels): NotebookKernel {
    const { sessions, trouble } = this;
    const kernel = new NotebookKernel(notebook, workspace, {
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
    try {
      if (isUntitled(notebook)) {
        await this.#offerForUntitled(notebook);
      } else if (notebook.uri.scheme === scheme && notebook.notebookType === notebookType) {
        const untitled = this.all.find(
          (kernel) => isUntitled(kernel.notebook) && isSavedFrom(kernel.notebook, notebook),
        );
        if (untitled !== undefined) {
          // The editor's Save As. It closes the untitled notebook afterward.
          await this.savedAs(untitled.notebook, notebook.uri);
        }
        await this.#offer(notebook);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  /**
   * Handles an untitled notebook that was saved: the saved notebook gets its kernel if that runs in the same workspace.
   * Running cells continue there. Call this before the untitled notebook is closed. Never rejects.
   */
  async savedAs(untitled: vscode.NotebookDocument, uri: vscode.Uri): Promise<void> {
    const kernel = this.find(untitled);
    const { tenantId, workspaceId } = addressOf(uri);
    const address = kernel?.workspace.address;
    if (kernel === undefined || address?.tenantId !== tenantId || address.workspaceId !== workspaceId) {
      return;
    }
    if (kernel.running.length > 0) {
      this.sessions.expectRuns(uri);
    }
    try {
      await this.sessions.move(untitled.uri, uri, kernel.workspace.server);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Offers kernels again for the untitled notebooks, because the window shows other workspaces. Never rejects. */
  async offerToUntitled(): Promise<void> {
    await Promise.all(vscode.workspace.notebookDocuments.filter(isUntitled).map((notebook) => this.opened(notebook)));
  }

  /**
   * Removes a tenant's kernels from the editor's list after the user signed out, because another account may sign in.
   * Those of its open notebooks, which have unsaved changes, stay.
   */
  signedOut(tenantId: string): void {
    for (const kernel of this.all) {
      if (isUntitled(kernel.notebook) && kernel.workspace.address.tenantId === tenantId) {
        kernel.dispose();
        this.#kernels.delete(kernel.notebook);
      }
    }
    this.#workspaces.signedOut(tenantId, new Set(this.all.map(({ workspace }) => workspace)));
  }

  /** Asks the servers again that had no kernels, because the user has entered a token or started a workspace. */
  resetSupport(): void {
    this.#workspaces.resetSupport();
  }

  /** True if an untitled notebook has, or gets, a kernel that runs in the folder of a workspace's file. */
  isConsole(notebook: vscode.NotebookDocument, script: vscode.Uri): boolean {
    const kernel = this.find(notebook);
    const bound = this.sessions.binding(notebook.uri)?.untitled;
    const { tenantId, workspaceId } = kernel?.workspace.address ?? {};
    const authority =
      tenantId === undefined || workspaceId === undefined ? bound?.authority : authorityOf(tenantId, workspaceId);
    const path = kernel?.path ?? bound?.path;
    return authority === script.authority && path !== undefined && parentOf(path) === parentOf(addressOf(script).path);
  }

  /**
   * Selects a kernel of a workspace for a visible untitled notebook, unless one is selected. A new kernel begins in the
   * folder. Returns the selected kernel.
   */
  async selectForConsole(
    notebook: vscode.NotebookDocument,
    {
      authority,
      folder,
      languageId,
    }: { readonly authority: string; readonly folder: string; readonly languageId: string },
  ): Promise<KernelController> {
    await this.#workspaces.offer(authority);
    const workspace = this.#workspaces.at(authority);
    workspace.offerDefault();
    const selected = [...workspace.controllers.values()].find((controller) => controller.isSelectedFor(notebook));
    if (this.find(notebook) === undefined) {
      this.#create(notebook, workspace).folder = folder;
    }
    const controller = selected ?? workspace.controllerFor(notebook, languageId);
    if (selected === undefined) {
      await this.#selection.choose(notebook, controller);
    }
    return controller;
  }

  /** Selects the kernel of a notebook in the editor. */
  async select({ notebook, controller }: NotebookKernel): Promise<void> {
    await this.#selection.choose(notebook, controller);
  }

  dispose(): void {
    for (const kernel of this.#kernels.values()) {
      kernel.dispose();
    }
    this.#workspaces.dispose();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /**
   * Offers the kernels of the window's workspaces for an untitled notebook, without preferring one. Shows the state of the
   * kernel that a restored one had.
   */
  async #offerForUntitled(notebook: vscode.NotebookDocument): Promise<void> {
    const bound = this.sessions.binding(notebook.uri)?.untitled;
    if (bound !== undefined && kernelNameOf(notebook) === undefined) {
      // A window was closed without restoring its notebook, whose name a new one has. No other window can use its kernel.
      await this.sessions.end(notebook.uri, this.#workspaces.at(bound.authority).server);
    } else if (bound !== undefined) {
      const kernel = this.kernelOf(notebook);
      await kernel.opened();
      await this.#selection.offer(notebook, kernel.workspace);
    }
    await Promise.all(workspacesInWindow().map((authority) => this.#workspaces.offer(authority)));
  }

  async #offer(notebook: vscode.NotebookDocument): Promise<void> {
    const workspace = this.#workspaceFor(notebook);
    const kernel = this.kernelOf(notebook);
    const prefer = (): void => {
      const preferred = workspace.controllerOf(notebook);
      preferred.controller.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
      kernel.prefer(preferred);
    };
    prefer();
    await kernel.opened();
    if (workspace.isUnknown && (await this.#workspaces.discover(notebook.uri.authority))) {
      if (notebook.isClosed) {
        return;
      }
      prefer();
    }
    await this.#selection.offer(notebook, workspace);
  }

  /** The workspace of a notebook: the one that its URI names, or whose kernel an untitled one has or has selected. */
  #workspaceFor(notebook: vscode.NotebookDocument): WorkspaceKernels {
    if (!isUntitled(notebook)) {
      return this.#workspaces.at(notebook.uri.authority);
    }
    const bound = this.sessions.binding(notebook.uri)?.untitled;
    const workspace =
      bound === undefined ? this.#workspaces.selectedFor(notebook) : this.#workspaces.at(bound.authority);
    if (workspace === undefined) {
      throw new Error(vscode.l10n.t("{0} has no running kernel. To start one, run a cell.", nameOf(notebook.uri.path)));
    }
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
    const kernel = isUntitled(notebook)
      ? await this.#kernelForUntitled(notebook, controller)
      : this.#kernelForSaved(notebook, controller);
    if (kernel.connection === undefined) {
      // Cells are shown as queued only afterward, because the editor then clears their execution counts.
      await this.#workspaces.reach(address, () =>
        this.trouble.withRecovery(address, () => kernel.workspace.requireKernels()),
      );
    }
    if (kernel.controller === controller) {
      await this.trouble.withRecovery(address, () => settleKernel(kernel, this.sessions));
    }
    await kernel.run(controller, cells);
  }

  #kernelForSaved(notebook: vscode.NotebookDocument, controller: KernelController): NotebookKernel {
    const { address } = controller;
    const isOwn = notebook.uri.authority === authorityOf(address.tenantId, address.workspaceId);
    if (notebook.uri.scheme !== scheme || !isOwn || this.#workspaces.of(controller) === undefined) {
      throw new Error(
        vscode.l10n.t(
          "This kernel runs only notebooks from the workspace {0}. Select another kernel for this notebook.",
          this.#services.connections.nameOf(address.tenantId, address.workspaceId),
        ),
      );
    }
    return this.kernelOf(notebook);
  }

  /** The kernel of an untitled notebook in the controller's workspace. Asks before that in another workspace is shut down. */
  async #kernelForUntitled(notebook: vscode.NotebookDocument, controller: KernelController): Promise<NotebookKernel> {
    const known = this.find(notebook);
    const workspace = this.#workspaces.of(controller);
    if (workspace === undefined) {
      // The controller was disposed meanwhile.
      throw new vscode.CancellationError();
    }
    if (known !== undefined && known.workspace !== workspace) {
      if (this.sessions.binding(notebook.uri) !== undefined) {
        await confirm({
          question: vscode.l10n.t(
            "Shut down the kernel of {0} in {1}?",
            nameOf(notebook.uri.path),
            known.workspace.name,
          ),
          consequence: vscode.l10n.t("Its variables are lost, and running cells end."),
          action: vscode.l10n.t("Shut Down"),
        });
        known.dropAll();
        known.disconnect();
        await this.sessions.end(notebook.uri, known.workspace.server);
      }
      known.dispose();
    }
    // A restored notebook that names its kernel is connected to it again.
    await writeKernelMetadata(notebook, controller.spec);
    return known?.workspace === workspace ? known : this.#create(notebook, workspace);
  }

  #closed(notebook: vscode.NotebookDocument): void {
    const kernel = this.find(notebook);
    kernel?.dispose();
    this.#kernels.delete(notebook);
    if (kernel !== undefined && isUntitled(notebook)) {
      // It wasn't saved. Otherwise, the saved notebook has its session.
      this.sessions.end(notebook.uri, kernel.workspace.server).catch((error: unknown) => this.#failed(error));
    }
    this.#workspaces.release(vscode.workspace.notebookDocuments.filter((other) => other !== notebook));
  }

  #showFollowing(): void {
    markFollowing(this.#workspaces.controllers, (notebook) => this.find(notebook)?.isFollowing === true);
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
