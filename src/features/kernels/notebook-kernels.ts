import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import { WindowActivity } from "../../tenants/window-activity.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import { CellInputs } from "./cells/cell-inputs.ts";
import { CellStatus } from "./cells/cell-status.ts";
import { addExecutionCounts } from "./cells/saved-execution-counts.ts";
import { ConnectionTrouble } from "./connection-trouble.ts";
import { EarlierKernels } from "./earlier-kernels.ts";
import { KernelAccess } from "./kernel-access.ts";
import { KernelAttachments } from "./kernel-attachments.ts";
import { KernelConnector } from "./kernel-connector.ts";
import type { KernelController } from "./kernel-controller.ts";
import { KernelRenames } from "./kernel-renames.ts";
import { KernelSelection, markFollowing } from "./kernel-selection.ts";
import type { KernelServices, WorkspaceAddress } from "./kernel-services.ts";
import { KernelStatus } from "./kernel-status.ts";
import { NotebookKernel } from "./notebook-kernel.ts";
import { notebookType } from "./notebook-metadata.ts";
import { sweepFullOutputs } from "./output/full-output.ts";
import type { AttachedKernel } from "./sessions/attachment.ts";
import { JournalFiles } from "./sessions/journal-files.ts";
import { KernelBindings } from "./sessions/kernel-bindings.ts";
import { leaseFilesIn } from "./sessions/lease-files.ts";
import { WindowLeases } from "./sessions/window-leases.ts";
import { WidgetPages } from "./widgets/widget-pages.ts";
import { WorkspaceKernels } from "./workspace-kernels.ts";

const ownerKey = "kernels.owner";

/** The open notebooks of workspaces, with their kernels. */
export class NotebookKernels implements vscode.Disposable {
  readonly #services: KernelServices;
  readonly #workspaces = new Map<string, WorkspaceKernels>();
  readonly #kernels = new Map<vscode.NotebookDocument, NotebookKernel>();
  readonly #selection = new KernelSelection((notebook) => this.#workspaceOf(notebook));
  /** Authorities of workspaces whose server reported no kernels. They are not requested again for another notebook. */
  readonly #withoutKernels = new Set<string>();
  /** Running checks whether a server has kernels, by authority. Runs that begin meanwhile wait for the same one. */
  readonly #reaching = new RequestSharing<void>();
  readonly #earlier: EarlierKernels;
  readonly #bindings: KernelBindings;
  readonly #outputDirectory: string;
  readonly #trouble: ConnectionTrouble;
  /** Attaches notebooks to kernels. */
  readonly attachments: KernelAttachments;
  readonly #inputs = new CellInputs();
  readonly #status: KernelStatus;
  readonly #cellStatus: CellStatus;
  readonly #disposables: readonly vscode.Disposable[];
  /** The pages that show widgets. */
  readonly widgetPages: WidgetPages;

