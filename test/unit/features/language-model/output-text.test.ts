import assert from "node:assert/strict";
import { outputText } from "../../../../src/features/language-model/output-text.ts";

const stdout = "application/vnd.code.notebook.stdout";

function output(mime: string, ...texts: readonly string[]) {
  return { items: texts.map((text) => ({ mime, data: new TextEncoder().encode(text) })) };
}

describe("a cell's output for a model", () => {
  it("has no escape sequences, even if one begins in one item and ends in the next", () => {
    const link = output(
      stdout,
      "see \u001b]8;;https://example",
      ".com\u001b\\the page\u001b]8;;\u001b\\",
      "\u001b[31m!",
    );
    assert.equal(outputText([link, output("text/plain", "\u001b]0;t\u0007value")]), "see the page!\nvalue");
  });

  it("has an error's message and traceback", () => {
    const error = {
      name: "ValueError",
      message: "see \u001b]8;;x\u001b\\help\u001b]8;;\u001b\\",
      stack: "\u001b[31mline 1\u001b[0m",
    };
    const type = "application/vnd.code.notebook.error";
    assert.equal(outputText([output(type, JSON.stringify(error))]), "ValueError: see help\nline 1");
    assert.equal(outputText([output(type, "no JSON\u0007")]), "no JSON");
  });

  it("names other types, and is limited", () => {
    assert.equal(outputText([output("image/png", "…")]), "[image/png]");
    assert.equal(outputText([output(`image/\u202e${"x".repeat(1_000_000)}`, "")]).length < 200, true);
    assert.equal(outputText([output(stdout, "x".repeat(1_000_000))]), `${"x".repeat(1000)}…`);
  });
});
