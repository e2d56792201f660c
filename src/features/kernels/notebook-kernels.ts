import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import { KernelServer } from "../../api/kernels/kernel-server.ts";
import type { KernelSession } from "../../api/kernels/models.ts";
import type { KernelLeases } from "../../api/kernels/ownership.ts";
import type { WidgetSession } from "../../api/kernels/widgets/widget-session.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import { CellInputs } from "./cells/cell-inputs.ts";
import { CellStatus } from "./cells/cell-status.ts";
import { ConnectionTrouble } from "./connection-trouble.ts";
import { KernelConnector } from "./kernel-connector.ts";
import type { KernelController } from "./kernel-controller.ts";
import type { KernelServices } from "./kernel-services.ts";
import { KernelStatus } from "./kernel-status.ts";
import { type ConnectedKernel, NotebookKernel } from "./notebook-kernel.ts";
import { kernelNameOf, notebookType } from "./notebook-metadata.ts";
import { sweepFullOutputs } from "./output/full-output.ts";
import { type AttachmentParts, attachKernel } from "./sessions/attachment.ts";
import { journalIn, type KernelBinding, KernelBindings } from "./sessions/journal-storage.ts";
import { leaseFilesIn } from "./sessions/lease-files.ts";
import { WidgetPages } from "./widgets/widget-pages.ts";
import { WorkspaceKernels } from "./workspace-kernels.ts";

const ownerKey = "kernels.owner";
const extensionId = "platform-workbench.platform-workbench";

/** The notebooks of workspaces that are open in this window, with their kernels. */
export class NotebookKernels implements vscode.Disposable {
  readonly #services: KernelServices;
  readonly #workspaces = new Map<string, WorkspaceKernels>();
  readonly #kernels = new Map<vscode.NotebookDocument, NotebookKernel>();
  /** Notebooks whose cells ran when an earlier window was closed, until their kernel is chosen again. */
  readonly #toResume = new Set<vscode.NotebookDocument>();
  /** Notebooks whose kernels the editor knows, and for which none was chosen yet. */
  readonly #offered = new WeakSet<vscode.NotebookDocument>();
  readonly #bindings: KernelBindings;
  readonly #leases: KernelLeases;
  readonly #owner: string;
  readonly #outputDirectory: string;
  readonly #trouble: ConnectionTrouble;
  readonly #connector: KernelConnector;
  readonly #inputs = new CellInputs();
  readonly #status: KernelStatus;
  readonly #cellStatus: CellStatus;
  readonly #disposables: readonly vscode.Disposable[];
  /** The pages that show widgets. */
  readonly widgetPages: WidgetPages;

