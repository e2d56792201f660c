import * as vscode from "vscode";
import { joinPath, nameOf } from "../../api/catalogue/content-path.ts";
import { errorMessage } from "../../api/error-message.ts";
import type { KernelConnection } from "../../api/kernels/connection/connection.ts";
import type { KernelSession, RunningKernel } from "../../api/kernels/models.ts";
import type { WidgetSession } from "../../api/kernels/widgets/widget-session.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { cellIdOf } from "../../ui/resources/notebook-cells.ts";
import type { CellRun } from "./cells/cell-run.ts";
import { CellRuns } from "./cells/cell-runs.ts";
import type { ConnectionTrouble } from "./connection-trouble.ts";
import type { KernelController } from "./controllers/kernel-controller.ts";
import type { WorkspaceKernels } from "./controllers/workspace-kernels.ts";
import { NotebookConnection, type NotebookKernelEvent } from "./notebook-connection.ts";
import { isExpectedToFail, writeKernelMetadata } from "./notebook-metadata.ts";
import type { AttachedKernel } from "./sessions/attachment.ts";
import type { HeldLease } from "./sessions/held-lease.ts";
import type { ConnectedKernel, EarlierRuns, KernelSessions, SessionNotebook } from "./sessions/kernel-sessions.ts";
import { isUntitled, untitledSessionPath } from "./untitled/untitled-notebook.ts";

export interface NotebookKernelParts {
  readonly sessions: KernelSessions;
  readonly trouble: Pick<ConnectionTrouble, "withRecovery">;
  readonly log: Pick<ExtensionLog, "error" | "debug">;
  /** Folder for files with full outputs. */
  readonly outputDirectory: string;
}

/**
 * One open notebook and its kernel: owns the connection, the runs of the notebook's cells, and what is left of the runs
 * of an earlier window. NotebookKernels creates it and calls it for the editor, commands call it for the user. It calls
 * KernelSessions and WorkspaceKernels, and reports everything else as events.
 */
export class NotebookKernel implements SessionNotebook, vscode.Disposable {
  readonly notebook: vscode.NotebookDocument;
  readonly workspace: WorkspaceKernels;
  readonly #parts: NotebookKernelParts;
  readonly #events = new vscode.EventEmitter<NotebookKernelEvent>();
  readonly #runs: CellRuns;
  #controller: KernelController;
  readonly #link: NotebookConnection;
  /** What an earlier window has left, until the kernel is selected. */
  #earlier: EarlierRuns | "resumed" = "none";
  #isEnding = false;
  #path: string | undefined;
  #folder = "";
  /** What the server reported about the notebook's kernel when the notebook was opened. */
  #found: RunningKernel | undefined;

  constructor(notebook: vscode.NotebookDocument, workspace: WorkspaceKernels, parts: NotebookKernelParts) {
    this.notebook = notebook;
    this.workspace = workspace;
    this.#parts = parts;
    this.#controller = workspace.controllerOf(notebook);
    const { controller } = this.#controller;
    const onError = (error: unknown): void => this.#failed(error);
    this.#runs = new CellRuns(notebook, { controller, outputDirectory: parts.outputDirectory, onError });
    this.#runs.onEvent((event) => this.#events.fire(event));
    this.#link = new NotebookConnection({ notebook, runs: this.#runs, events: this.#events, log: parts.log });
    this.#events.event((event) => this.#handleOwn(event));
  }

  /** What the kernel and the runs of the notebook report. */
  get onEvent(): vscode.Event<NotebookKernelEvent> {
    return this.#events.event;
  }

