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
import { FollowedRuns } from "./cells/followed-runs.ts";
import type { KernelController } from "./kernel-controller.ts";
import { cellIdOf, writeKernelMetadata } from "./notebook-metadata.ts";
import type { HeldLease } from "./sessions/held-lease.ts";

/** A kernel that is connected, with the session that ties it to the notebook. */
export interface ConnectedKernel {
  readonly connection: KernelConnection;
  readonly session: KernelSession;
  /** Held by the window that runs cells on it; undefined where the kernel is only followed. */
  readonly lease: HeldLease | undefined;
}

export interface NotebookKernelParts {
  /** Connects to the kernel of the notebook, for the first cell that is run. */
  readonly connect: (kernel: NotebookKernel) => Promise<ConnectedKernel>;
  /** Where full outputs are written. */
  readonly outputDirectory: string;
  /** A kernel is connected, with these widgets. */
  readonly onConnected: (kernel: NotebookKernel, widgets: WidgetSession) => void;
  /** The kernel is only followed from here on. */
  readonly onFollowing: (kernel: NotebookKernel) => void;
  /** Something changed that a status bar shows. */
  readonly onStatus: () => void;
  readonly onInput: (kernel: NotebookKernel, run: CellRun, request: InputRequest) => void;
  /** A run is over, and waits for no input any more. */
  readonly onEnded: (run: CellRun) => void;
  readonly onError: (error: unknown) => void;
}

/** A notebook with the kernel that it runs on: its cells' executions, and what became of them. */
export class NotebookKernel implements vscode.Disposable {
  readonly notebook: vscode.NotebookDocument;
  readonly #parts: NotebookKernelParts;
  readonly #runs: CellRuns;
  #controller: KernelController;
  #connected: ConnectedKernel | undefined;
  #connecting: Promise<ConnectedKernel> | undefined;
  #widgets: WidgetSession | undefined;
  #followed: FollowedRuns | undefined;

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

  /** What this window holds of the kernel, unless it was connected to only to follow it. */
  get lease(): HeldLease | undefined {
    return this.#connected?.lease;
  }

  get session(): KernelSession | undefined {
    return this.#connected?.session;
  }

  /** The widgets of the kernel that is connected. */
  get widgets(): WidgetSession | undefined {
    return this.#widgets;
  }

  get isConnecting(): boolean {
    return this.#connecting !== undefined;
  }

  /** Whether this window only shows what other clients run on the kernel. */
  get isFollowing(): boolean {
    return this.#followed !== undefined;
  }

  /** The last run of a cell in this window. */
  runOf(cell: vscode.NotebookCell): CellRun | undefined {
    return this.#runs.of(cell);
  }

  /** The cells that run or wait, in the order in which they were sent. */
  get running(): readonly CellRun[] {
    return this.#runs.running;
  }

  /** From here on nothing is sent to the kernel, and what other clients run on it shows in the cells that have the same code. */
  follow(): void {
    if (this.#connected !== undefined && this.#followed === undefined) {
      const { connection } = this.#connected;
      this.#followed = new FollowedRuns(connection, this.notebook, (cell) => this.#runs.open(cell, async () => {}));
      this.#endWidgets();
      this.#parts.onFollowing(this);
      this.#parts.onStatus();
    }
  }

  /** Runs cells again on the kernel that another window had taken over. */
  lead(): void {
    if (this.#connected !== undefined && this.#followed !== undefined) {
      this.#endFollowing();
      this.#showWidgets(this.#connected.connection);
      this.#parts.onStatus();
    }
  }

  /**
   * Runs cells on the kernel that was chosen. All are handed to the kernel at once: its queue goes on while this window is
   * away. Rejects when the kernel cannot be had; no cell has run then.
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
        this.#runs.sent(run, sent[index]?.entry.messageId ?? "");
      }
    } catch (error) {
      for (const run of runs) {
        run.drop();
      }
      throw error;
    }
  }

  /** The kernel, connected to with the first call. `show`: connects to show what it has, which changes no notebook. */
  connected(show?: () => Promise<ConnectedKernel>): Promise<ConnectedKernel> {
    if (this.#connected !== undefined) {
      return Promise.resolve(this.#connected);
    }
    this.#connecting ??= this.#connect(show).finally(() => {
      this.#connecting = undefined;
      this.#parts.onStatus();
    });
    this.#parts.onStatus();
    return this.#connecting;
  }

  /** Takes over a kernel that is connected already. */
  use(connected: ConnectedKernel, controller: KernelController): void {
    this.#controller = controller;
    this.disconnect();
    this.#connected = connected;
    this.#listen(connected);
    this.#writeMetadata(connected);
  }

  /** Finds what an earlier window sent to the kernel, and shows what came of it. */
  async resume(connected: ConnectedKernel): Promise<void> {
    this.use(connected, this.#controller);
    const resumed = new Map<string, CellRun>();
    const sinkFor = (entry: JournalEntry): ExecutionSink | undefined => {
      const cell = cellOfEntry(this.notebook, entry);
      const run = cell === undefined ? undefined : this.#runs.open(cell);
      if (run !== undefined) {
        run.resumed(entry.sentAt);
        resumed.set(entry.messageId, run);
        this.#runs.sent(run, entry.messageId);
      }
      return run;
    };
    await connected.connection.resume(sinkFor);
    this.#parts.onStatus();
  }

  /** Drops what is queued and interrupts what runs. */
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

  answer(run: CellRun, value: string): void {
    const messageId = this.#runs.messageIdOf(run);
    if (run.input !== undefined && messageId !== undefined) {
      this.connection?.answerInput(messageId, value);
      run.answered(value);
    }
  }

  /** Closes the connection. The kernel and what runs in it go on. */
  disconnect(): void {
    this.#endWidgets();
    this.#endFollowing();
    this.#connected?.connection.dispose();
    this.#connected = undefined;
  }

  /** Ends what the cells show as running: it may go on, but this window no longer shows it. */
  abandonAll(): void {
    for (const run of this.running) {
      run.abandon();
    }
  }

  /** Ends what the cells show as running: the kernel no longer exists. */
  dropAll(): void {
    for (const run of this.running) {
      run.drop();
    }
  }

  dispose(): void {
    this.disconnect();
    this.#runs.dispose();
  }

  async #connect(show: (() => Promise<ConnectedKernel>) | undefined): Promise<ConnectedKernel> {
    const connected = await (show ?? (() => this.#parts.connect(this)))();
    this.#connected = connected;
    this.#listen(connected);
    if (show === undefined) {
      this.#writeMetadata(connected);
    }
    return connected;
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
      leftOutText: (characters) => vscode.l10n.t("… {0} characters of earlier output are not shown here …", characters),
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
      // It was disposed of before the kernel answered.
      () => undefined,
    );
  }
}

/** What is said when a kernel that is only followed is to be changed. */
export function followedError({ uri }: vscode.NotebookDocument): Error {
  return new Error(
    vscode.l10n.t("This window is only following the kernel of {0}. To take it over, run a cell.", nameOf(uri.path)),
  );
}
