import assert from "node:assert/strict";
import type { NotebookCell, NotebookCellOutput } from "vscode";
import type { ExecutionEvent, ExecutionSink } from "../../../../src/api/kernels/executions/executions.ts";
import { EarlierRun } from "../../../../src/features/kernels/cells/earlier-run.ts";
import { notebookOutput } from "../../../../src/features/kernels/output/output-items.ts";

const late: ExecutionEvent = { type: "stream", name: "stdout", text: "late" };
const entry = { messageId: "m", cellId: undefined, cellIndex: 0, sourceHash: "", sentAt: 0, isFinished: true };
const idle: ExecutionEvent = { type: "idle", at: 3 };

describe("a run that ended in an earlier window", () => {
  const shown = [notebookOutput({ type: "stream", name: "stdout", text: "late" })];
  let taken: ExecutionEvent[];
  let opened: number;

  beforeEach(() => {
    taken = [];
    opened = 0;
  });

  function runIn(
    outputs: readonly NotebookCellOutput[],
    begin: (isWhole: boolean) => ExecutionSink | undefined,
    runningAgain?: ExecutionSink,
  ): EarlierRun {
    const cell = { outputs } as unknown as NotebookCell;
    return new EarlierRun(cell, entry, {
      of: () => runningAgain,
      resume: () => begin(true),
      late: () => begin(false) ?? assert.fail("the editor refuses only whole runs"),
    });
  }

  function open(): ExecutionSink {
    opened += 1;
    return { onEvents: (events) => void taken.push(...events) };
  }

  it("doesn't change its cell until there is something to show, and starts once", async () => {
    const run = runIn([], open);
    assert.equal(opened, 0);
    await run.onEvents([{ type: "replay" }]);
    await run.onEvents([late]);
    assert.deepEqual([opened, taken], [1, [{ type: "replay" }, late]]);
  });

  it("doesn't change a cell that shows everything that is known", async () => {
    await runIn(shown, open).onEvents([{ type: "partialReplay" }, late, idle]);
    assert.deepEqual([opened, taken], [0, []]);
  });

  it("adds what its cell doesn't show yet", async () => {
    await runIn([], open).onEvents([{ type: "partialReplay" }, late, idle]);
    assert.deepEqual([opened, taken], [1, [late, idle]]);
  });

  it("is shown again only if its beginning is sent again", async () => {
    const asked: boolean[] = [];
    const openAs = (isWhole: boolean): ExecutionSink => {
      asked.push(isWhole);
      return open();
    };
    await runIn([], openAs).onEvents([late]);
    await runIn([], openAs).onEvents([{ type: "replay" }, late]);
    await runIn([], openAs).onEvents([{ type: "started", executionCount: 1, at: 1 }, late]);
    assert.deepEqual(asked, [false, true, true]);
  });

  it("shows nothing of a run that the editor refuses, except for later output", async () => {
    const refused: boolean[] = [];
    const refuseWhole = (isWhole: boolean): ExecutionSink | undefined => {
      refused.push(isWhole);
      return isWhole ? undefined : open();
    };
    const run = runIn([], refuseWhole);
    await run.onEvents([{ type: "replay" }, late]);
    assert.deepEqual([refused, taken], [[true], []]);
    await run.onEvents([late]);
    assert.deepEqual([refused, taken], [[true, false], [late]]);
  });

  it("shows nothing in a cell that runs again in this window", async () => {
    await runIn([], open, { onEvents: (events) => void taken.push(...events) }).onEvents([late]);
    assert.deepEqual([opened, taken], [0, []]);
  });
});
