import assert from "node:assert/strict";
import fc from "fast-check";
import { sourceDifferences } from "../../../../src/features/designs/sources.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe("the differences between two sources", () => {
  it("are listed by path and kind of change; content with a zero byte is binary", () => {
    const before = new Map([
      ["a.js", bytes("one")],
      ["b.js", bytes("same")],
      ["c.png", Uint8Array.from([137, 80, 0, 1])],
    ]);
    const after = new Map([
      ["a.js", bytes("two")],
      ["b.js", bytes("same")],
      ["d.js", bytes("")],
    ]);
    assert.deepEqual(sourceDifferences(before, after), [
      { path: "a.js", change: "changed", isBinary: false },
      { path: "c.png", change: "removed", isBinary: true },
      { path: "d.js", change: "added", isBinary: false },
    ]);
  });

  it("are empty for the same files, and have the same paths in both directions", () => {
    const files = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.uint8Array({ maxLength: 3 }));
    fc.assert(
      fc.property(files, files, (one, other) => {
        const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
        assert.deepEqual(sourceDifferences(left, new Map(Object.entries(one))), []);
        const paths = (found: ReturnType<typeof sourceDifferences>): string[] => found.map(({ path }) => path);
        assert.deepEqual(paths(sourceDifferences(left, right)), paths(sourceDifferences(right, left)));
      }),
    );
  });
});
