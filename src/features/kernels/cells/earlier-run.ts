import type * as vscode from "vscode";
import type { JournalEntry } from "../../../api/kernels/executions/execution-journal.ts";
import type { ExecutionEvent, ExecutionSink } from "../../../api/kernels/executions/executions.ts";
import { isOutputEvent, withoutShown } from "../output/shown-output.ts";

/** The runs of the notebook that show an execution of an earlier window. */
interface RunsOfCells {
  of(cell: vscode.NotebookCell): ExecutionSink | undefined;
  /** Shows the run from its beginning. Undefined if the editor refuses. */
  resume(cell: vscode.NotebookCell, entry: JournalEntry): ExecutionSink | undefined;
  /** Shows only more output of the run. */
  late(cell: vscode.NotebookCell, entry: JournalEntry): ExecutionSink;
}

/** The run of a cell that ended in an earlier window. The cell does not change until there is output to show. */
export class EarlierRun implements ExecutionSink {
  readonly #cell: vscode.NotebookCell;
  readonly #entry: JournalEntry;
  readonly #runs: RunsOfCells;
  #run: ExecutionSink | undefined;

  constructor(cell: vscode.NotebookCell, entry: JournalEntry, runs: RunsOfCells) {
    this.#cell = cell;
    this.#entry = entry;
    this.#runs = runs;
  }

  onEvents(events: readonly ExecutionEvent[]): void | Promise<void> {
    const unshown = withoutShown(events, this.#cell.outputs);
    if (this.#run === undefined && unshown !== events && !unshown.some(isOutputEvent)) {
      return;
    }
    this.#run ??= this.#open(unshown.some(({ type }) => type === "started" || type === "replay"));
    return this.#run?.onEvents(unshown);
  }

  #open(isWhole: boolean): ExecutionSink | undefined {
    if (this.#runs.of(this.#cell) !== undefined) {
      // Late output of a cell that runs again in this window belongs to neither run.
      return undefined;
    }
    return isWhole ? this.#runs.resume(this.#cell, this.#entry) : this.#runs.late(this.#cell, this.#entry);
  }
}
