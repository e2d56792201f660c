import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { JournalEntry } from "../../../api/kernels/executions/execution-journal.ts";
import type { ExecutionSink } from "../../../api/kernels/executions/executions.ts";
import { Displays } from "../output/displays.ts";
import { FullOutput } from "../output/full-output.ts";
import { CellEdits } from "./cell-edits.ts";
import { CellExecutions, type OpenExecution } from "./cell-executions.ts";
import { cellOfEntry } from "./cell-lookup.ts";
import { CellRun, type CellRunEvent, type CellRunParts } from "./cell-run.ts";
import { EarlierRun } from "./earlier-run.ts";

interface CellRunsParts {
  /** The controller that the editor has selected for the notebook. */
  readonly controller: vscode.NotebookController;
  /** Folder for files with full outputs. */
  readonly outputDirectory: string;
  readonly onError: (error: unknown) => void;
}

/** The runs of a notebook's cells, and the messages with which they were sent. */
export class CellRuns implements vscode.Disposable {
  readonly #notebook: vscode.NotebookDocument;
  readonly #executions: CellExecutions;
  readonly #events = new vscode.EventEmitter<CellRunEvent>();
  readonly #parts: CellRunParts;
  /** The last run of each cell. */
  readonly #runs = new Map<vscode.NotebookCell, CellRun>();
  #isDisposed = false;

  constructor(notebook: vscode.NotebookDocument, { controller, outputDirectory, onError }: CellRunsParts) {
    this.#notebook = notebook;
    this.#executions = new CellExecutions(controller);
    const limit = (): number => outputLimit(notebook.uri);
    this.#parts = {
      onError,
      limit,
      executions: this.#executions,
      events: this.#events,
      displays: new Displays(),
      edits: new CellEdits(notebook),
      createFullOutput: () => new FullOutput(outputDirectory, randomUUID(), limit(), onError),
    };
  }

  /** What the runs report. */
  get onEvent(): vscode.Event<CellRunEvent> {
    return this.#events.event;
  }

  /** The controller on which runs begin from now on. */
  set controller(controller: vscode.NotebookController) {
    this.#executions.controller = controller;
  }

  /** The last run of a cell in this window. */
  of(cell: vscode.NotebookCell): CellRun | undefined {
    return this.#runs.get(cell);
  }

  /** True while the editor shows the cell as queued or running. */
  isExecuting(cell: vscode.NotebookCell): boolean {
    return this.#executions.of(cell) !== undefined;
  }

  /** The running and waiting runs, in sending order. */
  get running(): readonly CellRun[] {
    return [...this.#runs.values()].filter(({ isEnded }) => !isEnded);
  }

  /**
   * Resolves when the editor shows all output that has arrived. Late output needs a short execution of its cell. If the
   * user runs the cell meanwhile, the editor leaves it out without a word.
   */
  async written(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.written()));
  }

  /** True if a run has not reported its end yet. */
  get hasUnreported(): boolean {
    return [...this.#runs.values()].some(({ isReported }) => !isReported);
  }

  /** Begins a run. For a cell without code, only clears the outputs, as Jupyter does, and returns undefined. */
  begin(cell: vscode.NotebookCell): CellRun | undefined {
    if (cell.document.getText().trim() !== "") {
      return this.open(cell);
    }
    const execution = this.#executions.open(cell);
    execution?.start(undefined);
    void execution?.execution.clearOutput().then(() => execution.end(undefined));
    return undefined;
  }

  /**
   * Begins a run. Undefined if the editor refuses, because the cell was deleted or is already running. `recordsTimes`:
   * false if the times of the run aren't written to the cell.
   */
  open(cell: vscode.NotebookCell, { recordsTimes = true } = {}): CellRun | undefined {
    const execution = this.#executions.open(cell);
    return execution === undefined ? undefined : this.#create(cell, execution, { recordsTimes });
  }

  /** A run that ended in an earlier window, whose cell shows more output. */
  late(cell: vscode.NotebookCell, { messageId }: JournalEntry): CellRun {
    const run = this.#create(cell, undefined, { recordsTimes: false });
    run.messageId = messageId;
    return run;
  }

  #create(
    cell: vscode.NotebookCell,
    execution: OpenExecution | undefined,
    options: { readonly recordsTimes: boolean },
  ): CellRun {
    this.#runs.get(cell)?.dispose();
    const run = new CellRun(cell, execution, this.#parts, options);
    this.#runs.set(cell, run);
    return run;
  }

  /** Continues a run that an earlier window began. */
  resume(cell: vscode.NotebookCell, { messageId, sentAt }: JournalEntry): CellRun | undefined {
    const run = this.open(cell);
    if (run !== undefined) {
      run.resumed(sentAt);
      run.messageId = messageId;
    }
    return run;
  }

  /** Returns the sinks of an earlier window's executions, beginning with the newest one. */
  earlierSinks(): (entry: JournalEntry) => ExecutionSink | undefined {
    const found = new Set<vscode.NotebookCell>();
    return (entry) => {
      const cell = cellOfEntry(this.#notebook, entry);
      if (cell === undefined || found.has(cell) || this.#isDisposed) {
        // A cell shows only its last run, and the cells of a closed notebook show none.
        return undefined;
      }
      found.add(cell);
      return entry.isFinished ? new EarlierRun(cell, entry, this) : this.resume(cell, entry);
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const run of this.#runs.values()) {
      run.dispose();
    }
    this.#executions.endAll();
    this.#events.dispose();
  }
}

/** Maximum length of the output that a cell shows, in characters. */
function outputLimit(uri: vscode.Uri): number {
  const megabytes = vscode.workspace.getConfiguration("platformWorkbench.kernels", uri).get<number>("outputLimit", 2);
  return Math.max(10_000, megabytes * 1_000_000);
}
