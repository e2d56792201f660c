import assert from "node:assert/strict";
import fc from "fast-check";
import { mergeTexts } from "../../../../src/file-system/merge/merge-text.ts";

const labels = { ours: "Yours", theirs: "The server's" };
const merge = (base: string, ours: string, theirs: string): { text: string; conflicts: number } => {
  const { text, conflicts } = mergeTexts(base, ours, theirs, labels);
  return { text, conflicts };
};

describe("merging texts", () => {
  it("applies the changes of each side", () => {
    assert.deepEqual(merge("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\ne\n"), {
      text: "A\nb\nc\nD\ne\n",
      conflicts: 0,
    });
    assert.deepEqual(merge("a\nb\n", "b\n", "a\nb\nc\n"), { text: "b\nc\n", conflicts: 0 });
  });

  it("puts conflicting changes between the editor's markers, and reports no conflict for identical changes", () => {
    assert.deepEqual(merge("a\nb\nc\n", "a\nours\nc\n", "a\ntheirs\nc\n"), {
      text: "a\n<<<<<<< Yours\nours\n=======\ntheirs\n>>>>>>> The server's\nc\n",
      conflicts: 1,
    });
    assert.deepEqual(merge("a\nb\n", "a\nsame\n", "a\nsame\n"), { text: "a\nsame\n", conflicts: 0 });
  });

  it("keeps our line endings, and a last line without one", () => {
    assert.deepEqual(merge("a\r\nb\r\n", "A\r\nb\r\n", "a\nb\nc\n"), { text: "A\r\nb\r\nc\r\n", conflicts: 0 });
    assert.deepEqual(merge("a\nb", "a\nours", "a\ntheirs").text.split("\n").length, 6);
  });

  describe("of two conflicts", () => {
    const { text, conflicts, unresolvedIn } = mergeTexts(
      "1\na\n2\n3\n4\nb\n5\n",
      "1\na ours\n2\n3\n4\nb ours\n5\n",
      "1\na theirs\n2\n3\n4\nb theirs\n5\n",
      labels,
    );
    for (const [what, result, unresolved] of [
      ["with the markers", text, 2],
      ["with the text from before both changes, as the merge editor has it", "1\na\n2\n3\n4\nb\n5\n", 2],
      ["with one side for the first", "1\na ours\n2\n3\n4\nb\n5\n", 1],
      ["with both sides for the second", "1\na\n2\n3\n4\nb ours\nb theirs\n5\n", 1],
      ["with Windows line ends", "1\r\na theirs\r\n2\r\n3\r\n4\r\nb ours\r\n5\r\n", 0],
      ["with one side for each", "1\na theirs\n2\n3\n4\nb ours\n5\n", 0],
    ] as const) {
      it(`a result ${what} leaves ${unresolved}`, () => {
        assert.equal(conflicts, 2);
        assert.equal(unresolvedIn(result), unresolved);
      });
    }
  });

  /** The number of conflicts of these three texts that remain in a result. */
  const leftIn = (base: string, ours: string, theirs: string, result: string): number =>
    mergeTexts(base, ours, theirs, labels).unresolvedIn(result);

  it("a conflict at the end of the text is resolved by either side, but not by the base text", () => {
    const texts = ["1\na", "1\nours", "1\ntheirs"] as const;
    const left = ["1\nours", "1\ntheirs", "1\nours\ntheirs", "1\na", "1", merge(...texts).text];
    assert.deepEqual(
      left.map((result) => leftIn(...texts, result)),
      [0, 0, 0, 1, 1, 1],
    );
  });

  it("if both sides only removed lines, a result is resolved if any line was removed", () => {
    const texts = ["1\na\nb\n2\n", "1\nb\n2\n", "1\na\n2\n"] as const;
    assert.equal(merge(...texts).conflicts, 1);
    assert.deepEqual(
      ["1\n2\n", "1\na\n2\n", "1\nb\n2\n", "1\na\nb\n2\n"].map((result) => leftIn(...texts, result)),
      [0, 0, 0, 1],
    );
  });

  it("a single remaining marker counts, but only at the beginning of a line", () => {
    const texts = ["1\na\n2\n", "1\nours\n2\n", "1\ntheirs\n2\n"] as const;
    for (const [line, left] of [
      ["<<<<<<< Yours", 1],
      [">>>>>>> The server's", 1],
      ["print('<<<<<<< ", 0],
      ["print('>>>>>>> ", 0],
      ["=======", 0],
    ] as const) {
      assert.equal(leftIn(...texts, `1\nours\n${line}\n2\n`), left, line);
    }
  });

  it("a line of either side elsewhere in the text doesn't resolve a conflict", () => {
    const texts = ["ours\n1\na\n2\n3\n4\nours\n", "ours\n1\nours\n2\n3\n4\nours\n"] as const;
    const theirs = "ours\n1\ntheirs\n2\n3\n4\nours\n";
    assert.equal(leftIn(...texts, theirs, texts[0]), 1);
    assert.equal(leftIn(...texts, theirs, texts[1]), 0);
  });

  it("a resolution can contain a line of the text after the conflict", () => {
    const texts = ["1\na\n2\n3\n4\n", "1\nours\n2\n3\n4\n", "1\ntheirs\n2\n3\n4\n"] as const;
    assert.equal(leftIn(...texts, "1\nours\n3\n2\n3\n4\n"), 0);
  });

  it("an edit some lines after a conflict doesn't affect the next one", () => {
    const texts = ["1\na\n2\n3\n4\n5\nb\n6\n", "1\nours\n2\n3\n4\n5\nours b\n6\n"] as const;
    const theirs = "1\ntheirs\n2\n3\n4\n5\ntheirs b\n6\n";
    assert.equal(leftIn(...texts, theirs, "1\na\n2\n3\n4\nedited\nours b\n6\n"), 1);
  });

  it("a result without the lines that one side removed is resolved", () => {
    const { unresolvedIn } = mergeTexts("1\na\nb\n2\n", "1\nb\n2\n", "1\na changed\nb\n2\n", labels);
    assert.equal(unresolvedIn("1\na changed\nb\n2\n"), 0);
  });

  const line = fc.constantFrom("a", "b", "c", "d", "");
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));

  it("returns the changed side if only one side changed", () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        assert.deepEqual(merge(base, changed, base), { text: changed, conflicts: 0 });
        assert.deepEqual(merge(base, base, changed), { text: changed, conflicts: 0 });
        assert.deepEqual(merge(base, changed, changed), { text: changed, conflicts: 0 });
      }),
    );
  });

  it("includes lines that are new on either side", () => {
    fc.assert(
      fc.property(text, text, fc.nat(8), fc.nat(8), (base, other, at, where) => {
        const withLine = (lines: string, position: number, added: string): string =>
          lines.split("\n").toSpliced(position, 0, added).join("\n");
        const merged = merge(base, withLine(base, at, "ours!"), withLine(other, where, "theirs!"));
        assert.ok(merged.text.split("\n").includes("ours!"), merged.text);
        assert.ok(merged.text.split("\n").includes("theirs!"), merged.text);
      }),
    );
  });
});
