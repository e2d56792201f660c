import assert from "node:assert/strict";
import { lazy } from "../../../src/api/lazy.ts";

describe("lazy", () => {
  it("loads once, on the first call, and shares the load", async () => {
    let loads = 0;
    const load = lazy(async () => ({ number: ++loads }));
    assert.equal(loads, 0);
    const [first, second] = await Promise.all([load(), load()]);
    assert.equal(first, second);
    assert.equal(await load(), first);
    assert.equal(loads, 1);
  });

  it("doesn't cache a failed load, and retries on the next call", async () => {
    let loads = 0;
    const load = lazy(async () => {
      loads += 1;
      if (loads === 1) throw new Error("no connection");
      return loads;
    });
    const failed = await Promise.allSettled([load(), load()]);
    assert.deepEqual(
      failed.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.equal(loads, 1);
    assert.equal(await load(), 2);
  });
});