  /** The path of the notebook's session. That of an untitled notebook belongs to no file. */
  get path(): string {
    const { uri } = this.notebook;
    this.#path ??= isUntitled(this.notebook)
      ? (this.#parts.sessions.binding(uri)?.untitled?.path ?? joinPath(this.#folder, untitledSessionPath(uri)))
      : addressOf(uri).path;
    return this.#path;
  }

  /** The folder of an untitled notebook's session, which becomes the working directory of a new kernel. Default: the root. */
  set folder(folder: string) {
    this.#folder = folder;
  }

  /** The kernel that the editor has selected, or that the notebook is connected to. */
  get controller(): KernelController {
    return this.#controller;
  }

  get connection(): KernelConnection | undefined {
    return this.#link.connected?.connection;
  }

  /** This window's lease of the kernel; undefined if it connected only to follow. */
  get lease(): HeldLease | undefined {
    return this.#link.connected?.lease;
  }

  get session(): KernelSession | undefined {
    return this.#link.connected?.session;
  }

  /** The widgets of the connected kernel. */
  get widgets(): WidgetSession | undefined {
    return this.#link.widgets;
  }

  get isConnecting(): boolean {
    return this.#link.state === "connecting";
  }

  /** True if this window only shows what other clients run on the kernel. */
  get isFollowing(): boolean {
    return this.#link.state === "following";
  }

  /** True if the connection was closed because the user signed out. */
  get hasLeft(): boolean {
    return this.#link.state === "left";
  }

  /** The kernel that the notebook had when it was opened, as the server reported it then; undefined once it connects. */
  get found(): RunningKernel | undefined {
    return this.#found;
  }

  /** True while the user is shutting down the kernel. Its end is then not reported. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The last run of a cell in this window. */
  runOf(cell: vscode.NotebookCell): CellRun | undefined {
    return this.#runs.of(cell);
  }

  /** True while the editor shows the cell as queued or running. */
  isExecuting(cell: vscode.NotebookCell): boolean {
    return this.#runs.isExecuting(cell);
  }

  /** The running and waiting cells, in sending order. */
  get running(): readonly CellRun[] {
    return this.#runs.running;
  }

  /** Resolves when the editor shows all output that has arrived. Until then, it may leave cells out of a run. */
  outputsWritten(): Promise<void> {
    return this.#runs.written();
  }

  /** True if the event about the end of a run is still to come. */
  get hasUnreportedRuns(): boolean {
    return this.#runs.hasUnreported;
  }

  /**
   * Finds what an earlier window has left, each time that the notebook is opened or can be connected again. The output
   * of cells that still run, or that have ended lately, is shown when the editor has selected their kernel.
   */
  async opened(): Promise<void> {
    const earlier = await this.#parts.sessions.earlierRuns(this.notebook.uri);
    if (this.#earlier === "resumed") {
      return;
    }
    if (earlier === "none") {
      await this.#find();
      return;
    }
    this.#earlier = earlier;
    // If another notebook of the workspace is open, the editor knows the kernels, and selects one before it reports the
    // notebook.
    const controllers = [...this.workspace.controllers.values()];
    const selected = controllers.find((controller) => controller.isSelectedFor(this.notebook));
    if (selected !== undefined) {
      void this.selected(selected);
    }
  }

  /** Offers another kernel for a notebook that is not connected, because the server's kernels are known now. */
  prefer(controller: KernelController): void {
    if (this.#link.connected === undefined) {
      this.#setController(controller);
    }
  }

  /** Resumes the cells of an earlier window if the editor selected their kernel. Never rejects. */
  async selected(controller: KernelController): Promise<void> {
    const { log, sessions } = this.#parts;
    const binding = sessions.binding(this.notebook.uri);
    const earlier = this.#earlier;
    if (earlier !== "running" && earlier !== "late") {
      return;
    }
    this.#earlier = "none";
    if (binding === undefined || binding.specName !== controller.spec.name) {
      return;
    }
    this.#earlier = "resumed";
    this.prefer(controller);
    try {
      if (earlier === "running") {
        await this.resume(await sessions.reconnect(this, binding));
      } else if (await this.#exists(binding.kernelId)) {
        const { connection } = await this.#link.connect(() => sessions.reconnect(this, binding));
        await connection.resumeLateOutput(this.#runs.earlierSinks());
      }
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        log[earlier === "late" ? "debug" : "error"](`kernels: ${errorMessage(error)}`);
      }
    }
  }

  /** The widgets of the kernel. Connects to the kernel that an earlier window used, if it still exists. */
  async findWidgets(): Promise<WidgetSession | undefined> {
    const { log, sessions } = this.#parts;
    const binding = sessions.binding(this.notebook.uri);
    if (this.#link.connected !== undefined || binding === undefined || this.#awaitsSelection) {
      return this.widgets;
    }
    try {
      const exists = await this.#exists(binding.kernelId);
      const controller = this.workspace.controllers.get(binding.specName);
      if (!exists || controller === undefined || this.#awaitsSelection) {
        return undefined;
      }
      this.prefer(controller);
      await this.#link.connect(() => sessions.reconnect(this, binding));
      return this.widgets;
    } catch (error) {
      // For example, the workspace isn't running. The user is asked when a cell is run.
      log.debug(`widgets of ${this.notebook.uri.path}: ${errorMessage(error)}`);
      return undefined;
    }
  }

  /**
   * Runs cells on the selected kernel. Sends all of them at once, so that the kernel's queue continues without this
   * window. Rejects if the kernel can't be connected. No cell has run in that case.
   */
  async run(controller: KernelController, cells: readonly vscode.NotebookCell[]): Promise<void> {
    if (controller !== this.#controller) {
      this.#setController(controller);
      this.disconnect();
    }
    const runs = cells.flatMap((cell) => this.#runs.begin(cell) ?? []);
    if (runs.length === 0) {
      return;
    }
    try {
      const { connection } = await this.connected();
      if (this.isFollowing) {
        throw new vscode.CancellationError();
      }
      const waiting = runs.filter(({ isEnded }) => !isEnded);
      const requests = waiting.map((run) => ({
        code: run.cell.document.getText(),
        cellId: cellIdOf(run.cell),
        cellIndex: run.cell.index,
        stopOnError: !isExpectedToFail(run.cell),
        sink: run,
      }));
      const sent = await connection.execute(requests);
      for (const [index, run] of waiting.entries()) {
        run.messageId = sent[index]?.entry.messageId;
      }
    } catch (error) {
      for (const run of runs) {
        run.drop();
      }
      throw error;
    }
  }

  /**
   * Connects to the kernel on the first call, and writes it to the notebook. Rejects with a CancellationError if the
   * notebook is closed before the kernel is connected.
   */
  async connected(): Promise<ConnectedKernel> {
    const { sessions, trouble } = this.#parts;
    return this.#link.connect(async () => {
      const connected = await trouble.withRecovery(this.#controller.address, () => sessions.open(this));
      this.#writeMetadata(connected);
      return connected;
    });
  }

  /** Connects to another kernel. Running cells may continue in the current one, but are no longer shown. */
  async replace(attached: AttachedKernel, controller: KernelController): Promise<void> {
    this.abandonAll();
    this.disconnect();
    this.#setController(controller);
    this.use(await this.#parts.sessions.connect(this, attached));
  }

  /**
   * Replaces the connection with one that is already open. Throws a CancellationError if the notebook was closed
   * meanwhile.
   */
  use(connected: ConnectedKernel): void {
    this.#link.use(connected);
    this.#writeMetadata(connected);
  }

  /** Resumes the executions that an earlier window sent to the kernel. */
  async resume(connected: ConnectedKernel): Promise<void> {
    this.use(connected);
    await connected.connection.resume(this.#runs.earlierSinks());
    this.#events.fire({ type: "status" });
  }

  /** Drops the queued executions and interrupts the running one. */
  async interrupt(): Promise<void> {
    if (this.isFollowing) {
      throw followedError(this.notebook);
    }
    if (this.connection === undefined) {
      this.dropAll();
      return;
    }
    await this.connection.interrupt();
  }

  /** Restarts the notebook's kernel, which has this id if the notebook isn't connected. */
  async restart(kernelId: string): Promise<void> {
    await this.#link.restart(() => this.workspace.server.restart(kernelId));
  }

  sendInput(run: CellRun, value: string): void {
    const { messageId } = run;
    if (run.input !== undefined && messageId !== undefined) {
      this.connection?.sendInputReply(messageId, value);
      run.prefilled(value);
    }
  }

  /** Closes the connection, including one that is being opened. The kernel and its executions continue. */
  disconnect(): void {
    this.#link.close("none");
  }

  /** Disconnects from a kernel that no longer exists. The next run starts a new one. */
  async detach(): Promise<void> {
    this.dropAll();
    await this.#kernelGone();
  }

  /** Runs work that shuts down the kernel because the user asked for it. */
  async end(work: () => Promise<void>): Promise<void> {
    this.#isEnding = true;
    try {
      await work();
    } finally {
      this.#isEnding = false;
    }
  }

  /** Closes the connection because the user signed out. Running cells continue in the kernel. */
  leave(): void {
    this.abandonAll();
    this.#earlier = "none";
    this.#link.close("left");
    this.#events.fire({ type: "widgets", session: undefined });
  }

  /** Ends the runs in the editor. They may continue in the kernel, but this window no longer shows them. */
  abandonAll(): void {
    for (const run of this.running) {
      run.abandon();
    }
  }

  /** Ends the runs in the editor, because the kernel no longer exists. */
  dropAll(): void {
    for (const run of this.running) {
      run.drop();
    }
  }

  dispose(): void {
    this.#link.close("closed");
    this.#runs.dispose();
    this.#events.dispose();
  }

  /** True if cells of an earlier window still run, and are resumed when the editor selects their kernel. */
  get #awaitsSelection(): boolean {
    return this.#earlier === "running";
  }

  #handleOwn(event: NotebookKernelEvent): void {
    if (this.#link.state !== "none") {
      this.#found = undefined;
    }
    // A command that shuts down the kernel handles its end.
    if (event.type === "kernel" && event.event.type === "ended" && event.event.end !== "died" && !this.#isEnding) {
      this.#kernelGone().catch((error: unknown) => this.#failed(error));
    }
  }

  /** Handles a kernel that no longer exists. Its executions have already ended. */
  async #kernelGone(): Promise<void> {
    this.disconnect();
    this.#events.fire({ type: "widgets", session: undefined });
    await this.#parts.sessions.delete(this.notebook.uri);
    this.#events.fire({ type: "status" });
  }

