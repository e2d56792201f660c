import assert from "node:assert/strict";
import { boundedMatching, TooSlowError } from "../../../../src/features/remote-search/bounded-matching.ts";

describe("matching a regular expression", () => {
  it("is interrupted if it takes forever, and works again afterwards", () => {
    const hostile = `${"a".repeat(60)}!`;
    assert.throws(() => boundedMatching(() => [...hostile.matchAll(/(a+)+$/gu)], 50), TooSlowError);
    assert.deepEqual(
      boundedMatching(() => Array.from("ab".matchAll(/b/gu), ({ index }) => index)),
      [1],
    );
  });

  it("passes errors on", () => {
    const failure = new Error("failed");
    assert.throws(
      () =>
        boundedMatching(() => {
          throw failure;
        }),
      (error) => error === failure,
    );
  });
});
