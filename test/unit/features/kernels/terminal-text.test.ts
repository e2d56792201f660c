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
  it("keeps plain text, new lines, and colors as they are", () => {
    assert.equal(written("one\n", "\u001b[31mtwo\u001b[0m\n", "three"), "one\n\u001b[31mtwo\u001b[0m\nthree");
  });

  it("writes over the line after a carriage return, and leaves what is to the right", () => {
    assert.equal(written("loading\rdone"), "doneing");
    assert.equal(written("10%\r", "50%\r", "100%"), "100%");
    assert.equal(written("first\nsecond\rS"), "first\nSecond");
  });

  it("takes a carriage return before a new line, in one chunk or in two, as a new line", () => {
    assert.equal(written("one\r\ntwo"), "one\ntwo");
    assert.equal(written("one\r", "\ntwo\n"), "one\ntwo\n");
  });

  it("goes back with backspaces, not before the line's beginning", () => {
    assert.equal(written("abc\b\bX"), "aXc");
    assert.equal(written("a\b\b\bb"), "b");
  });

  it("moves the cursor as nested progress bars do", () => {
    assert.equal(written("outer 0%\ninner 0%", "\u001b[A\router 50%\n\rinner 10%"), "outer 50%\ninner 10%");
    assert.equal(written("one\ntwo\nthree", "\u001b[2A\rONE\u001b[2B\rTHREE"), "ONE\ntwo\nTHREE");
    assert.equal(written("abcdef\r\u001b[3CX"), "abcXef");
  });

  it("erases what is to the right, to the left, or all of the line", () => {
    assert.equal(written("a long line\rshort\u001b[K"), "short");
    assert.equal(written("abc\u001b[2K\rx"), "x");
    assert.equal(written("abcdef\r\u001b[3C\u001b[1K"), "   def");
  });

  it("counts no color sequence as a column", () => {
    assert.equal(written("\u001b[32m 10%\u001b[0m|bar\r\u001b[32m100%\u001b[0m"), "\u001b[32m100%\u001b[0m|bar");
  });

  it("says what was added where that is all, and that it was replaced otherwise", () => {
    const terminal = new TerminalText();
    assert.deepEqual(terminal.write("one"), { type: "append", text: "one" });
    assert.deepEqual(terminal.write("\r"), { type: "none" });
    assert.deepEqual(terminal.write("one more"), { type: "append", text: " more" });
    assert.deepEqual(terminal.write("\rtwo"), { type: "replace" });
    assert.equal(terminal.text, "two more");
  });

  it("keeps the end of a long text, from the beginning of a line", () => {
    const terminal = new TerminalText();
    terminal.write("first line\nsecond line\nthird\n");
    assert.equal(terminal.keepEnd(10), 23);
    assert.equal(terminal.text, "third\n");
    terminal.write("next\rN");
    assert.equal(terminal.text, "third\nNext");
  });

  it("makes the same of a text however it is cut into chunks", () => {
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

  it("tells changes from which a reader has the whole text", () => {
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
