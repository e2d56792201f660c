import assert from "node:assert/strict";
import { canNameRuns, compareRunNames, notebookOfRun, runName } from "../../../../src/api/runs/run-names.ts";
import { runRecord, runState } from "../../../../src/api/runs/run-record.ts";

describe("the names of runs", () => {
  const time = new Date(2026, 10, 29, 7, 5);

  it("have the time, and a number if that is taken", () => {
    const first = runName("folder/report.ipynb", time, new Set());
    assert.equal(first, "report 2026-11-29 07.05.ipynb");
    const second = runName("report.ipynb", time, new Set([first]));
    assert.equal(second, "report 2026-11-29 07.05 (2).ipynb");
    assert.deepEqual([first, second].map(notebookOfRun), ["report.ipynb", "report.ipynb"]);
  });

  it("belong to a notebook", () => {
    assert.equal(notebookOfRun("my report 2 2026-11-29 07.05.ipynb"), "my report 2.ipynb");
    for (const other of [
      "report.ipynb",
      "report 2026-11-29.ipynb",
      "2026-11-29 07.05.ipynb",
      "a 2026-11-29 07.05.py",
    ]) {
      assert.equal(notebookOfRun(other), undefined, other);
    }
  });

  it("keep the letter case of the extension, and names of any length that fits", () => {
    const upper = runName("Report.IPYNB", time, new Set());
    assert.equal(upper, "Report 2026-11-29 07.05.IPYNB");
    assert.equal(notebookOfRun(upper), "Report.IPYNB");
    const long = `${"x".repeat(225)}.ipynb`;
    assert.equal(notebookOfRun(runName(long, time, new Set())), long);
    assert.deepEqual(
      [long, `x${long}`, `a/b/${long}`, `${"é".repeat(120)}.ipynb`, `${"é".repeat(110)}.ipynb`].map(canNameRuns),
      [true, false, true, false, true],
    );
  });

  it("sort by time, newest first", () => {
    const names = ["a 2026-11-29 07.05.ipynb", "a 2026-11-29 07.05 (2).ipynb", "a 2026-11-29 07.05 (10).ipynb"];
    assert.deepEqual([...names, "a 2026-12-01 00.00.ipynb"].toSorted(compareRunNames), [
      "a 2026-12-01 00.00.ipynb",
      ...names.toReversed(),
    ]);
  });
});

describe("the record of a run", () => {
  const record = (run: object): unknown => ({
    cells: [],
    metadata: {
      platform_workbench_run: {
        status: "failed",
        source: "a.ipynb",
        parameters: { a: "1" },
        cell: 2,
        cells: 3,
        ...run,
      },
      papermill: { start_time: "2026-11-29T07:05:00Z", duration: 1.5 },
    },
  });

  it("is read, with a bounded error", () => {
    assert.deepEqual(runRecord(record({ error: "e".repeat(9000) })), {
      status: "failed",
      source: "a.ipynb",
      parameters: { a: "1" },
      cell: 2,
      cells: 3,
      error: "e".repeat(2000),
      started: "2026-11-29T07:05:00Z",
      seconds: 1.5,
    });
  });

  it("is none in other notebooks", () => {
    for (const other of [{}, { metadata: {} }, record({ status: "other" }), record({ cell: -1 }), undefined]) {
      assert.equal(runRecord(other), undefined);
    }
  });

  it("is lost if its session has ended before it", () => {
    assert.equal(runState({ status: "running" }, true), "running");
    assert.equal(runState({ status: "running" }, false), "lost");
    assert.equal(runState({ status: "succeeded" }, false), "succeeded");
  });
});
