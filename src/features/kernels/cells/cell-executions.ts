import type * as vscode from "vscode";

/** The executions of a notebook's cells as the editor knows them: one per cell, and only on the selected controller. */
export class CellExecutions {
  readonly #controller: () => vscode.NotebookController;
  readonly #open = new Map<vscode.NotebookCell, OpenExecution>();
  /** How the last execution of a cell ended: the editor tells it only some time later. */
  readonly #ended = new WeakMap<vscode.NotebookCell, EndedExecution>();

  constructor(controller: () => vscode.NotebookController) {
    this.#controller = controller;
  }

  /** The cell shows as queued. Undefined where the editor does not take it: the cell was deleted, or runs already. */
  open(cell: vscode.NotebookCell): OpenExecution | undefined {
    try {
      const opened = new OpenExecution(this.#controller().createNotebookCellExecution(cell), (ended) => {
        this.#open.delete(cell);
        this.#ended.set(cell, ended);
      });
      this.#open.set(cell, opened);
      return opened;
    } catch {
      return undefined;
    }
  }

  of(cell: vscode.NotebookCell): OpenExecution | undefined {
    return this.#open.get(cell);
  }

  /**
   * Changes outputs of a cell, which the editor allows to a running execution alone: that of the cell, else any of the
   * notebook, else a short one, after which the cell has its order and times again.
   */
  async change(cell: vscode.NotebookCell, work: (execution: vscode.NotebookCellExecution) => Promise<void>) {
    const running =
      [this.#open.get(cell), ...this.#open.values()].find((execution) => execution?.isStarted === true) ?? undefined;
    if (running !== undefined) {
      await work(running.execution);
      return;
    }
    const { order, startTime, success, endTime } = this.#ended.get(cell) ?? summaryOf(cell);
    const opened = this.open(cell);
    if (opened === undefined) {
      return;
    }
    try {
      opened.start(startTime, order);
      await work(opened.execution);
    } finally {
      opened.end(success, endTime);
    }
  }

  /** Ends everything that is not ended: nobody knows how it goes on. */
  endAll(): void {
    for (const execution of [...this.#open.values()]) {
      execution.end(undefined);
    }
  }
}

/** What stays of an execution. Times are milliseconds since 1970. */
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

/** One execution: queued, then started, then ended. Each step is taken once. */
export class OpenExecution {
  readonly execution: vscode.NotebookCellExecution;
  readonly #onEnd: (ended: EndedExecution) => void;
  #state: "queued" | "started" | "ended" = "queued";
  #startTime: number | undefined;

  constructor(execution: vscode.NotebookCellExecution, onEnd: (ended: EndedExecution) => void) {
    this.execution = execution;
    this.#onEnd = onEnd;
  }

  get isStarted(): boolean {
    return this.#state === "started";
  }

  get startTime(): number | undefined {
    return this.#startTime;
  }

  /** `at` in milliseconds since 1970; without it the editor shows no time. */
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
    this.#state = "ended";
    this.#onEnd({ order: this.execution.executionOrder, startTime: this.#startTime, success, endTime: at });
    this.execution.end(success, at);
  }
}
