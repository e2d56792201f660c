import assert from "node:assert/strict";
import { mock } from "node:test";
import { RedrawRetry } from "../../../../src/ui/tree/redraw-retry.ts";

describe("a redraw that the editor drops", () => {
  let redrawn: string[] = [];
  let retry: RedrawRetry<string>;

  const redraw = (part: string): void => retry.redrawn(part, () => redrawn.push(part));

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    redrawn = [];
    retry = new RedrawRetry();
  });
  afterEach(() => mock.timers.reset());

  it("is repeated until the editor requests the part, at most five times", () => {
    redraw("list");
    mock.timers.tick(1_999);
    assert.deepEqual(redrawn, []);
    mock.timers.tick(1);
    assert.deepEqual(redrawn, ["list"]);
    for (let second = 0; second < 60; second += 1) mock.timers.tick(1_000);
    assert.equal(redrawn.length, 5);
  });

  it("isn't repeated once the editor has requested the part", () => {
    redraw("list");
    redraw("other");
    mock.timers.tick(2_000);
    retry.stop("list");
    mock.timers.tick(2_000);
    assert.deepEqual(redrawn, ["list", "other", "other"]);
  });

  it("isn't repeated after the tree was disposed of", () => {
    redraw("list");
    redraw("other");
    retry.dispose();
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, []);
  });
});
