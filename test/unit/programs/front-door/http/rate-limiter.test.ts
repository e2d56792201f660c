import assert from "node:assert/strict";
import fc from "fast-check";
import { RateLimiter } from "../../../../../src/programs/front-door/http/rate-limiter.ts";
import type { Rejection } from "../../../../../src/programs/front-door/http/rejections.ts";
import { MemoryStore } from "../../../../../src/programs/front-door/shared-state/memory-store.ts";

function limiterWith(maxPerMinute: number, monotonic: () => number): RateLimiter {
  const state = new MemoryStore({ revocationSeconds: 60, monotonic });
  return new RateLimiter({ name: "requests", maxPerMinute }, state, monotonic);
}

describe("front door: a rate limit", () => {
  it("allows a number of requests per caller and minute, and reports when the next window begins", async () => {
    let now = 5_000;
    const rate = limiterWith(2, () => now);
    assert.equal(await rate.count("anna"), undefined);
    now += 20_500;
    assert.equal(await rate.count("anna"), undefined);
    const rejection = { rejection: "overLimit", limit: "requests", retryAfterSeconds: 40 };
    assert.deepEqual(await rate.count("anna"), rejection);
    assert.equal(await rate.count("ben"), undefined);
    now += 39_499;
    assert.deepEqual(await rate.count("anna"), { ...rejection, retryAfterSeconds: 1 });
    now += 1;
    assert.equal(await rate.count("anna"), undefined);
  });

  it("never allows more than twice its number in any minute, and admits callers who wait as requested", async () => {
    const steps = fc.array(fc.nat({ max: 30_000 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (pauses, max) => {
        let now = 0;
        const rate = limiterWith(max, () => now);
        const letIn: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const rejection = await rate.count("anna");
          if (rejection === undefined) {
            letIn.push(now);
          } else {
            assert.ok(rejection.rejection === "overLimit" && rejection.retryAfterSeconds <= 60);
            now += rejection.retryAfterSeconds * 1000;
            assert.equal(await rate.count("anna"), undefined);
            letIn.push(now);
          }
        }
        for (const moment of letIn) {
          const within = letIn.filter((one) => one >= moment && one < moment + 60_000);
          assert.ok(within.length <= 2 * max);
        }
      }),
    );
  });

  it("queries the store once for a caller that doesn't wait, and again after the window", async () => {
    let now = 0;
    let asked = 0;
    const state = {
      count: async () => {
        asked += 1;
        return { counted: asked, millisecondsLeft: 1500 };
      },
    };
    const rate = new RateLimiter({ name: "requests", maxPerMinute: 1 }, state, () => now);
    await rate.count("anna");
    for (let nth = 0; nth < 5; nth += 1) assert.equal((await rate.count("anna"))?.rejection, "overLimit");
    assert.equal(asked, 2);
    now += 1500;
    await rate.count("anna");
    assert.equal(asked, 3);
  });

  it("passes on the rejection if the store fails", async () => {
    const unavailable: Rejection = { rejection: "unavailable", reason: "the store is gone" };
    const rate = new RateLimiter({ name: "requests", maxPerMinute: 1 }, { count: async () => unavailable }, () => 0);
    assert.deepEqual(await rate.count("anna"), unavailable);
  });
});
