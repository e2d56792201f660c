import assert from "node:assert/strict";
import { defaultAbsentAfterMs, PresenceOfUse } from "../../../src/api/presence.ts";
import { SimulatedClock } from "../file-system/simulated-clock.ts";

describe("presence", () => {
  it("ends minutes after the last use, begins with the next use, and never ends while it is kept", async () => {
    const clock = new SimulatedClock();
    const presence = new PresenceOfUse(clock);
    const changes: boolean[] = [];
    presence.onChange(() => changes.push(presence.isPresent));
    presence.use(false);
    await clock.pass(defaultAbsentAfterMs - 1);
    presence.use(true);
    presence.use(false);
    await clock.pass(defaultAbsentAfterMs - 1);
    assert.deepEqual([presence.isPresent, changes], [true, []]);
    await clock.pass(1);
    assert.deepEqual([presence.isPresent, changes], [false, [false]]);
    presence.use(true);
    assert.deepEqual([presence.isPresent, changes], [true, [false, true]]);
    presence.setAlwaysPresent(true);
    presence.use(false);
    await clock.pass(10 * defaultAbsentAfterMs);
    assert.equal(presence.isPresent, true);
    presence.setAlwaysPresent(false);
    await clock.pass(defaultAbsentAfterMs);
    presence.setAlwaysPresent(true);
    assert.deepEqual(changes, [false, true, false, true]);
    presence.dispose();
  });
});
