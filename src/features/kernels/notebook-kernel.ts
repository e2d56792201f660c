import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { KernelConnection } from "../../api/kernels/connection/connection.ts";
import type { JournalEntry } from "../../api/kernels/executions/execution-journal.ts";
import type { ExecutionSink } from "../../api/kernels/executions/executions.ts";
import type { KernelSession } from "../../api/kernels/models.ts";
import { WidgetSession } from "../../api/kernels/widgets/widget-session.ts";
import { CellExecutions } from "./cells/cell-executions.ts";
import { cellOfEntry } from "./cells/cell-lookup.ts";
import { CellRun, type InputRequest } from "./cells/cell-run.ts";
import { writeExecutionTimes } from "./cells/execution-metadata.ts";
import type { KernelController } from "./kernel-controller.ts";
import { cellIdOf, writeKernelMetadata } from "./notebook-metadata.ts";
import { Displays } from "./output/displays.ts";
import { FullOutput } from "./output/full-output.ts";

/** A kernel that is connected, with the session that ties it to the notebook. */
export interface ConnectedKernel {
  readonly connection: KernelConnection;
  readonly session: KernelSession;
}

export interface NotebookKernelParts {
  /** Connects to the kernel of the notebook, for the first cell that is run. */
  readonly connect: (kernel: NotebookKernel) => Promise<ConnectedKernel>;
  /** Where full outputs are written. */
  readonly outputDirectory: string;
  /** A kernel is connected, with these widgets. */
  readonly onConnected: (kernel: NotebookKernel, widgets: WidgetSession) => void;
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
  readonly #executions: CellExecutions;
  readonly #displays = new Displays();
  /** The last run of each cell. */
  readonly #runs = new Map<vscode.NotebookCell, CellRun>();
  readonly #messageIds = new Map<CellRun, string>();
  #controller: KernelController;
  #connected: ConnectedKernel | undefined;
  #connecting: Promise<ConnectedKernel> | undefined;
  #widgets: WidgetSession | undefined;

  constructor(notebook: vscode.NotebookDocument, controller: KernelController, parts: NotebookKernelParts) {
    this.notebook = notebook;
    this.#controller = controller;
    this.#parts = parts;
    this.#executions = new CellExecutions(() => this.#controller.controller);
  }

  get controller(): KernelController {
    return this.#controller;
  }

  get connection(): KernelConnection | undefined {
    return this.#connected?.connection;
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

  /** The last run of a cell in this window. */
  runOf(cell: vscode.NotebookCell): CellRun | undefined {
    return this.#runs.get(cell);
  }

  /** The cells that run or wait, in the order in which they were sent. */
  get running(): readonly CellRun[] {
    return [...this.#runs.values()].filter(({ isEnded }) => !isEnded);
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
    const runs = cells.flatMap((cell) => this.#begin(cell) ?? []);
    if (runs.length === 0) {
      return;
    }
    try {
      const { connection } = await this.connected();
      const waiting = runs.filter(({ isEnded }) => !isEnded);
      const requests = waiting.map((run) => ({
        code: run.cell.document.getText(),
        cellId: cellIdOf(run.cell),
        cellIndex: run.cell.index,
        sink: run,
      }));
      const sent = await connection.execute(requests);
      for (const [index, run] of waiting.entries()) {
        this.#messageIds.set(run, sent[index]?.entry.messageId ?? "");
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
      const run = cell === undefined ? undefined : this.#open(cell);
      if (run !== undefined) {
        run.resumed(entry.sentAt);
        resumed.set(entry.messageId, run);
        this.#messageIds.set(run, entry.messageId);
      }
      return run;
    };
    await connected.connection.resume(sinkFor);
    this.#parts.onStatus();
  }

  /** Drops what is queued and interrupts what runs. */
  async interrupt(): Promise<void> {
    const { connection } = this;
    if (connection === undefined) {
      for (const run of this.running) {
        run.drop();
      }
      return;
    }
    await connection.interrupt();
  }

  answer(run: CellRun, value: string): void {
    const messageId = this.#messageIds.get(run);
    if (run.input !== undefined && messageId !== undefined) {
      this.connection?.answerInput(messageId, value);
      run.answered(value);
    }
  }

  /** Closes the connection. The kernel and what runs in it go on. */
  disconnect(): void {
    this.#widgets?.dispose();
    this.#widgets = undefined;
    this.#connected?.connection.dispose();
    this.#connected = undefined;
  }

  /** Ends what the cells show as running: the kernel no longer exists. */
  dropAll(): void {
    for (const run of this.running) {
      run.drop();
    }
  }

  dispose(): void {
    this.disconnect();
    for (const run of this.#runs.values()) {
      run.dispose();
    }
    this.#executions.endAll();
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

  #listen({ connection }: ConnectedKernel): void {
    this.#widgets = new WidgetSession(connection, {
      leftOutText: (characters) => vscode.l10n.t("… {0} characters of earlier output are not shown here …", characters),
      onError: this.#parts.onError,
    });
    this.#parts.onConnected(this, this.#widgets);
    connection.onState(() => this.#parts.onStatus());
    connection.onKernel(() => this.#parts.onStatus());
  }

  #writeMetadata({ connection }: ConnectedKernel): void {
    connection.ready().then(
      (information) => writeKernelMetadata(this.notebook, this.#controller.spec, information),
      // It was disposed of before the kernel answered.
      () => undefined,
    );
  }

  /** A run that waits. A cell without code only loses its outputs, as in Jupyter. */
  #begin(cell: vscode.NotebookCell): CellRun | undefined {
    if (cell.document.getText().trim() !== "") {
      return this.#open(cell);
    }
    const execution = this.#executions.open(cell);
    execution?.start(undefined);
    void execution?.execution.clearOutput().then(() => execution.end(undefined));
    return undefined;
  }

  #open(cell: vscode.NotebookCell): CellRun | undefined {
    const execution = this.#executions.open(cell);
    if (execution === undefined) {
      return undefined;
    }
    const before = this.#runs.get(cell);
    if (before !== undefined) {
      before.dispose();
      this.#messageIds.delete(before);
    }
    const { onError, onInput, onStatus, outputDirectory } = this.#parts;
    const limit = outputLimit(this.notebook.uri);
    const run: CellRun = new CellRun(cell, execution, {
      executions: this.#executions,
      displays: this.#displays,
      limit,
      full: new FullOutput(outputDirectory, randomUUID(), limit, onError),
      onStatus,
      onInput: (asking, request) => onInput(this, asking, request),
      onNextInput: (ended, text) => this.#insertBelow(ended.cell, text),
      onEnding: (ending) => this.#recordTimes(ending).catch(onError),
      onEnded: this.#parts.onEnded,
      onError,
    });
    this.#runs.set(cell, run);
    return run;
  }

  async #recordTimes(run: CellRun): Promise<void> {
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", this.notebook.uri);
    if (run.times["iopub.execute_input"] !== undefined && settings.get<boolean>("recordTimes", true)) {
      await writeExecutionTimes(run.cell, run.times);
    }
  }

  /** What the kernel proposes as the next input, as `%load` does. */
  #insertBelow(cell: vscode.NotebookCell, text: string): void {
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, cell.document.languageId);
    const edit = new vscode.WorkspaceEdit();
    edit.set(this.notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, [added])]);
    void vscode.workspace.applyEdit(edit);
  }
}

/** Characters of output that a cell shows. */
function outputLimit(uri: vscode.Uri): number {
  const megabytes = vscode.workspace.getConfiguration("platformWorkbench.kernels", uri).get<number>("outputLimit", 2);
  return Math.max(10_000, megabytes * 1_000_000);
}
