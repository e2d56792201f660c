import * as vscode from "vscode";
import type { KernelConnection } from "../../../api/kernels/connection/connection.ts";
import type { ExecutionEvent, ExecutionOutcome, ForeignActivity } from "../../../api/kernels/executions/executions.ts";
import type { CellRun } from "./cell-run.ts";
import type { CellRuns } from "./cell-runs.ts";

interface FollowedRun {
  readonly run: CellRun;
  hasFailed: boolean;
}

/** Maximum number of runs whose late output is still shown. */
const maxRuns = 200;

/**
 * Shows the runs of other clients on a notebook's kernel in the cells with the same code. Runs that began earlier, and
 * runs whose code is not in any cell, are not shown. Sends nothing to the kernel.
 */
export class FollowedRuns implements vscode.Disposable {
  readonly #notebook: vscode.NotebookDocument;
  readonly #cellRuns: Pick<CellRuns, "open">;
  readonly #runs = new Map<string, FollowedRun>();
  readonly #subscriptions: readonly { dispose(): void }[];
  /** Index of the cell that ran last. If several cells have the same code, the next one is the most likely. */
  #last = -1;

  constructor(connection: KernelConnection, notebook: vscode.NotebookDocument, cellRuns: Pick<CellRuns, "open">) {
    this.#notebook = notebook;
    this.#cellRuns = cellRuns;
    this.#subscriptions = [
      connection.onForeign((activity) => this.#take(activity)),
      connection.onState(({ type }) => (type === "connected" ? undefined : this.#lose())),
      connection.onKernel(({ type }) => (type === "activity" ? undefined : this.#endWithKernel())),
    ];
  }

  /** Stops following the runs that are still running. */
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
      const run = this.#cellRuns.open(cell, { recordsTimes: false });
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
      if (this.#runs.size <= maxRuns) {
        return;
      }
      if (run.isEnded) {
        this.#runs.delete(id);
      }
    }
  }

  /** Adds an end event at the kernel's idle status, because only the other client receives the reply. */
  #completed(followed: FollowedRun, event: ExecutionEvent): readonly ExecutionEvent[] {
    if (event.type === "error") {
      followed.hasFailed = true;
    }
    if (event.type !== "idle" || followed.run.isEnded) {
      return [event];
    }
    return [endedEvent({ type: followed.hasFailed ? "error" : "ok" }, event.at), event];
  }

  /** Ends the runs, because their progress is unknown. */
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
