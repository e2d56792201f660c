import assert from "node:assert/strict";
import { duration, sizeText } from "../../../../src/ui/format/quantities.ts";

describe("a number of bytes", () => {
  it("is shown as bytes, KB, or MB", () => {
    const texts = [0, 999, 1000, 4096, 999_949, 12_500_000].map((bytes) => sizeText(bytes, "en"));
    assert.deepEqual(texts, ["0 bytes", "999 bytes", "1.0 KB", "4.1 KB", "999.9 KB", "12.5 MB"]);
  });
});

describe("durations", () => {
  const cases: readonly (readonly [number, string])[] = [
    [-5, "0.0s"],
    [430, "0.4s"],
    [1000, "1s"],
    [36_400, "36s"],
    [59_700, "1m"],
    [312_000, "5m 12s"],
    [3_600_000, "1h"],
    [5_400_000, "1h 30m"],
    [187_200_000, "2d 4h"],
  ];
  for (const [milliseconds, text] of cases) {
    it(`show ${milliseconds} ms as ${text}`, () => assert.equal(duration(milliseconds, "en"), text));
  }
});