  constructor(services: KernelServices, messaging: vscode.NotebookRendererMessaging) {
    this.#services = services;
    const owner = services.windowState.get<string>(ownerKey) ?? randomUUID();
    void services.windowState.update(ownerKey, owner);
    const journals = new JournalFiles(join(services.storage.fsPath, "kernel-journals"), owner);
    this.#bindings = new KernelBindings(services.windowState, journals);
    const leases = new WindowLeases({
      leases: leaseFilesIn(join(services.storage.fsPath, "kernel-leases")),
      owner,
      onError: (error) => this.#failed(error),
    });
    this.#outputDirectory = join(services.storage.fsPath, "cell-output");
    this.#trouble = new ConnectionTrouble(services);
    const presence = new WindowActivity();
    const connector = new KernelConnector({
      services,
      bindings: this.#bindings,
      journals,
      leases,
      presence,
      trouble: this.#trouble,
      onGone: (notebook) => void this.#gone(notebook),
    });
    this.attachments = new KernelAttachments({
      bindings: this.#bindings,
      leases,
      connector,
      workspaceOf: (notebook) => this.#workspaceOf(notebook),
    });
    this.#earlier = new EarlierKernels({
      bindings: this.#bindings,
      attachments: this.attachments,
      journals,
      log: services.log,
      workspaceOf: (notebook) => this.#workspaceOf(notebook),
      known: (notebook) => this.#kernels.get(notebook),
      kernelOf: (notebook, controller) => this.#kernelOf(notebook, controller),
    });
    this.#status = new KernelStatus((notebook) => this.#kernels.get(notebook));
    this.#cellStatus = new CellStatus((notebook) => this.#kernels.get(notebook));
    this.widgetPages = new WidgetPages({
      messaging,
      sessionOf: (notebook) => this.#earlier.widgetsOf(notebook),
      isFollowed: (notebook) => this.#kernels.get(notebook)?.isFollowing === true,
      onError: (error) => this.#failed(error),
    });
    this.#bindings.sweepJournals().catch((error: unknown) => this.#failed(error));
    sweepFullOutputs(this.#outputDirectory).catch((error: unknown) => this.#failed(error));
    this.#disposables = [
      presence,
      this.#status,
      this.#cellStatus,
      this.#inputs,
      this.widgetPages,
      vscode.window.onDidChangeActiveNotebookEditor(() => void this.#selection.chooseFirst()),
      vscode.window.onDidChangeVisibleNotebookEditors(() => this.#showFollowing()),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#closed(notebook)),
      new KernelRenames({
        services,
        bindings: this.#bindings,
        attachments: this.attachments,
        earlier: this.#earlier,
        running: () =>
          [...this.#kernels.values()].flatMap(({ notebook, running }) => (running.length > 0 ? notebook : [])),
        opened: (notebook) => this.opened(notebook),
        onError: (error) => this.#failed(error),
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? this.#renewLeases() : undefined)),
      new KernelAccess({
        services,
        earlier: this.#earlier,
        kernels: () => this.#kernels.values(),
        onAvailable: () => this.#withoutKernels.clear(),
        onReturned: (notebook) => this.opened(notebook),
        onLeft: () => this.#changed(),
        onError: (error) => this.#failed(error),
      }),
      vscode.workspace.onWillSaveNotebookDocument((event) =>
        addExecutionCounts(event, (cell) => this.#kernels.get(event.notebook)?.isExecuting(cell) === true),
      ),
    ];
  }

  /**
   * Handles an opened notebook: offers its workspace's kernels in the editor, and resumes cells that still run. Never
   * rejects.
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

  async #offer(notebook: vscode.NotebookDocument): Promise<void> {
    const workspace = this.#workspaceOf(notebook);
    const prefer = (): KernelController => {
      const preferred = workspace.controllerOf(notebook);
      preferred.controller.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
      return preferred;
    };
    prefer();
    await this.#earlier.opened(notebook);
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
    await this.#selection.offer(notebook);
  }

  /** The kernel of a notebook that was run in this window; otherwise undefined. */
  kernelOf(notebook: vscode.NotebookDocument): NotebookKernel | undefined {
    return this.#kernels.get(notebook);
  }

  /** The kernels of the notebook's workspace. */
  workspaceOf(notebook: vscode.NotebookDocument): WorkspaceKernels {
    return this.#workspaceOf(notebook);
  }

  /** Asks for the input that a cell waits for. Throws if no cell waits. */
  async enterInput(notebook: vscode.NotebookDocument, cell?: vscode.NotebookCell): Promise<void> {
    const kernel = this.#kernels.get(notebook);
    const run = kernel?.running.find(
      (candidate) => candidate.input !== undefined && (cell ?? candidate.cell) === candidate.cell,
    );
    if (kernel === undefined || run === undefined) {
      throw new Error(vscode.l10n.t("No cell in this notebook is waiting for input."));
    }
    await this.#inputs.ask(kernel, run);
  }

  /** Connects the notebook to a kernel that the user chose, and selects it in the editor. */
  async attach(
    notebook: vscode.NotebookDocument,
    controller: KernelController,
    attached: AttachedKernel,
  ): Promise<void> {
    const kernel = this.#kernelOf(notebook, controller);
    kernel.use(await this.attachments.replace(kernel, attached), controller);
    await this.#selection.choose(notebook, controller);
  }

  /** Disconnects the notebook from its kernel. The next run starts a new one. */
  async detach(notebook: vscode.NotebookDocument): Promise<void> {
    this.#kernels.get(notebook)?.dropAll();
    await this.#gone(notebook);
  }

  /** Handles a kernel that no longer exists. Its executions have already ended. */
  async #gone(notebook: vscode.NotebookDocument): Promise<void> {
    this.#kernels.get(notebook)?.disconnect();
    this.widgetPages.disconnected(notebook);
    await this.#bindings.remove(notebook.uri);
    this.#changed();
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

  #workspaceOf({ uri }: vscode.NotebookDocument): WorkspaceKernels {
    const known = this.#workspaces.get(uri.authority);
    if (known !== undefined) {
      return known;
    }
    const { tenantId, workspaceId } = addressOf(uri);
    const workspace = new WorkspaceKernels({ tenantId, workspaceId }, this.#services, {
      run: (controller, notebook, cells) => void this.#run(controller, notebook, cells),
      interrupt: async (notebook) => {
        try {
          await this.#kernels.get(notebook)?.interrupt();
        } catch (error) {
          await this.#services.showError(error, { tenantId, workspaceId });
        }
      },
      selected: (controller, notebook) => void this.#earlier.selected(controller, notebook),
    });
    this.#workspaces.set(uri.authority, workspace);
    return workspace;
  }

  async #run(
    controller: KernelController,
    notebook: vscode.NotebookDocument,
    cells: readonly vscode.NotebookCell[],
  ): Promise<void> {
    const { address } = controller;
    try {
      if (notebook.uri.scheme !== scheme || this.#workspaces.get(notebook.uri.authority)?.address !== address) {
        throw new Error(
          vscode.l10n.t(
            "This kernel runs only notebooks from the workspace {0}. Select another kernel for this notebook.",
            this.#services.connections.nameOf(address.tenantId, address.workspaceId),
          ),
        );
      }
      const kernel = this.#kernelOf(notebook, controller);
      if (kernel.connection === undefined) {
        await this.#reach(notebook, address);
      }
      if (kernel.controller === controller) {
        await this.#trouble.withRecovery(address, () => this.attachments.settle(kernel));
      }
      await kernel.run(controller, cells);
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        this.#services.log.error(`running cells: ${errorMessage(error)}`);
        await this.#services.showError(error, address);
      }
    }
  }

  /**
   * Checks before the first run that the server has kernels, and asks the user if it can't be reached. Only then are
   * cells shown as queued, because the editor then clears their execution counts.
   */
  #reach(notebook: vscode.NotebookDocument, address: WorkspaceAddress): Promise<void> {
    return this.#reaching.run(notebook.uri.authority, () =>
      this.#trouble.withRecovery(address, () => this.attachments.requireKernels(notebook)),
    );
  }

  #kernelOf(notebook: vscode.NotebookDocument, controller: KernelController): NotebookKernel {
    const known = this.#kernels.get(notebook);
    if (known !== undefined) {
      return known;
    }
    const kernel = new NotebookKernel(notebook, controller, {
      connect: (connecting) =>
        this.#trouble.withRecovery(controller.address, () => this.attachments.attach(connecting)),
      outputDirectory: this.#outputDirectory,
      onConnected: (connected, widgets) => this.widgetPages.connected(connected.notebook, widgets),
      onDisconnected: (disconnected) => this.widgetPages.disconnected(disconnected.notebook),
      onStatus: () => this.#changed(),
      onInput: (asking, run) => void this.#inputs.asked(asking, run),
      onEnded: (run) => this.#inputs.close(run),
      onError: (error) => this.#failed(error),
    });
    this.#kernels.set(notebook, kernel);
    return kernel;
  }

  #closed(notebook: vscode.NotebookDocument): void {
    this.#earlier.closed(notebook);
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
    markFollowing(controllers, (notebook) => this.#kernels.get(notebook)?.isFollowing === true);
  }

  /**
   * Checks leases when the window gets the focus, so that a user who took over a kernel in another window immediately
   * sees that this window follows it.
   */
  #renewLeases(): void {
    for (const kernel of this.#kernels.values()) {
      void kernel.lease?.renew();
    }
  }

  #changed(): void {
    this.#showFollowing();
    this.#status.update();
    this.#cellStatus.update();
  }

  #failed(error: unknown): void {
    this.#services.log.error(`kernels: ${errorMessage(error)}`);
  }
}
