import assert from "node:assert/strict";
import { TimeSlices } from "../../../../src/api/time-slices.ts";
import { linesOf, TextLines } from "../../../../src/file-system/merge/text-lines.ts";

const read = (text: string, tokens = new Map<string, number>()): Promise<TextLines> =>
  TextLines.read(text, tokens, new TimeSlices());

async function copied(text: string, lineEnd: "\n" | "\r\n", range?: { start: number; end: number }): Promise<string> {
  const lines = await read(text);
  const parts: string[] = [];
  await lines.copy(range ?? { start: 0, end: lines.tokens.length }, lineEnd, parts, new TimeSlices());
  return parts.join("");
}

describe("the lines of a text", () => {
  it("are equal whatever their line ends, and a carriage return elsewhere belongs to its line", async () => {
    const tokens = new Map<string, number>();
    const lines = await read("a\r\nb\na\n\n\r\n\ra", tokens);
    assert.deepEqual([...lines.tokens], [0, 1, 0, 2, 2, 3]);
    assert.deepEqual([...(await read("\r\nb", tokens)).tokens], [2, 1]);
    assert.deepEqual([...tokens.keys()], ["a", "b", "", "\ra"]);
  });

  it("have the line end of a text in which at least one line ends like this", async () => {
    for (const [text, lineEnd] of [
      ["", "\n"],
      ["a", "\n"],
      ["a\nb\n", "\n"],
      ["a\r\nb\r\n", "\r\n"],
      ["a\r\nb", "\r\n"],
      ["a\nb\r\n", "\r\n"],
      ["a\r\nb\n", "\r\n"],
    ] as const) {
      assert.equal((await read(text)).lineEnd, lineEnd, JSON.stringify(text));
    }
  });

  it("end with a line end, or the text is empty", async () => {
    const ends = await Promise.all(
      ["", "a", "a\n", "a\nb", "\n", "a\r\n"].map(async (text) => (await read(text)).endsWithLineEnd),
    );
    assert.deepEqual(ends, [true, false, true, false, true, true]);
  });

  it("are copied with one line end, also the last one, and those of mixed texts", async () => {
    for (const text of [
      "a\nb\nc\n",
      "a\r\nb\r\nc\r\n",
      "a\r\nb\nc\n",
      "a\nb\nc\r\n",
      "a\nb\r\nc",
      "a\r\nb\r\nc",
      "a\nb\nc",
    ]) {
      assert.equal(await copied(text, "\n"), "a\nb\nc\n", JSON.stringify(text));
      assert.equal(await copied(text, "\r\n"), "a\r\nb\r\nc\r\n", JSON.stringify(text));
      assert.equal(await copied(text, "\n", { start: 0, end: 2 }), "a\nb\n", JSON.stringify(text));
      assert.equal(await copied(text, "\n", { start: 1, end: 1 }), "", JSON.stringify(text));
    }
    assert.equal(await copied("", "\n"), "");
    assert.equal(await copied("\n", "\r\n"), "\r\n");
  });

  it("are copied completely, however many there are", async () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `${index}\n`).join("");
    assert.equal(await copied(text, "\n"), text);
    assert.equal(await copied(text, "\r\n"), text.replaceAll("\n", "\r\n"));
  });

  it("without their line ends", () => {
    assert.deepEqual(linesOf(""), []);
    assert.deepEqual(linesOf("\n"), [""]);
    assert.deepEqual(linesOf("a"), ["a"]);
    assert.deepEqual(linesOf("a\r\nb\n\n"), ["a", "b", ""]);
  });
});
