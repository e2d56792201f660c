import assert from "node:assert/strict";
import { StartAttempts } from "../../../../src/features/companion/start-attempts.ts";

describe("attempts to start a companion", () => {
  let now: number;
  let attempts: StartAttempts;

  beforeEach(() => {
    now = 1000;
    attempts = new StartAttempts(() => now);
  });

  it("wait longer after each failure, and end after the third one", () => {
    assert.equal(attempts.permission, "allowed");
    assert.equal(attempts.failed("refused"), false);
    assert.equal(attempts.permission, "waiting");
    now += 29_999;
    assert.equal(attempts.permission, "waiting");
    now += 1;
    assert.equal(attempts.permission, "allowed");
    assert.equal(attempts.failed(undefined), false);
    now += 119_999;
    assert.equal(attempts.permission, "waiting");
    now += 1;
    assert.equal(attempts.permission, "allowed");
    assert.equal(attempts.failed("refused"), true);
    now += 3_600_000;
    assert.equal(attempts.permission, "off");
  });

  it("end at once if the server can't have a companion", () => {
    for (const obstacle of ["noKernels", "noPython", "oldPython", "oldKernel", "otherKernel"] as const) {
      attempts.reset();
      assert.equal(attempts.failed(obstacle), true);
      assert.equal(attempts.permission, "off");
    }
  });

  it("count from the beginning after a companion has run for a while", () => {
    attempts.failed("refused");
    now += 200_000;
    attempts.failed(undefined);
    now += 200_000;
    attempts.started();
    now += 10 * 60_000;
    assert.equal(attempts.failed(undefined), false);
    now += 30_000;
    assert.equal(attempts.permission, "allowed");
  });

  it("count on if a companion ends soon after each start", () => {
    for (const pause of [30_000, 120_000]) {
      attempts.started();
      assert.equal(attempts.failed(undefined), false);
      now += pause;
    }
    attempts.started();
    assert.equal(attempts.failed(undefined), true);
  });

  it("wait, but never end, while the server can't be reached", () => {
    for (let time = 0; time < 10; time += 1) {
      attempts.unreachable();
      assert.equal(attempts.permission, "waiting");
      now += 30_000;
      assert.equal(attempts.permission, "allowed");
    }
  });

  it("are allowed when somebody asks for it", () => {
    attempts.turnOff();
    assert.equal(attempts.permission, "off");
    attempts.reset();
    assert.equal(attempts.permission, "allowed");
  });
});
