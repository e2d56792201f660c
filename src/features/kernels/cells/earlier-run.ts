import type * as vscode from "vscode";
import type { ExecutionEvent, ExecutionSink } from "../../../api/kernels/executions/executions.ts";
import { isOutputEvent, withoutShown } from "../output/shown-output.ts";

/** The run of a cell that ended in an earlier window. The cell does not change until there is output to show. */
export class EarlierRun implements ExecutionSink {
  readonly #cell: Pick<vscode.NotebookCell, "outputs">;
  readonly #open: (isWhole: boolean) => ExecutionSink | undefined;
  #run: ExecutionSink | undefined;

  /**
   * `open` opens the run, to show it from its beginning (`isWhole`), or only more output. It returns undefined if the
   * editor refuses.
   */
  constructor(cell: Pick<vscode.NotebookCell, "outputs">, open: (isWhole: boolean) => ExecutionSink | undefined) {
    this.#cell = cell;
    this.#open = open;
  }

  onEvents(events: readonly ExecutionEvent[]): void | Promise<void> {
    const unshown = withoutShown(events, this.#cell.outputs);
    if (this.#run === undefined && unshown !== events && !unshown.some(isOutputEvent)) {
      return;
    }
    this.#run ??= this.#open(unshown.some(({ type }) => type === "started" || type === "replay"));
    return this.#run?.onEvents(unshown);
  }
}
