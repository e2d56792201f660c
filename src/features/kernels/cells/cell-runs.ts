import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { JournalEntry } from "../../../api/kernels/executions/execution-journal.ts";
import { Displays } from "../output/displays.ts";
import { FullOutput } from "../output/full-output.ts";
import { CellExecutions, type OpenExecution } from "./cell-executions.ts";
import { CellRun, type CellRunParts, type InputRequest } from "./cell-run.ts";
import { type ExecutionTimes, writeExecutionTimes } from "./execution-metadata.ts";

interface CellRunsParts {
  /** The controller that the editor has selected for the notebook. */
  readonly controller: () => vscode.NotebookController;
  /** Folder for files with full outputs. */
  readonly outputDirectory: string;
  /** Called when a change affects a status bar. */
  readonly onStatus: () => void;
  readonly onInput: (run: CellRun, request: InputRequest) => void;
  readonly onEnded: (run: CellRun) => void;
  readonly onError: (error: unknown) => void;
}

/** The runs of a notebook's cells, and the messages with which they were sent. */
export class CellRuns implements vscode.Disposable {
  readonly #notebook: vscode.NotebookDocument;
  readonly #executions: CellExecutions;
  readonly #parts: CellRunParts;
  /** The last run of each cell. */
  readonly #runs = new Map<vscode.NotebookCell, CellRun>();

  constructor(notebook: vscode.NotebookDocument, { controller, outputDirectory, ...parts }: CellRunsParts) {
    this.#notebook = notebook;
    this.#executions = new CellExecutions(controller);
    const limit = (): number => outputLimit(notebook.uri);
    this.#parts = {
      ...parts,
      executions: this.#executions,
      displays: new Displays(),
      limit,
      createFullOutput: () => new FullOutput(outputDirectory, randomUUID(), limit(), parts.onError),
      onNextInput: (ended, text) => this.#insertBelow(ended.cell, text),
      recordTimes: (cell, times) => this.#recordTimes(cell, times).catch(parts.onError),
    };
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

  async #recordTimes(cell: vscode.NotebookCell, times: ExecutionTimes): Promise<void> {
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", this.#notebook.uri);
    if (settings.get<boolean>("recordTimes", true)) {
      await writeExecutionTimes(cell, times);
    }
  }

  /** Inserts the next input that the kernel proposes, for example after `%load`. */
  #insertBelow(cell: vscode.NotebookCell, text: string): void {
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, cell.document.languageId);
    const edit = new vscode.WorkspaceEdit();
    edit.set(this.#notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, [added])]);
    void vscode.workspace.applyEdit(edit);
  }

  dispose(): void {
    for (const run of this.#runs.values()) {
      run.dispose();
    }
    this.#executions.endAll();
  }
}

/** Maximum length of the output that a cell shows, in characters. */
function outputLimit(uri: vscode.Uri): number {
  const megabytes = vscode.workspace.getConfiguration("platformWorkbench.kernels", uri).get<number>("outputLimit", 2);
  return Math.max(10_000, megabytes * 1_000_000);
}
