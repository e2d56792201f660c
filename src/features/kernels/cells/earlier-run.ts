import type { ExecutionEvent, ExecutionSink } from "../../../api/kernels/executions/executions.ts";

/** The run of a cell that ended in an earlier window. The cell does not change until there is output to show. */
export class EarlierRun implements ExecutionSink {
  readonly #open: () => ExecutionSink | undefined;
  #run: ExecutionSink | undefined;

  /** `open` begins the run. It returns undefined if the editor refuses. */
  constructor(open: () => ExecutionSink | undefined) {
    this.#open = open;
  }

  onEvents(events: readonly ExecutionEvent[]): void | Promise<void> {
    this.#run ??= this.#open();
    return this.#run?.onEvents(events);
  }
}
