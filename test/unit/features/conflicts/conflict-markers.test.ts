import assert from "node:assert/strict";
import { keptSides, linesToDelete, markedConflicts } from "../../../../src/features/conflicts/conflict-markers.ts";
import { mergeTexts } from "../../../../src/file-system/merge/merge-text.ts";

describe("conflict markers", () => {
  /** The text after each side was accepted in all conflicts. */
  function accepted(text: string): readonly string[] {
    const lines = text.split("\n");
    const conflicts = markedConflicts(lines);
    return keptSides.map((kept) => {
      const deleted = new Set<number>();
      for (const conflict of conflicts) {
        let before = -1;
        for (const { start, end } of linesToDelete(conflict, kept)) {
          assert.ok(start > before && end > start, "the ranges neither overlap nor touch, and aren't empty");
          before = end;
          for (let line = start; line < end; line += 1) deleted.add(line);
        }
      }
      return lines.filter((_, line) => !deleted.has(line)).join("\n");
    });
  }

  it("of our merges leave either side, or both, without the markers", async () => {
    // Conflicts with up to three lines between them are one.
    const between = "a\nb\nc\nd\n";
    const base = `first\n${between}last\n`;
    const ours = `one\n${between}ours\nmore\n`;
    const theirs = `1\n${between}theirs\n`;
    const { conflicts, text } = await mergeTexts(base, ours, theirs, { ours: "Yours", theirs: "Server" });
    assert.equal(conflicts, 2);
    assert.deepEqual(accepted(text), [ours, theirs, `one\n1\n${between}ours\nmore\ntheirs\n`]);
  });

  it("can have an empty side, the base between the sides, and no line end after the last line", () => {
    const [start, middle, end] = ["<<<<<<< Yours", "=======", ">>>>>>> Server"];
    assert.deepEqual(accepted([start, middle, "b", end].join("\n")), ["", "b", "b"]);
    assert.deepEqual(accepted(["x", start, "a", middle, end].join("\n")), ["x\na", "x", "x\na"]);
    assert.deepEqual(accepted([start, "a", "||||||| base", "o", middle, "b", end, "y"].join("\n")), [
      "a\ny",
      "b\ny",
      "a\nb\ny",
    ]);
  });

  it("that are incomplete or out of order are text", () => {
    const count = (...lines: readonly string[]): number => markedConflicts(lines).length;
    assert.equal(count("=======", ">>>>>>> Server", "<<<<<<< Yours"), 0);
    assert.equal(count("<<<<<<< Yours", ">>>>>>> Server"), 0);
    assert.equal(count("<<<<<<<", "=======", ">>>>>>>"), 0);
    assert.deepEqual(
      markedConflicts(["<<<<<<< Yours", "<<<<<<< Yours", "a", "=======", "b", ">>>>>>> Server"]).map(
        ({ whole }) => whole,
      ),
      [{ start: 1, end: 6 }],
    );
  });

  it("are found in one pass over a long text", () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => (index % 2 === 0 ? "<<<<<<< Yours" : "======="));
    assert.deepEqual(markedConflicts(lines), []);
  });
});