  /** Finds the kernel of the notebook that nothing is awaited from, to show its state. At most one request. */
  async #find(): Promise<void> {
    const binding = this.#parts.sessions.binding(this.notebook.uri);
    if (binding === undefined || this.#link.state !== "none") {
      return;
    }
    try {
      this.#found = await this.workspace.server.kernel(binding.kernelId);
      this.#events.fire({ type: "status" });
    } catch (error) {
      // For example, the workspace isn't running. The user is asked when a cell is run.
      this.#parts.log.debug(`the kernel of ${this.notebook.uri.path}: ${errorMessage(error)}`);
    }
  }

  async #exists(kernelId: string): Promise<boolean> {
    return (await this.workspace.server.kernel(kernelId)) !== undefined && !this.notebook.isClosed;
  }

  #setController(controller: KernelController): void {
    this.#controller = controller;
    this.#runs.controller = controller.controller;
  }

  #writeMetadata({ connection, lease }: ConnectedKernel): void {
    if (lease === undefined) {
      return;
    }
    connection.ready().then(
      ({ languageInfo }) => writeKernelMetadata(this.notebook, this.#controller.spec, languageInfo),
      // The connection was disposed before the kernel replied.
      () => undefined,
    );
  }

  #failed(error: unknown): void {
    this.#parts.log.error(`kernels: ${errorMessage(error)}`);
  }
}

/** The error for changing a kernel that this window only follows. */
export function followedError({ uri }: vscode.NotebookDocument): Error {
  return new Error(
    vscode.l10n.t("This window is only following the kernel of {0}. To take it over, run a cell.", nameOf(uri.path)),
  );
}
