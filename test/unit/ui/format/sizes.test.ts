import assert from "node:assert/strict";
import { sizeText } from "../../../../src/ui/format/sizes.ts";
import { english } from "../translate.ts";

describe("a number of bytes", () => {
  it("reads as bytes, KB or MB", () => {
    const texts = [0, 999, 1000, 4096, 999_949, 12_500_000].map((bytes) => sizeText(bytes, english));
    assert.deepEqual(texts, ["0 bytes", "999 bytes", "1.0 KB", "4.1 KB", "999.9 KB", "12.5 MB"]);
  });
});
