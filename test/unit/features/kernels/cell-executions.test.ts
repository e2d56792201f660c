import assert from "node:assert/strict";
import type { NotebookCell, NotebookCellExecutionSummary, NotebookController } from "vscode";
import { CellExecutions } from "../../../../src/features/kernels/cells/cell-executions.ts";

/** A cell with an editor that clears its summary when an execution is created, as the real one does. */
function cellWith(summary: NotebookCellExecutionSummary | undefined): {
  readonly cell: NotebookCell;
  readonly controller: NotebookController;
} {
  const cell: { executionSummary: NotebookCellExecutionSummary | undefined } = { executionSummary: summary };
  const createNotebookCellExecution = (): unknown => {
    cell.executionSummary = {};
    let startTime: number | undefined;
    const execution: {
      executionOrder: number | undefined;
      start(at?: number): void;
      end(success: boolean | undefined, at?: number): void;
    } = {
      executionOrder: undefined,
      start(at) {
        startTime = at;
      },
      end(success, endTime) {
        const order = execution.executionOrder === undefined ? {} : { executionOrder: execution.executionOrder };
        const timing = startTime === undefined || endTime === undefined ? {} : { timing: { startTime, endTime } };
        cell.executionSummary = { ...order, ...timing, ...(success === undefined ? {} : { success }) };
      },
    };
    return execution;
  };
  const controller = { createNotebookCellExecution } as unknown as NotebookController;
  return { cell: cell as unknown as NotebookCell, controller };
}

describe("an execution of the editor", () => {
  const executionsOf = (controller: NotebookController): CellExecutions => new CellExecutions(controller);

  it("that ends without having started leaves the count and the times of the last run", () => {
    const last = { executionOrder: 7, success: true, timing: { startTime: 1, endTime: 2 } };
    const { cell, controller } = cellWith(last);
    executionsOf(controller).open(cell)?.end(undefined, 5);
    assert.deepEqual(cell.executionSummary, last);
  });

  it("that ends without having started leaves the count that the file has", () => {
    const { cell, controller } = cellWith({ executionOrder: 7 });
    executionsOf(controller).open(cell)?.end(undefined, 5);
    assert.deepEqual(cell.executionSummary, { executionOrder: 7 });
  });

  it("shows nothing in a cell that has never run", () => {
    const { cell, controller } = cellWith(undefined);
    executionsOf(controller).open(cell)?.end(undefined, 5);
    assert.deepEqual(cell.executionSummary, {});
  });

  it("replaces the count and the times once it has started", () => {
    const { cell, controller } = cellWith({ executionOrder: 7, success: true });
    const opened = executionsOf(controller).open(cell);
    opened?.start(10, 8);
    opened?.end(false, 12);
    opened?.end(true, 13);
    const timing = { startTime: 10, endTime: 12 };
    assert.deepEqual(cell.executionSummary, { executionOrder: 8, success: false, timing });
  });

  it("that ends without having started leaves the result of a run whose end the editor has not reported", () => {
    const { cell, controller } = cellWith(undefined);
    const executions = executionsOf(controller);
    const first = executions.open(cell);
    first?.start(1, 3);
    first?.end(true, 2);
    // The editor has reported only the count.
    Object.assign(cell, { executionSummary: { executionOrder: 3 } });
    executions.open(cell)?.end(undefined, 5);
    assert.deepEqual(cell.executionSummary, {
      executionOrder: 3,
      success: true,
      timing: { startTime: 1, endTime: 2 },
    });
  });
});
