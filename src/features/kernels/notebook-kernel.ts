import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { KernelConnection } from "../../api/kernels/connection/connection.ts";
import type { JournalEntry } from "../../api/kernels/executions/execution-journal.ts";
import type { ExecutionSink } from "../../api/kernels/executions/executions.ts";
import type { KernelSession } from "../../api/kernels/models.ts";
import { WidgetSession } from "../../api/kernels/widgets/widget-session.ts";
import { cellOfEntry } from "./cells/cell-lookup.ts";
import type { CellRun, InputRequest } from "./cells/cell-run.ts";
import { CellRuns } from "./cells/cell-runs.ts";
import { EarlierRun } from "./cells/earlier-run.ts";
import { FollowedRuns } from "./cells/followed-runs.ts";
import type { KernelController } from "./kernel-controller.ts";
import { cellIdOf, writeKernelMetadata } from "./notebook-metadata.ts";
import type { HeldLease } from "./sessions/held-lease.ts";

/** A connected kernel, with the session that belongs to the notebook. */
export interface ConnectedKernel {
  readonly connection: KernelConnection;
  readonly session: KernelSession;
  /** The lease of the window that runs cells on the kernel; undefined if this window only follows it. */
  readonly lease: HeldLease | undefined;
}

export interface NotebookKernelParts {
  /** Connects to the notebook's kernel for the first cell that is run. */
  readonly connect: (kernel: NotebookKernel) => Promise<ConnectedKernel>;
  /** Folder for files with full outputs. */
  readonly outputDirectory: string;
  /** Called when a kernel is connected. */
  readonly onConnected: (kernel: NotebookKernel, widgets: WidgetSession) => void;
  /** Called when this window no longer shows the kernel's widgets: it follows the kernel, or has left it. */
  readonly onDisconnected: (kernel: NotebookKernel) => void;
  /** Called when a change affects a status bar. */
  readonly onStatus: () => void;
  readonly onInput: (kernel: NotebookKernel, run: CellRun, request: InputRequest) => void;
  /** Called when a run has ended and no longer waits for input. */
  readonly onEnded: (run: CellRun) => void;
  readonly onError: (error: unknown) => void;
}

/** A notebook and its kernel: runs cells, and tracks their executions. */
export class NotebookKernel implements vscode.Disposable {
  readonly notebook: vscode.NotebookDocument;
  readonly #parts: NotebookKernelParts;
  readonly #runs: CellRuns;
  #controller: KernelController;
  #connected: ConnectedKernel | undefined;
  #connecting: Promise<ConnectedKernel> | undefined;
  #widgets: WidgetSession | undefined;
  #followed: FollowedRuns | undefined;
  #isEnding = false;
  #isDisposed = false;

