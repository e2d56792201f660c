import assert from "node:assert/strict";
import fc from "fast-check";
import { mergeTexts } from "../../../../src/file-system/merge/merge-text.ts";
import { countRounds } from "../../api/event-loop.ts";

const labels = { ours: "Yours", theirs: "The server's" };
const merge = async (base: string, ours: string, theirs: string): Promise<{ text: string; conflicts: number }> => {
  const { text, conflicts } = await mergeTexts(base, ours, theirs, labels);
  return { text, conflicts };
};

describe("merging texts", () => {
  it("is aborted by its signal", async () => {
    const reason = new Error("closed");
    await assert.rejects(mergeTexts("a", "b", "c", labels, AbortSignal.abort(reason)), reason);
  });

  it("applies the changes of each side", async () => {
    assert.deepEqual(await merge("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\ne\n"), {
      text: "A\nb\nc\nD\ne\n",
      conflicts: 0,
    });
    assert.deepEqual(await merge("a\nb\n", "b\n", "a\nb\nc\n"), { text: "b\nc\n", conflicts: 0 });
  });

  it("puts conflicting changes between the editor's markers, and reports no conflict for identical changes", async () => {
    assert.deepEqual(await merge("a\nb\nc\n", "a\nours\nc\n", "a\ntheirs\nc\n"), {
      text: "a\n<<<<<<< Yours\nours\n=======\ntheirs\n>>>>>>> The server's\nc\n",
      conflicts: 1,
    });
    assert.deepEqual(await merge("a\nb\n", "a\nsame\n", "a\nsame\n"), { text: "a\nsame\n", conflicts: 0 });
  });

  it("keeps our line endings, and a last line without one", async () => {
    assert.deepEqual(await merge("a\r\nb\r\n", "A\r\nb\r\n", "a\nb\nc\n"), { text: "A\r\nb\r\nc\r\n", conflicts: 0 });
    assert.deepEqual((await merge("a\nb", "a\nours", "a\ntheirs")).text.split("\n").length, 6);
  });

  describe("of two conflicts", () => {
    const texts = [
      "1\na\n2\n3\n4\n5\nb\n6\n",
      "1\na ours\n2\n3\n4\n5\nb ours\n6\n",
      "1\na theirs\n2\n3\n4\n5\nb theirs\n6\n",
    ] as const;
    const marked =
      "1\n<<<<<<< Yours\na ours\n=======\na theirs\n>>>>>>> The server's\n2\n3\n4\n5\n<<<<<<< Yours\nb ours\n=======\nb theirs\n>>>>>>> The server's\n6\n";
    for (const [what, result, unresolved] of [
      ["with the markers", marked, 2],
      ["with the text from before both changes, as the merge editor has it", "1\na\n2\n3\n4\n5\nb\n6\n", 2],
      ["with one side for the first", "1\na ours\n2\n3\n4\n5\nb\n6\n", 1],
      ["with both sides for the second", "1\na\n2\n3\n4\n5\nb ours\nb theirs\n6\n", 1],
      ["with Windows line ends", "1\r\na theirs\r\n2\r\n3\r\n4\r\n5\r\nb ours\r\n6\r\n", 0],
      ["with one side for each", "1\na theirs\n2\n3\n4\n5\nb ours\n6\n", 0],
    ] as const) {
      it(`a result ${what} leaves ${unresolved}`, async () => {
        const { text, conflicts, unresolvedIn } = await mergeTexts(...texts, labels);
        assert.deepEqual([text, conflicts], [marked, 2]);
        assert.equal(await unresolvedIn(result), unresolved);
      });
    }
  });

  /** The number of conflicts of these three texts that remain in a result. */
  const leftIn = async (base: string, ours: string, theirs: string, result: string): Promise<number> =>
    (await mergeTexts(base, ours, theirs, labels)).unresolvedIn(result);

  it("a conflict at the end of the text is resolved by either side, but not by the base text", async () => {
    const texts = ["1\na", "1\nours", "1\ntheirs"] as const;
    const left = ["1\nours", "1\ntheirs", "1\nours\ntheirs", "1\na", "1", (await merge(...texts)).text];
    assert.deepEqual(await Promise.all(left.map((result) => leftIn(...texts, result))), [0, 0, 0, 1, 1, 1]);
  });

  it("if both sides only removed lines, a result is resolved if any line was removed", async () => {
    const texts = ["1\na\nb\n2\n", "1\nb\n2\n", "1\na\n2\n"] as const;
    assert.equal((await merge(...texts)).conflicts, 1);
    assert.deepEqual(
      await Promise.all(["1\n2\n", "1\na\n2\n", "1\nb\n2\n", "1\na\nb\n2\n"].map((result) => leftIn(...texts, result))),
      [0, 0, 0, 1],
    );
  });

  it("a single remaining marker counts, but only at the beginning of a line", async () => {
    const texts = ["1\na\n2\n", "1\nours\n2\n", "1\ntheirs\n2\n"] as const;
    for (const [line, left] of [
      ["<<<<<<< Yours", 1],
      [">>>>>>> The server's", 1],
      ["print('<<<<<<< ", 0],
      ["print('>>>>>>> ", 0],
      ["=======", 0],
    ] as const) {
      assert.equal(await leftIn(...texts, `1\nours\n${line}\n2\n`), left, line);
    }
  });

  it("a line of either side elsewhere in the text doesn't resolve a conflict", async () => {
    const texts = ["ours\n1\na\n2\n3\n4\nours\n", "ours\n1\nours\n2\n3\n4\nours\n"] as const;
    const theirs = "ours\n1\ntheirs\n2\n3\n4\nours\n";
    assert.equal(await leftIn(...texts, theirs, texts[0]), 1);
    assert.equal(await leftIn(...texts, theirs, texts[1]), 0);
  });

  it("a resolution can contain a line of the text after the conflict", async () => {
    const texts = ["1\na\n2\n3\n4\n", "1\nours\n2\n3\n4\n", "1\ntheirs\n2\n3\n4\n"] as const;
    assert.equal(await leftIn(...texts, "1\nours\n3\n2\n3\n4\n"), 0);
  });

  it("an edit some lines after a conflict doesn't affect the next one", async () => {
    const texts = ["1\na\n2\n3\n4\n5\nb\n6\n", "1\nours\n2\n3\n4\n5\nours b\n6\n"] as const;
    const theirs = "1\ntheirs\n2\n3\n4\n5\ntheirs b\n6\n";
    assert.equal(await leftIn(...texts, theirs, "1\na\n2\n3\n4\nedited\nours b\n6\n"), 1);
  });

  it("a result without the lines that one side removed is resolved", async () => {
    const { unresolvedIn } = await mergeTexts("1\na\nb\n2\n", "1\nb\n2\n", "1\na changed\nb\n2\n", labels);
    assert.equal(await unresolvedIn("1\na changed\nb\n2\n"), 0);
  });

  it("pauses for other work while it looks for conflicts in a long result", async () => {
    const lines = (name: string): string =>
      Array.from({ length: 200_000 }, (_, index) => `${name} ${index}`).join("\n");
    const { conflicts, unresolvedIn } = await mergeTexts("1\na\n2\n", "1\nb\n2\n", "1\nc\n2\n", labels);
    const rounds = countRounds();
    const unresolved = await unresolvedIn(`1\n${lines("x")}\n${lines("y")}\n${lines("z")}\n2\n`);
    rounds.stop();
    assert.deepEqual([conflicts, unresolved], [1, 1]);
    assert.ok(rounds.count > 3, `${rounds.count} rounds of the event loop`);
  });

  const line = fc.constantFrom("a", "b", "c", "d", "");
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));

  it("pauses for other work while it merges long texts, of which one side indented each line", async () => {
    const base = Array.from({ length: 120_000 }, (_, index) => `x${index} = ${index % 20}`);
    const rounds = countRounds();
    const { text, conflicts } = await merge(
      base.join("\n"),
      base.map((one) => `  ${one}`).join("\n"),
      [...base, "theirs"].join("\n"),
    );
    rounds.stop();
    assert.ok(rounds.count > 3, `${rounds.count} rounds of the event loop`);
    assert.equal(conflicts, 1);
    assert.ok(text.endsWith("theirs\n>>>>>>> The server's"));
  });

  it("returns the changed side if only one side changed", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (base, changed) => {
        assert.deepEqual(await merge(base, changed, base), { text: changed, conflicts: 0 });
        assert.deepEqual(await merge(base, base, changed), { text: changed, conflicts: 0 });
        assert.deepEqual(await merge(base, changed, changed), { text: changed, conflicts: 0 });
      }),
    );
  });

  it("includes lines that are new on either side", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat(8), fc.nat(8), async (base, other, at, where) => {
        const withLine = (lines: string, position: number, added: string): string =>
          lines.split("\n").toSpliced(position, 0, added).join("\n");
        const merged = await merge(base, withLine(base, at, "ours!"), withLine(other, where, "theirs!"));
        assert.ok(merged.text.split("\n").includes("ours!"), merged.text);
        assert.ok(merged.text.split("\n").includes("theirs!"), merged.text);
      }),
    );
  });
});
