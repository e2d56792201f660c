import assert from "node:assert/strict";
import { mock } from "node:test";
import { LostRedraws } from "../../../../src/ui/tree/lost-redraws.ts";

describe("a redrawing that the editor loses", () => {
  const list = { tenantId: "one" };
  const other = { tenantId: "other" };
  let redrawn: object[] = [];
  let lost: LostRedraws;

  const tell = (one: typeof list): void => lost.told(one, () => redrawn.push(one));

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    redrawn = [];
    lost = new LostRedraws();
  });
  afterEach(() => mock.timers.reset());

  it("is asked for again while the list still shows as loading, five times at most", () => {
    lost.answered(list, true);
    lost.answered(other, true);
    tell(list);
    mock.timers.tick(1_999);
    assert.deepEqual(redrawn, []);
    mock.timers.tick(1);
    assert.deepEqual(redrawn, [list]);
    for (let second = 0; second < 60; second += 1) mock.timers.tick(1_000);
    assert.equal(redrawn.length, 5);
  });

  it("is no matter once the editor has asked", () => {
    lost.answered(list, true);
    tell(list);
    lost.answered(list, false);
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, []);
  });

  it("is no matter for what never showed as loading, or that nobody looks at any more", () => {
    tell(list);
    lost.answered(other, true);
    tell(other);
    lost.forget((tenantId) => tenantId === "other");
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, []);
  });
});
