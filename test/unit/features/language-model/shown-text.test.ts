import assert from "node:assert/strict";
import { changeOf, codeBlock, shownText } from "../../../../src/features/language-model/shown-text.ts";

describe("the confirmation of a language-model tool", () => {
  it("shows every changed line of an edit", async () => {
    const before = ["a", "b", "c", "d", "e", "f", "g"].join("\n");
    const after = ["a", "b", "c", "D", "!rm -rf ~", "e", "f", "g"].join("\r\n");
    assert.deepEqual(await changeOf(before, after), {
      lines: ["…", "  b", "  c", "- d", "+ D", "+ !rm -rf ~", "  e", "  f", "…"],
      added: 2,
      removed: 1,
    });
    assert.deepEqual((await changeOf(undefined, "x\u2028y\rz")).lines, ["+ x\u2028y", "+ z"]);
    const uncommented = await changeOf("# x\u2028run()", "# x\nrun()");
    assert.equal(codeBlock(uncommented.lines.join("\n"), ""), "```\n- # x\\u{2028}run()\n+ # x\n+ run()\n```");
    assert.deepEqual((await changeOf("x", undefined)).lines, ["- x"]);
    const many = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? `line ${index}` : "same"));
    const changed = many.map((line) => line.replace("line", "other"));
    const { lines, added, removed } = await changeOf(many.join("\n"), changed.join("\n"));
    assert.deepEqual([added, removed, lines.filter((line) => /^[+-]/.test(line)).length], [10, 10, 20]);
    assert.equal(lines.filter((line) => line === "  same").length <= 30, true);
  });

  it("shows a change of very many lines, and code with very many backticks", async () => {
    const count = 200_000;
    assert.equal((await changeOf(undefined, Array(count).fill("x").join("\n"))).added, count);
    assert.ok(codeBlock("` ".repeat(count), "").startsWith("```\n"));
  });

  it("shows characters that change the text direction or are invisible, and no Markdown of the model", () => {
    assert.equal(
      codeBlock("a = '\u202e'\tb\n```\n[x](command:y)", "python<b>"),
      "````pythonb\na = '\\u{202e}'\tb\n```\n[x](command:y)\n````",
    );
    const shown = shownText("**bold**\n[x](command:y) <img> \u2066`$(zap)");
    assert.doesNotMatch(shown, /(?<!\\)[*[\]`()]|[<>\n\u2066]/);
  });
});
