import type * as vscode from "vscode";

/** The editor's executions of a notebook's cells. A cell has at most one, and only on the selected controller. */
export class CellExecutions {
  /** The controller that the editor has selected for the notebook. */
  controller: vscode.NotebookController;
  readonly #open = new Map<vscode.NotebookCell, OpenExecution>();
  /** How the last execution of each cell ended, until the editor has reported it. */
  readonly #ended = new Map<vscode.NotebookCell, EndedExecution>();

  constructor(controller: vscode.NotebookController) {
    this.controller = controller;
  }

  /** Shows the cell as queued. Undefined if the editor refuses, because the cell was deleted or is already running. */
  open(cell: vscode.NotebookCell): OpenExecution | undefined {
    try {
      // The editor clears the cell's execution count and times now.
      const before = this.#lastOf(cell);
      const opened = new OpenExecution(this.controller.createNotebookCellExecution(cell), before, (ended) => {
        this.#open.delete(cell);
        this.#addEnded(cell, ended);
      });
      this.#open.set(cell, opened);
      return opened;
    } catch {
      return undefined;
    }
  }

  /** True if the outputs of all cells can be changed without another execution. */
  get isRunning(): boolean {
    return [...this.#open.values()].some(({ isStarted }) => isStarted);
  }

  of(cell: vscode.NotebookCell): OpenExecution | undefined {
    return this.#open.get(cell);
  }

  /**
   * Changes the outputs of a cell, which the editor allows only in a running execution. Uses the cell's own, or any
   * other one in the notebook. If there is none, starts a short one, and restores the cell's execution order and times
   * afterward.
   */
  async change(
    cell: vscode.NotebookCell,
    work: (execution: vscode.NotebookCellExecution, isRunning: () => boolean) => Promise<void>,
  ): Promise<void> {
    const running =
      [this.#open.get(cell), ...this.#open.values()].find((execution) => execution?.isStarted === true) ?? undefined;
    if (running !== undefined) {
      await work(running.execution, () => running.isStarted);
      return;
    }
    const { order, startTime, success, endTime } = this.#ended.get(cell) ?? summaryOf(cell);
    const opened = this.open(cell);
    if (opened === undefined) {
      return;
    }
    try {
      opened.start(startTime, order);
      await work(opened.execution, () => opened.isStarted);
    } finally {
      opened.end(success, endTime);
    }
  }

  /** The result that the cell shows, also if the editor has reported only its count yet. */
  #lastOf(cell: vscode.NotebookCell): EndedExecution {
    const reported = summaryOf(cell);
    const ended = this.#ended.get(cell);
    return ended !== undefined && ended.order === reported.order ? ended : reported;
  }

  /** Removes some that the editor has reported meanwhile. The others become the newest, so that all are checked. */
  #addEnded(cell: vscode.NotebookCell, ended: EndedExecution): void {
    let left = Math.min(checkedEnds, this.#ended.size);
    for (const [other, expected] of this.#ended) {
      if (left === 0) {
        break;
      }
      left -= 1;
      this.#ended.delete(other);
      if (other.index >= 0 && !isSame(summaryOf(other), expected)) {
        this.#ended.set(other, expected);
      }
    }
    this.#ended.set(cell, ended);
  }

  /** Ends all open executions, because their outcome is unknown. */
  endAll(): void {
    for (const execution of [...this.#open.values()]) {
      execution.end(undefined);
    }
  }
}

/** Number of ended executions that are checked when another one ends. */
const checkedEnds = 4;

/** The result of an execution. Times are milliseconds since 1970. */
interface EndedExecution {
  readonly order: number | undefined;
  readonly startTime: number | undefined;
  readonly success: boolean | undefined;
  readonly endTime: number | undefined;
}

function summaryOf({ executionSummary }: vscode.NotebookCell): EndedExecution {
  const { executionOrder, success, timing } = executionSummary ?? {};
  return { order: executionOrder, startTime: timing?.startTime, success, endTime: timing?.endTime };
}

function isSame(one: EndedExecution, other: EndedExecution): boolean {
  return (
    one.order === other.order &&
    one.startTime === other.startTime &&
    one.success === other.success &&
    one.endTime === other.endTime
  );
}

/**
 * An execution of the editor: queued, then started, then ended. Repeated steps have no effect. If it ends without having
 * started, the cell keeps the execution count and times of its last run.
 */
export class OpenExecution {
  readonly execution: vscode.NotebookCellExecution;
  readonly #before: EndedExecution;
  readonly #onEnd: (ended: EndedExecution) => void;
  #state: "queued" | "started" | "ended" = "queued";
  #startTime: number | undefined;

  /** `before`: the result of the cell's last execution. */
  constructor(execution: vscode.NotebookCellExecution, before: EndedExecution, onEnd: (ended: EndedExecution) => void) {
    this.execution = execution;
    this.#before = before;
    this.#onEnd = onEnd;
  }

  get isStarted(): boolean {
    return this.#state === "started";
  }

  get startTime(): number | undefined {
    return this.#startTime;
  }

  /** `at` is in milliseconds since 1970. Without it, the editor shows no time. */
  start(at: number | undefined, order?: number): void {
    if (this.#state === "queued") {
      this.#state = "started";
      this.#startTime = at;
      this.execution.start(at);
    }
    if (order !== undefined && this.#state === "started") {
      this.execution.executionOrder = order;
    }
  }

  end(success: boolean | undefined, at?: number): void {
    if (this.#state === "ended") {
      return;
    }
    const { order, startTime, success: lastSuccess, endTime } = this.#before;
    if (this.#state === "queued" && order !== undefined) {
      this.start(startTime, order);
      this.end(lastSuccess, endTime);
      return;
    }
    this.#state = "ended";
    this.#onEnd({ order: this.execution.executionOrder, startTime: this.#startTime, success, endTime: at });
    this.execution.end(success, at);
  }
}
