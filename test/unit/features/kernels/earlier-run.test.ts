import assert from "node:assert/strict";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import { EarlierRun } from "../../../../src/features/kernels/cells/earlier-run.ts";

const late: ExecutionEvent = { type: "stream", name: "stdout", text: "late" };

describe("a run that ended in an earlier window", () => {
  it("doesn't change its cell until there is something to show, and starts once", async () => {
    const taken: ExecutionEvent[] = [];
    let opened = 0;
    const run = new EarlierRun(() => {
      opened += 1;
      return { onEvents: (events) => void taken.push(...events) };
    });
    assert.equal(opened, 0);
    await run.onEvents([{ type: "replay" }]);
    await run.onEvents([late]);
    assert.deepEqual([opened, taken], [1, [{ type: "replay" }, late]]);
  });

  it("shows nothing in a cell that the editor refuses", async () => {
    await new EarlierRun(() => undefined).onEvents([late]);
  });
});
