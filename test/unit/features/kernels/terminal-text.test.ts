import assert from "node:assert/strict";
import fc from "fast-check";
import { TerminalText } from "../../../../src/features/kernels/output/terminal-text.ts";

const written = (...chunks: readonly string[]): string => {
  const terminal = new TerminalText();
  for (const chunk of chunks) {
    terminal.write(chunk);
  }
  return terminal.text;
};

describe("a stream's text as a terminal shows it", () => {
  it("preserves plain text, line breaks, and colors", () => {
    assert.equal(written("one\n", "\u001b[31mtwo\u001b[0m\n", "three"), "one\n\u001b[31mtwo\u001b[0m\nthree");
  });

  it("overwrites the line after a carriage return, and keeps the text further to the right", () => {
    assert.equal(written("loading\rdone"), "doneing");
    assert.equal(written("10%\r", "50%\r", "100%"), "100%");
    assert.equal(written("first\nsecond\rS"), "first\nSecond");
  });

  it("treats a carriage return and a line feed, in one chunk or two, as a line break", () => {
    assert.equal(written("one\r\ntwo"), "one\ntwo");
    assert.equal(written("one\r", "\ntwo\n"), "one\ntwo\n");
  });

  it("moves back with backspaces, but not beyond the start of the line", () => {
    assert.equal(written("abc\b\bX"), "aXc");
    assert.equal(written("a\b\b\bb"), "b");
  });

  it("moves the cursor for nested progress bars", () => {
    assert.equal(written("outer 0%\ninner 0%", "\u001b[A\router 50%\n\rinner 10%"), "outer 50%\ninner 10%");
    assert.equal(written("one\ntwo\nthree", "\u001b[2A\rONE\u001b[2B\rTHREE"), "ONE\ntwo\nTHREE");
    assert.equal(written("abcdef\r\u001b[3CX"), "abcXef");
  });

  it("erases the line to the right, to the left, or completely", () => {
    assert.equal(written("a long line\rshort\u001b[K"), "short");
    assert.equal(written("abc\u001b[2K\rx"), "x");
    assert.equal(written("abcdef\r\u001b[3C\u001b[1K"), "   def");
  });

  it("doesn't count color sequences as columns", () => {
    assert.equal(written("\u001b[32m 10%\u001b[0m|bar\r\u001b[32m100%\u001b[0m"), "\u001b[32m100%\u001b[0m|bar");
  });

  it("keeps links and titles for the file, and doesn't count them as columns", () => {
    const link = "\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\";
    const title = "\u001b]0;title\u0007";
    assert.equal(written(`a ${link}${title}\u001b(B.\n`), `a ${link}${title}\u001b(B.\n`);
    assert.equal(written(`${link} 10%\r\u001b[5C20%`), `${link} 20%`);
    assert.equal(written("\u001b]8;;wor", "ds"), "\u001b]8;;words");
  });

  it("reports appended text if nothing else changed, and a replacement otherwise", () => {
    const terminal = new TerminalText();
    assert.deepEqual(terminal.write("one"), { type: "append", text: "one" });
    assert.deepEqual(terminal.write("\r"), { type: "none" });
    assert.deepEqual(terminal.write("one more"), { type: "append", text: " more" });
    assert.deepEqual(terminal.write("\rtwo"), { type: "replace" });
    assert.equal(terminal.text, "two more");
  });

  it("keeps the end of a long text, starting at a line", () => {
    const terminal = new TerminalText();
    terminal.write("first line\nsecond line\nthird\n");
    assert.equal(terminal.keepEnd(10), 23);
    assert.equal(terminal.text, "third\n");
    terminal.write("next\rN");
    assert.equal(terminal.text, "third\nNext");
  });

  it("has no escape character that could begin a sequence with the text after it", () => {
    assert.equal(written("aa\r\u001b\u001b[31m"), written("aa\r\u001b\u001b", "[31m"));
    assert.equal(written("ab\r\u001bé"), "éb");
  });

  it("has the same result for any split into chunks", () => {
    const piece = fc.constantFrom(
      "a",
      "bc",
      "\r",
      "\n",
      "\b",
      "\u001b[A",
      "\u001b[2K",
      "\u001b[31m",
      "é",
      "😀",
      "\u001b",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(80), { maxLength: 6 }), (pieces, cuts) => {
        const text = pieces.join("");
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted(
          (one, two) => one - two,
        );
        const chunks = places.map((place, index) => text.slice(places[index - 1] ?? 0, place));
        // A kernel does not send text with a split surrogate pair.
        fc.pre(chunks.every((chunk) => chunk.isWellFormed()));
        assert.equal(written(...chunks), written(text));
      }),
      { numRuns: 500 },
    );
  });

  it("reports changes that reproduce the complete text", () => {
    const piece = fc.constantFrom("word ", "\r", "\n", "\b", "\u001b[A", "\u001b[K", "x");
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 8 }), { maxLength: 20 }), (chunks) => {
        const terminal = new TerminalText();
        let seen = "";
        for (const chunk of chunks) {
          const change = terminal.write(chunk.join(""));
          seen = change.type === "append" ? seen + change.text : change.type === "replace" ? terminal.text : seen;
          assert.equal(seen, terminal.text);
        }
      }),
      { numRuns: 500 },
    );
  });
});
