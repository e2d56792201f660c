import assert from "node:assert/strict";
import fc from "fast-check";
import { RateLimiter } from "../../../../../src/programs/front-door/http/rate-limiter.ts";

describe("front door: a rate", () => {
  it("lets so many requests of each caller through in a minute, and says when there is room again", () => {
    let now = 5_000;
    const rate = new RateLimiter("requests", 2, () => now);
    assert.equal(rate.count("anna"), undefined);
    now += 20_500;
    assert.equal(rate.count("anna"), undefined);
    const rejection = { rejection: "overLimit", limit: "requests", retryAfterSeconds: 40 };
    assert.deepEqual(rate.count("anna"), rejection);
    assert.equal(rate.count("ben"), undefined);
    now += 39_499;
    assert.deepEqual(rate.count("anna"), { ...rejection, retryAfterSeconds: 1 });
    now += 1;
    assert.equal(rate.count("anna"), undefined);
  });

  it("never lets more than twice its number through in any minute, and whoever waits as told gets in", () => {
    const steps = fc.array(fc.nat({ max: 30_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (pauses, most) => {
        let now = 0;
        const rate = new RateLimiter("requests", most, () => now);
        const letIn: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const rejection = rate.count("anna");
          if (rejection === undefined) {
            letIn.push(now);
          } else {
            assert.ok(rejection.rejection === "overLimit" && rejection.retryAfterSeconds <= 60);
            now += rejection.retryAfterSeconds * 1000;
            assert.equal(rate.count("anna"), undefined);
            letIn.push(now);
          }
        }
        for (const moment of letIn) {
          const within = letIn.filter((one) => one >= moment && one < moment + 60_000);
          assert.ok(within.length <= 2 * most);
        }
      }),
    );
  });
});
