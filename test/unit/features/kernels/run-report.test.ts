import assert from "node:assert/strict";
import { type EndedCell, reportOf } from "../../../../src/features/kernels/run-report.ts";

describe("the report of a run that the user didn't watch", () => {
  const away = { isInFront: false, thresholdMs: 30_000 };
  const ended = (cell: number, outcome: EndedCell<number>["outcome"], durationMs?: number): EndedCell<number> => ({
    cell,
    outcome,
    durationMs,
  });

  it("names the cell that failed, however short it was, and says if others were not run", () => {
    const failed = ended(2, "error", 5);
    assert.deepEqual(reportOf([ended(1, "ok", 90_000), failed], away), {
      type: "failed",
      ended: failed,
      isAborted: false,
    });
    for (const outcome of ["aborted", "dropped"] as const) {
      assert.deepEqual(reportOf([failed, ended(3, outcome)], away), { type: "failed", ended: failed, isAborted: true });
    }
  });

  it("covers all cells that were run together if one of them was long", () => {
    const last = ended(3, "ok", 1);
    assert.deepEqual(reportOf([ended(1, "ok", 30_001), ended(2, "ok", 2), last], away), {
      type: "finished",
      ended: last,
      count: 3,
    });
    assert.equal(reportOf([ended(1, "ok", 30_000), last], away), undefined);
  });

  it("says that the outcome is unknown", () => {
    for (const outcome of ["unknown", "notReceived"] as const) {
      assert.deepEqual(reportOf([ended(1, outcome)], away), { type: "uncertain", ended: ended(1, outcome) });
    }
  });

  it("is left out if the user sees the notebook, or turned reports off", () => {
    const cells = [ended(1, "ok", 90_000), ended(2, "error", 1)];
    assert.equal(reportOf(cells, { ...away, isInFront: true }), undefined);
    assert.equal(reportOf(cells, { ...away, thresholdMs: 0 }), undefined);
  });

  it("is left out if the kernel ended, which has its own message, and if nothing was run", () => {
    assert.equal(reportOf([ended(1, "ok", 90_000), ended(2, "kernelEnded", 1)], away), undefined);
    assert.equal(reportOf([ended(1, "aborted"), ended(2, "dropped", 90_000)], away), undefined);
    assert.equal(reportOf([], away), undefined);
  });
});
