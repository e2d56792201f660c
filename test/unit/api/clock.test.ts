import assert from "node:assert/strict";
import { monotonicClock, systemClock } from "../../../src/api/clock.ts";

describe("clocks", () => {
  const { now } = Date;

  afterEach(() => {
    Date.now = now;
  });

  it("for ages don't move backward if the computer's clock is set back", () => {
    const [wall, age] = [systemClock.now(), monotonicClock.now()];
    Date.now = () => now() - 3_600_000;
    assert.ok(systemClock.now() < wall);
    assert.ok(monotonicClock.now() >= age);
  });
});
