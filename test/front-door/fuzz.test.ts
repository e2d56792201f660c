import assert from "node:assert/strict";
import { fuzzFrontDoor } from "../harness/front-door/fuzz.ts";
import { randomSeed } from "../harness/random-seed.ts";

/** A fixed number, so that a slow machine tries as many. `npm run fuzz:front-door` tries more. */
const runs = 400;

describe("front door: random input from all peers", () => {
  it("doesn't block, exhaust memory, or reveal a credential", async () => {
    // To repeat a failure: `npm run fuzz:front-door -- --seed=…`.
    console.log(`      seed ${randomSeed}`);
    const figures = await fuzzFrontDoor({ seed: randomSeed, runs });
    console.log(`      ${JSON.stringify(figures)}`);
    assert.ok(figures.calls >= runs, `${figures.calls} calls`);
  });
});
