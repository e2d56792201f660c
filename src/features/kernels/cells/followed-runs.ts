import * as vscode from "vscode";
import type { KernelConnection } from "../../../api/kernels/connection/connection.ts";
import type { ExecutionEvent, ExecutionOutcome, ForeignActivity } from "../../../api/kernels/executions/executions.ts";
import type { CellRun } from "./cell-run.ts";

interface FollowedRun {
  readonly run: CellRun;
  hasFailed: boolean;
}

/** Runs whose late output is still shown. */
const mostRuns = 200;

/**
 * What other clients run on the kernel of a notebook, shown in the cells that have the same code. A run that had begun
 * before, or whose code no cell has, isn't shown. Nothing is sent to the kernel.
 */
export class FollowedRuns implements vscode.Disposable {
  readonly #notebook: vscode.NotebookDocument;
  readonly #open: (cell: vscode.NotebookCell) => CellRun | undefined;
  readonly #runs = new Map<string, FollowedRun>();
  readonly #subscriptions: readonly { dispose(): void }[];
  /** Position of the cell that ran last: of cells with the same code the next one is more likely. */
  #last = -1;

  /** `open` makes a cell show as queued; undefined where the editor does not take it. */
  constructor(
    connection: KernelConnection,
    notebook: vscode.NotebookDocument,
    open: (cell: vscode.NotebookCell) => CellRun | undefined,
  ) {
    this.#notebook = notebook;
    this.#open = open;
    this.#subscriptions = [
      connection.onForeign((activity) => this.#take(activity)),
      connection.onState(({ type }) => (type === "connected" ? undefined : this.#lose())),
      connection.onKernel(({ type }) => (type === "activity" ? undefined : this.#endWithKernel())),
    ];
  }

  /** What still runs is no longer followed. */
  dispose(): void {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    for (const { run } of this.#running()) {
      run.abandon();
    }
  }

  #take({ messageId, code, events }: ForeignActivity): Promise<void> | undefined {
    const followed = this.#runs.get(messageId) ?? (code === undefined ? undefined : this.#begin(messageId, code));
    return followed?.run.onEvents(events.flatMap((event) => this.#completed(followed, event)));
  }

  #begin(messageId: string, code: string): FollowedRun | undefined {
    const cells = this.#notebook
      .getCells()
      .filter((cell) => cell.kind === vscode.NotebookCellKind.Code && cell.document.getText() === code);
    const inOrder = [
      ...cells.filter(({ index }) => index > this.#last),
      ...cells.filter(({ index }) => index <= this.#last),
    ];
    for (const cell of inOrder) {
      const run = this.#open(cell);
      if (run !== undefined) {
        this.#last = cell.index;
        const followed = { run, hasFailed: false };
        this.#remember(messageId, followed);
        return followed;
      }
    }
    return undefined;
  }

  #remember(messageId: string, followed: FollowedRun): void {
    this.#runs.set(messageId, followed);
    for (const [id, { run }] of this.#runs) {
      if (this.#runs.size <= mostRuns) {
        return;
      }
      if (run.isEnded) {
        this.#runs.delete(id);
      }
    }
  }

  /** The kernel's reply goes to the client that asked: here the kernel's being idle is the end. */
  #completed(followed: FollowedRun, event: ExecutionEvent): readonly ExecutionEvent[] {
    if (event.type === "error") {
      followed.hasFailed = true;
    }
    if (event.type !== "idle" || followed.run.isEnded) {
      return [event];
    }
    return [endedEvent({ type: followed.hasFailed ? "error" : "ok" }, event.at), event];
  }

  /** How these runs go on is not known. */
  #lose(): void {
    for (const { run } of this.#running()) {
      void run.onEvents([{ type: "gap", reason: { type: "connectionLost" } }]).then(() => run.drop());
    }
  }

  #endWithKernel(): void {
    for (const { run } of this.#running()) {
      void run.onEvents([endedEvent({ type: "kernelEnded" }, Date.now())]);
    }
  }

  #running(): readonly FollowedRun[] {
    return [...this.#runs.values()].filter(({ run }) => !run.isEnded);
  }
}

function endedEvent(outcome: ExecutionOutcome, at: number): ExecutionEvent {
  return { type: "ended", outcome, executionCount: undefined, at, payload: [] };
}
