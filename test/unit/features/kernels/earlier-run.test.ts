import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { NotebookCell, NotebookCellOutput } from "vscode";
import type { ExecutionEvent, ExecutionSink } from "../../../../src/api/kernels/executions/executions.ts";
import type { EarlierRun } from "../../../../src/features/kernels/cells/earlier-run.ts";

const late: ExecutionEvent = { type: "stream", name: "stdout", text: "late" };
const entry = { messageId: "m", cellId: undefined, cellIndex: 0, sourceHash: "", sentAt: 0, isFinished: true };
const idle: ExecutionEvent = { type: "idle", at: 3 };

describe("a run that ended in an earlier window", () => {
  let runIn: (
    shown: readonly NotebookCellOutput[],
    open: (isWhole: boolean) => ExecutionSink | undefined,
  ) => EarlierRun;
  let shown: NotebookCellOutput[];
  let taken: ExecutionEvent[];
  let opened: number;

  before(async () => {
    // The editor's API is a stand-in here. Only modules that are imported later get it.
    const loaded = await import("../../../../src/features/kernels/cells/earlier-run.ts");
    runIn = (outputs, begin) => {
      const cell = { outputs } as unknown as NotebookCell;
      const runs = {
        of: () => undefined,
        resume: () => begin(true),
        late: () => begin(false) ?? { onEvents: () => {} },
      };
      return new loaded.EarlierRun(cell, entry, runs);
    };
    const { notebookOutput } = await import("../../../../src/features/kernels/output/output-items.ts");
    shown = [notebookOutput({ type: "stream", name: "stdout", text: "late" })];
  });
  beforeEach(() => {
    taken = [];
    opened = 0;
  });

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

  it("shows nothing in a cell that the editor refuses", async () => {
    await runIn([], () => undefined).onEvents([late]);
  });
});
