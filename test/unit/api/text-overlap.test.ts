import assert from "node:assert/strict";
import { endOf, overlapOf } from "../../../src/api/text-overlap.ts";

/** All texts of these lengths that consist of two letters. */
function texts(lengths: readonly number[]): readonly string[] {
  return lengths.flatMap((length) =>
    Array.from({ length: 2 ** length }, (_, bits) =>
      Array.from({ length }, (_letter, place) => ((bits >> place) & 1 ? "b" : "a")).join(""),
    ),
  );
}

describe("the overlap of texts", () => {
  it("is the longest beginning with which the other text ends", () => {
    const all = texts([0, 1, 3, 5, 6]);
    for (const shown of all) {
      for (const text of all) {
        const lengths = Array.from({ length: text.length + 1 }, (_, index) => text.length - index);
        const longest = lengths.find((length) => shown.endsWith(text.slice(0, length)));
        assert.equal(overlapOf(shown, text), longest, `${shown} and ${text}`);
      }
    }
  });

  it("finds the first occurrence", () => {
    for (const part of texts([1, 2, 3, 4])) {
      for (const text of texts([0, 2, 6])) {
        const index = text.indexOf(part);
        assert.equal(endOf(part, text), index < 0 ? 0 : index + part.length, `${part} in ${text}`);
      }
    }
  });

  it("takes linear time for text that repeats itself", () => {
    const repeated = "a".repeat(300_000);
    assert.equal(overlapOf(`${repeated}b`, `${repeated}c`), 0);
    assert.equal(endOf(`${repeated.slice(0, 100_000)}b`, repeated), 0);
  });
});
