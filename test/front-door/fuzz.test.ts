import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { fuzzFrontDoor } from "../harness/front-door/fuzz.ts";

describe("front door: random input from everybody who talks to it", () => {
  it("blocks nobody, fills no memory and shows no credential", async function () {
    this.timeout(180_000);
    const seed = randomInt(2 ** 31);
    // A failure is repeated with `npm run fuzz:front-door -- --seed=…`.
    console.log(`      seed ${seed}`);
    const figures = await fuzzFrontDoor({ seed, runs: 100_000, seconds: 60 });
    console.log(`      ${JSON.stringify(figures)}`);
    assert.ok(figures.calls > 30, `${figures.calls} calls in a minute`);
  });
});