  constructor(services: KernelServices, messaging: vscode.NotebookRendererMessaging) {
    this.#services = services;
    this.#bindings = new KernelBindings(services.windowState);
    this.#leases = leaseFilesIn(join(services.storage.fsPath, "kernel-leases"));
    this.#owner = services.windowState.get<string>(ownerKey) ?? randomUUID();
    void services.windowState.update(ownerKey, this.#owner);
    this.#outputDirectory = join(services.storage.fsPath, "cell-output");
    this.#trouble = new ConnectionTrouble(services);
    this.#connector = new KernelConnector({
      services,
      bindings: this.#bindings,
      leases: this.#leases,
      owner: this.#owner,
      trouble: this.#trouble,
      onGone: (notebook) => void this.forget(notebook),
      onError: (error) => this.#failed(error),
    });
    this.#status = new KernelStatus((notebook) => this.#kernels.get(notebook));
    this.#cellStatus = new CellStatus((notebook) => this.#kernels.get(notebook));
    this.widgetPages = new WidgetPages({
      messaging,
      sessionOf: (notebook) => this.#widgetsOf(notebook),
      onError: (error) => this.#failed(error),
    });
    sweepFullOutputs(this.#outputDirectory).catch((error: unknown) => this.#failed(error));
    this.#disposables = [
      this.#status,
      this.#cellStatus,
      this.#inputs,
      this.widgetPages,
      vscode.window.onDidChangeActiveNotebookEditor(() => void this.#chooseFirst()),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#closed(notebook)),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          this.#renamed(oldUri, newUri).catch((error: unknown) => this.#failed(error));
        }
      }),
      services.secrets.onDidChange(({ tenantId, workspaceId }) => this.#retry(tenantId, workspaceId)),
      services.lifecycle.onDidChangeState(({ state, tenantId, workspaceId }) =>
        state === "started" ? this.#retry(tenantId, workspaceId) : undefined,
      ),
    ];
  }

  /** A notebook was opened: the editor offers our kernels for it, and cells that still run show again what they put out. */
  async opened(notebook: vscode.NotebookDocument): Promise<void> {
    if (notebook.uri.scheme !== scheme || notebook.notebookType !== notebookType) {
      return;
    }
    const workspace = this.#workspaceOf(notebook);
    const prefer = (): KernelController => {
      const preferred = workspace.controllerOf(notebook);
      preferred.controller.updateNotebookAffinity(notebook, vscode.NotebookControllerAffinity.Preferred);
      return preferred;
    };
    prefer();
    if (await this.#hasRunningCells(notebook)) {
      this.#toResume.add(notebook);
      // While another notebook of the workspace is open, the editor has our kernels, and selects one before it tells of the
      // notebook.
      const selected = [...workspace.controllers.values()].find((controller) => controller.isSelectedFor(notebook));
      if (selected !== undefined) {
        void this.#selected(selected, notebook);
      }
    }
    if (workspace.isUnknown) {
      try {
        await workspace.discover();
        if (notebook.isClosed) {
          return;
        }
        prefer();
      } catch (error) {
        // A workspace that does not run: the person is asked when a cell is run.
        this.#services.log.debug(`kernels of ${workspace.name}: ${messageOf(error)}`);
      }
    }
    this.#offered.add(notebook);
    await this.#chooseFirst();
  }

  /** The kernel of a notebook, where it was run in this window. */
  kernelOf(notebook: vscode.NotebookDocument): NotebookKernel | undefined {
    return this.#kernels.get(notebook);
  }

  /** The kernels of the workspace that a notebook is in. */
  workspaceOf(notebook: vscode.NotebookDocument): WorkspaceKernels {
    return this.#workspaceOf(notebook);
  }

  /** Asks for what a cell waits for. */
  async enterInput(notebook: vscode.NotebookDocument, cell?: vscode.NotebookCell): Promise<void> {
    const kernel = this.#kernels.get(notebook);
    const run = kernel?.running.find(
      (candidate) => candidate.input !== undefined && (cell ?? candidate.cell) === candidate.cell,
    );
    if (kernel === undefined || run === undefined) {
      throw new Error(vscode.l10n.t("No cell of this notebook waits for input."));
    }
    await this.#inputs.ask(kernel, run);
  }

  /** Connects the notebook to a kernel that was chosen, and has the editor choose it, too. */
  async attach(
    notebook: vscode.NotebookDocument,
    controller: KernelController,
    attached: KernelSession,
  ): Promise<void> {
    const kernelId = attached.kernel?.id;
    if (kernelId === undefined) {
      throw new Error(vscode.l10n.t("The server did not start the kernel. Try again."));
    }
    const kernel = this.#kernelOf(notebook, controller);
    const { connection } = kernel;
    kernel.dropAll();
    connection?.dispose();
    kernel.use(await this.#connector.connectTo(kernel, kernelId, attached), controller);
    await this.#choose(notebook, controller);
  }

  /** What attaching to a kernel of this notebook's server needs. */
  attachmentParts(notebook: vscode.NotebookDocument): AttachmentParts {
    return {
      server: this.#workspaceOf(notebook).server,
      leases: this.#leases,
      owner: this.#owner,
      lastKernelId: this.#bindings.get(notebook.uri)?.kernelId,
    };
  }

  /** The notebook's next run starts a new kernel. */
  async forget(notebook: vscode.NotebookDocument): Promise<void> {
    this.#kernels.get(notebook)?.dropAll();
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
      selected: (controller, notebook) => void this.#selected(controller, notebook),
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
            "This kernel runs notebooks of the workspace {0} only. Select another kernel for this notebook.",
            this.#services.connections.nameOf(address.tenantId, address.workspaceId),
          ),
        );
      }
      await this.#kernelOf(notebook, controller).run(controller, cells);
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        this.#services.log.error(`running cells: ${messageOf(error)}`);
        await this.#services.showError(error, address);
      }
    }
  }

  #kernelOf(notebook: vscode.NotebookDocument, controller: KernelController): NotebookKernel {
    const known = this.#kernels.get(notebook);
    if (known !== undefined) {
      return known;
    }
    const kernel = new NotebookKernel(notebook, controller, {
      connect: (connecting) => this.#trouble.overcome(controller.address, () => this.#attach(connecting)),
      outputDirectory: this.#outputDirectory,
      onConnected: (connected, widgets) => this.widgetPages.connected(connected.notebook, widgets),
      onStatus: () => this.#changed(),
      onInput: (asking, run) => void this.#inputs.asked(asking, run),
      onEnded: (run) => this.#inputs.close(run),
      onError: (error) => this.#failed(error),
    });
    this.#kernels.set(notebook, kernel);
    return kernel;
  }

  async #attach(kernel: NotebookKernel): Promise<ConnectedKernel> {
    const { notebook } = kernel;
    const workspace = this.#workspaceOf(notebook);
    if (!(await workspace.discover())) {
      throw new Error(vscode.l10n.t("The content server of {0} runs no kernels.", workspace.name));
    }
    const { spec } = kernel.controller;
    const attached = await attachKernel(this.attachmentParts(notebook), {
      path: addressOf(notebook.uri).path,
      specName: spec.name,
      specTitle: spec.displayName,
    });
    return this.#connector.connectTo(kernel, attached.kernel.id, attached.session);
  }

  async #hasRunningCells({ uri }: vscode.NotebookDocument): Promise<boolean> {
    const binding = this.#bindings.get(uri);
    if (binding === undefined) {
      return false;
    }
    const journal = await journalIn(this.#services.windowState).read(binding.kernelId);
    return journal?.entries.some(({ isFinished }) => !isFinished) ?? false;
  }

  async #selected(controller: KernelController, notebook: vscode.NotebookDocument): Promise<void> {
    const binding = this.#bindings.get(notebook.uri);
    if (!this.#toResume.delete(notebook) || binding === undefined || binding.specName !== controller.spec.name) {
      return;
    }
    const kernel = this.#kernelOf(notebook, controller);
    try {
      await kernel.resume(await this.#boundKernel(kernel, binding));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Connects to the kernel that the notebook ran on in this window before. */
  async #boundKernel(kernel: NotebookKernel, { kernelId, sessionId }: KernelBinding): Promise<ConnectedKernel> {
    const { path } = addressOf(kernel.notebook.uri);
    const session = { id: sessionId, path, name: "", type: "notebook", kernel: undefined };
    return { connection: await this.#connector.open(kernel, kernelId), session };
  }

  /** The widgets of the notebook's kernel. One that an earlier window ran the notebook on is connected to, if it exists. */
  async #widgetsOf(notebook: vscode.NotebookDocument): Promise<WidgetSession | undefined> {
    const known = this.#kernels.get(notebook);
    const binding = this.#bindings.get(notebook.uri);
    if (known?.connection !== undefined || binding === undefined || this.#toResume.has(notebook)) {
      return known?.widgets;
    }
    try {
      const workspace = this.#workspaceOf(notebook);
      const running = await workspace.server.kernel(binding.kernelId);
      const controller = workspace.controllers.get(binding.specName);
      if (running === undefined || controller === undefined || notebook.isClosed || this.#toResume.has(notebook)) {
        return undefined;
      }
      const kernel = this.#kernelOf(notebook, controller);
      await kernel.connected(() => this.#boundKernel(kernel, binding));
      return kernel.widgets;
    } catch (error) {
      // A workspace that does not run: the person is asked when a cell is run.
      this.#services.log.debug(`widgets of ${notebook.uri.path}: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Has the editor choose our kernel for the notebook in front, unless it has one: the person need not be asked. */
  async #chooseFirst(): Promise<void> {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook === undefined || !this.#offered.delete(notebook)) {
      return;
    }
    const { spec, controller } = this.#workspaceOf(notebook).controllerOf(notebook);
    const named = kernelNameOf(notebook);
    if (named !== undefined && named !== spec.name) {
      // Its code is for a kernel that the server does not have: the person chooses.
      return;
    }
    const { id } = controller;
    const skipIfAlreadySelected = true;
    await vscode.commands.executeCommand("notebook.selectKernel", {
      id,
      extension: extensionId,
      skipIfAlreadySelected,
    });
  }

  /** Has the editor choose a kernel for a notebook that shows. */
  async #choose(notebook: vscode.NotebookDocument, controller: KernelController): Promise<void> {
    const editor = vscode.window.visibleNotebookEditors.find((candidate) => candidate.notebook === notebook);
    if (editor !== undefined) {
      const { id } = controller.controller;
      await vscode.commands.executeCommand("notebook.selectKernel", {
        notebookEditor: editor,
        id,
        extension: extensionId,
      });
    }
  }

  #closed(notebook: vscode.NotebookDocument): void {
    this.#toResume.delete(notebook);
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

  /** The session follows the notebook; what runs is found again by the notebook's new editor. */
  async #renamed(oldUri: vscode.Uri, newUri: vscode.Uri): Promise<void> {
    const binding = this.#bindings.get(oldUri);
    if (oldUri.scheme !== scheme || binding === undefined || oldUri.authority !== newUri.authority) {
      return;
    }
    await this.#bindings.set(newUri, binding);
    await this.#bindings.remove(oldUri);
    const { tenantId, workspaceId, path } = addressOf(newUri);
    // The notebook may have been closed under its old name already, and with it the kernels of the workspace.
    const server = new KernelServer(() => this.#services.connections.content(tenantId, workspaceId));
    await server.moveSession(binding.sessionId, path);
    this.#services.log.debug(`the session of ${workspaceId}.${tenantId} follows the notebook`);
    const opened = vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === newUri.toString());
    if (opened !== undefined) {
      await this.opened(opened);
    }
  }

  #retry(tenantId: string, workspaceId: string | undefined): void {
    for (const kernel of this.#kernels.values()) {
      const { address } = kernel.controller;
      if (address.tenantId === tenantId && (workspaceId ?? address.workspaceId) === address.workspaceId) {
        kernel.connection?.retry();
      }
    }
  }

  #changed(): void {
    this.#status.update();
    this.#cellStatus.update();
  }

  #failed(error: unknown): void {
    this.#services.log.error(`kernels: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
