import assert from "node:assert/strict";
import { mock } from "node:test";
import { TreeRefreshRetry } from "../../../../src/ui/tree/tree-lists.ts";

describe("a redraw that the editor drops", () => {
  const list = { tenantId: "one" };
  const other = { tenantId: "other" };
  let redrawn: object[] = [];
  let retry: TreeRefreshRetry;

  const redraw = (one: typeof list): void => retry.redrawn(one, () => redrawn.push(one));

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    redrawn = [];
    retry = new TreeRefreshRetry();
  });
  afterEach(() => mock.timers.reset());

  it("is repeated while the list still shows as loading, at most five times", () => {
    retry.answered(list, true);
    retry.answered(other, true);
    redraw(list);
    mock.timers.tick(1_999);
    assert.deepEqual(redrawn, []);
    mock.timers.tick(1);
    assert.deepEqual(redrawn, [list]);
    for (let second = 0; second < 60; second += 1) mock.timers.tick(1_000);
    assert.equal(redrawn.length, 5);
  });

  it("is ignored once the editor has requested the list", () => {
    retry.answered(list, true);
    redraw(list);
    retry.answered(list, false);
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, []);
  });

  it("is ignored for lists that never showed as loading, or that are no longer visible", () => {
    redraw(list);
    retry.answered(other, true);
    redraw(other);
    retry.forget((tenantId) => tenantId === "other");
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, []);
  });
});