  constructor(notebook: vscode.NotebookDocument, controller: KernelController, parts: NotebookKernelParts) {
    this.notebook = notebook;
    this.#controller = controller;
    this.#parts = parts;
    const { onEnded, onError, onInput, onStatus, outputDirectory } = parts;
    this.#runs = new CellRuns(notebook, {
      outputDirectory,
      onStatus,
      onEnded,
      onError,
      controller: () => this.#controller.controller,
      onInput: (run, request) => onInput(this, run, request),
    });
  }

  get controller(): KernelController {
    return this.#controller;
  }

  get connection(): KernelConnection | undefined {
    return this.#connected?.connection;
  }

  /** This window's lease of the kernel; undefined if it connected only to follow. */
  get lease(): HeldLease | undefined {
    return this.#connected?.lease;
  }

  get session(): KernelSession | undefined {
    return this.#connected?.session;
  }

  /** The widgets of the connected kernel. */
  get widgets(): WidgetSession | undefined {
    return this.#widgets;
  }

  get isConnecting(): boolean {
    return this.#connecting !== undefined;
  }

  /** True if this window only shows what other clients run on the kernel. */
  get isFollowing(): boolean {
    return this.#followed !== undefined;
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

  /**
   * Starts following the kernel: sends nothing to it, and shows the runs of other clients in the cells with the same
   * code.
   */
  follow(): void {
    if (this.#connected !== undefined && this.#followed === undefined) {
      const { connection } = this.#connected;
      this.#followed = new FollowedRuns(connection, this.notebook, (cell) =>
        this.#runs.open(cell, { recordsTimes: false }),
      );
      this.#endWidgets();
      this.#parts.onDisconnected(this);
      this.#parts.onStatus();
    }
  }

  /** Stops following, and runs cells again, after this window took the kernel over. */
  lead(): void {
    if (this.#connected !== undefined && this.#followed !== undefined) {
      this.#endFollowing();
      this.#showWidgets(this.#connected.connection);
      this.#parts.onStatus();
    }
  }

  /**
   * Runs cells on the selected kernel. Sends all of them at once, so that the kernel's queue continues without this
   * window. Rejects if the kernel can't be connected. No cell has run in that case.
   */
  async run(controller: KernelController, cells: readonly vscode.NotebookCell[]): Promise<void> {
    if (controller !== this.#controller) {
      this.#controller = controller;
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
   * Connects to the kernel on the first call. `show` connects only to show its state, and does not change the notebook.
   * Rejects with a CancellationError if the notebook is closed before the kernel is connected.
   */
  connected(show?: () => Promise<ConnectedKernel>): Promise<ConnectedKernel> {
    if (this.#isDisposed) {
      return Promise.reject(new vscode.CancellationError());
    }
    if (this.#connected !== undefined) {
      return Promise.resolve(this.#connected);
    }
    const connecting: Promise<ConnectedKernel> =
      this.#connecting ??
      this.#connect(show, () => this.#connecting !== connecting).finally(() => {
        if (this.#connecting === connecting) {
          this.#connecting = undefined;
        }
        this.#parts.onStatus();
      });
    this.#connecting = connecting;
    this.#parts.onStatus();
    return connecting;
  }

  /**
   * Replaces the connection with one that is already open. Throws a CancellationError if the notebook was closed
   * meanwhile.
   */
  use(connected: ConnectedKernel, controller: KernelController): void {
    this.#refuseIf(this.#isDisposed, connected);
    this.#controller = controller;
    this.disconnect();
    this.#connected = connected;
    this.#listen(connected);
    this.#writeMetadata(connected);
  }

  /** Resumes the executions that an earlier window sent to the kernel. */
  async resume(connected: ConnectedKernel): Promise<void> {
    this.use(connected, this.#controller);
    await connected.connection.resume(this.#earlierRuns());
    this.#parts.onStatus();
  }

  /** Shows the late output of executions that ended in an earlier window. `connect` is called unless it is connected. */
  async resumeLateOutput(connect: () => Promise<ConnectedKernel>): Promise<void> {
    const { connection } = await this.connected(connect);
    await connection.resumeLateOutput(this.#earlierRuns());
  }

  /** Returns the sinks of an earlier window's executions, beginning with the newest one. */
  #earlierRuns(): (entry: JournalEntry) => ExecutionSink | undefined {
    const found = new Set<vscode.NotebookCell>();
    return (entry) => {
      const cell = cellOfEntry(this.notebook, entry);
      if (cell === undefined || found.has(cell) || this.#isDisposed) {
        // A cell shows only its last run, and the cells of a closed notebook show none.
        return undefined;
      }
      found.add(cell);
      const open = (): CellRun | undefined => this.#runs.resume(cell, entry);
      // Late output of a cell that runs again in this window belongs to neither run.
      const openUnlessRun = (isWhole: boolean): CellRun | undefined =>
        this.#runs.of(cell) === undefined ? (isWhole ? open() : this.#runs.late(cell, entry)) : undefined;
      return entry.isFinished ? new EarlierRun(cell, openUnlessRun) : open();
    };
  }

  /** Drops the queued executions and interrupts the running one. */
  async interrupt(): Promise<void> {
    const { connection } = this;
    if (this.isFollowing) {
      throw followedError(this.notebook);
    }
    if (connection === undefined) {
      for (const run of this.running) {
        run.drop();
      }
      return;
    }
    await connection.interrupt();
  }

  response(run: CellRun, value: string): void {
    const { messageId } = run;
    if (run.input !== undefined && messageId !== undefined) {
      this.connection?.sendInputReply(messageId, value);
      run.prefilled(value);
    }
  }

  /** Closes the connection, including one that is being opened. The kernel and its executions continue. */
  disconnect(): void {
    this.#connecting = undefined;
    this.#endWidgets();
    this.#endFollowing();
    this.#connected?.connection.dispose();
    this.#connected = undefined;
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
    this.disconnect();
    this.#parts.onDisconnected(this);
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
    this.#isDisposed = true;
    this.disconnect();
    this.#runs.dispose();
  }

  async #connect(
    show: (() => Promise<ConnectedKernel>) | undefined,
    isOutdated: () => boolean,
  ): Promise<ConnectedKernel> {
    const connected = await (show ?? (() => this.#parts.connect(this)))();
    this.#refuseIf(this.#isDisposed || isOutdated(), connected);
    this.#connected = connected;
    this.#listen(connected);
    if (show === undefined) {
      this.#writeMetadata(connected);
    }
    return connected;
  }

  /** Closes a connection that opened after the notebook was closed or disconnected, which also releases its lease. */
  #refuseIf(isUnwanted: boolean, { connection }: ConnectedKernel): void {
    if (isUnwanted) {
      connection.dispose();
      throw new vscode.CancellationError();
    }
  }

  #listen({ connection, lease }: ConnectedKernel): void {
    if (lease === undefined || lease.isLost) {
      this.follow();
    } else {
      this.#showWidgets(connection);
    }
    connection.onState(() => this.#parts.onStatus());
    connection.onKernel(() => this.#parts.onStatus());
  }

  #showWidgets(connection: KernelConnection): void {
    this.#widgets = new WidgetSession(connection, {
      leftOutText: (characters) => vscode.l10n.t("… {0} characters of earlier output aren't shown here …", characters),
      onError: this.#parts.onError,
    });
    this.#parts.onConnected(this, this.#widgets);
  }

  #endWidgets(): void {
    this.#widgets?.dispose();
    this.#widgets = undefined;
  }

  #endFollowing(): void {
    this.#followed?.dispose();
    this.#followed = undefined;
  }

  #writeMetadata({ connection, lease }: ConnectedKernel): void {
    if (lease === undefined) {
      return;
    }
    connection.ready().then(
      (information) => writeKernelMetadata(this.notebook, this.#controller.spec, information),
      // The connection was disposed before the kernel replied.
      () => undefined,
    );
  }
}

/** The error for changing a kernel that this window only follows. */
export function followedError({ uri }: vscode.NotebookDocument): Error {
  return new Error(
    vscode.l10n.t("This window is only following the kernel of {0}. To take it over, run a cell.", nameOf(uri.path)),
  );
}
