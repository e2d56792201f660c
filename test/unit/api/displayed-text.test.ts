import assert from "node:assert/strict";
import fc from "fast-check";
import {
  displayedName,
  displayedText,
  displayedTooltip,
  EscapeFilter,
  escapedJson,
  nameWithoutIcons,
  onLines,
  onOneLine,
  plainText,
  textWithColors,
} from "../../../src/api/displayed-text.ts";
import { escapeCharacter } from "../../../src/api/escape-sequences.ts";

/** What a hostile or careless program sends, and what is left of it: without colors, and with them. */
const outputs: readonly (readonly [what: string, sent: string, plain: string, colored?: string])[] = [
  ["a link", "before \u001b]8;;https://example.com/doc\u001b\\a link\u001b]8;;\u001b\\ after", "before a link after"],
  ["a link that ends with BEL", "\u001b]8;id=7;https://example.com/x\u0007here\u001b]8;;\u0007 end", "here end"],
  ["a link that never ends", "never closed \u001b]8;;words\nstill seen", "never closed words\nstill seen"],
  ["a link that never ends, with parameters", "\u001b]8;id=7;words", "words"],
  ["a window title", "\u001b]0;title\u0007visible", "visible"],
  ["a title that never ends", "\u001b]2;title", "title"],
  ["a write to the clipboard", "a\u001b]52;c;cm0gLXJm\u0007b", "ab"],
  ["a device control string", "a\u001bP1$r0m\u001b\\b", "ab"],
  [
    "an application command, a private message, and a start of string",
    "\u001b_a\u001b\\\u001b^b\u001b\\\u001bXc\u001b\\d",
    "d",
  ],
  ["one-character controls", "a\u009b31mb\u009d0;t\u009cc\u0090q\u009cd\u0085e", "abcde"],
  ["cursor movements and modes", "\u001b[?25lhidden\u001b[?25h\u001b[2J\u001b[H\u001b[3A", "hidden"],
  ["a character set, and a reset", "\u001b(B plain\u001bc\u001b7", " plain"],
  ["a question for the terminal's name", "\u001b[c\u001b[>0q\u001b[6n", ""],
  ["colors", "\u001b[38;2;255;128;0mtrue\u001b[0m", "true", "\u001b[38;2;255;128;0mtrue\u001b[0m"],
  ["keyboard modes that end like colors", "\u001b[>4;2mtext\u001b[?4m", "text"],
  ["a sequence that is cut", "text\u001b[31", "text"],
  ["a sequence that isn't one", "\u001b[31\u00e9\u001b", "[31\u00e9"],
  ["control characters", "a\0b\u0007c\u000ed\u007fe\tf\ng", "abcde\tf\ng"],
  ["changes of the text direction", "user\u202e\u2066// admin\u2069\u202c", "user// admin"],
];

const color = new RegExp(`${escapeCharacter}\\[[\\d:;]*m`, "g");

describe("text that is displayed", () => {
  for (const [what, sent, plain, colored = plain] of outputs) {
    it(`is safe after ${what}`, () => {
      assert.equal(plainText(sent), plain);
      assert.equal(textWithColors(sent), colored);
    });
  }

  it("has nothing that a terminal obeys, for any text, however it is split", () => {
    const piece = fc.oneof(
      fc.constantFrom("\u001b", "\u001b]", "\u001b]8;;", "\u001b\\", "\u001b[", "\u0007", "\u009b", "\u009d", "\u009c"),
      fc.constantFrom(
        "8",
        ";",
        "3",
        "1m",
        "\n",
        "\r",
        "\u202e",
        "P",
        "_",
        "a link",
        "https://example.com",
        "\u001b[0m",
      ),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(60), { maxLength: 5 }), (pieces, cuts) => {
        const text = pieces.join("");
        const colored = textWithColors(text);
        assert.doesNotMatch(plainText(text), /[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069]/u);
        assert.doesNotMatch(colored.replaceAll(color, ""), /[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069]/u);
        const filter = new EscapeFilter({ keepsColors: true });
        const places = [
          0,
          ...cuts.map((cut) => cut % (text.length + 1)).toSorted((one, two) => one - two),
          text.length,
        ];
        const shown = places.map((place, index) => filter.write(text.slice(places[index - 1] ?? 0, place)));
        assert.equal(shown.join("") + filter.end(), colored);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps the words of a text without sequences", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 50 }), (text) => {
        assert.deepEqual([plainText(text), textWithColors(text)], [text, text]);
      }),
    );
  });

  it("is made in time proportional to its length", () => {
    const length = 400_000;
    for (const unit of [
      "\u001b]8;;",
      "\u009d",
      "\u001b]8;",
      "\u001b[1",
      "\u001bP\u001b",
      "\u001b]0;t\u0007",
      "\u001b ",
    ]) {
      // A pass that is not linear would take minutes.
      assert.ok(plainText(unit.repeat(length / unit.length)).length <= length);
    }
    const filter = new EscapeFilter({ keepsColors: false });
    filter.write("\u001b]0;");
    let shown = "";
    for (let chunk = 0; chunk < 100; chunk += 1) {
      shown += filter.write("x".repeat(1000));
    }
    // A string that never ends is held only up to a limit.
    assert.ok(shown.length > 30_000, String(shown.length));
    assert.equal(shown + filter.end(), "x".repeat(100_000));
  });

  it("is on one line, or on its lines, with every character visible", () => {
    const text = "a\r\nb\u202ec\u2028d\u0000\te é 🙂\u001b[31m";
    assert.equal(onOneLine(text), "a\\u{000d}\\u{000a}b\\u{202e}c\\u{2028}d\\u{0000}\\u{0009}e é 🙂\\u{001b}[31m");
    assert.equal(onLines(text), "a\\u{000d}\nb\\u{202e}c\\u{2028}d\\u{0000}\te é 🙂\\u{001b}[31m");
  });

  it("can't mislead in a label, a message, or the log, and keeps emoji and scripts that need joiners", () => {
    const kept = "👨‍👩‍👧 می‌خواهم\tnext\nline";
    assert.equal(displayedText(kept), kept);
    assert.equal(
      displayedText("a\u202eb\u2066\u200b\ufeff\u0007\u001b[31m\r\nc"),
      "a\\u{202e}b\\u{2066}\\u{200b}\\u{feff}\\u{0007}\\u{001b}[31m\nc",
    );
  });

  it("has a limited length as a name", () => {
    for (const name of ["a".repeat(1_000_000), "\u202e".repeat(1_000_000), "🙂".repeat(500_000)]) {
      assert.ok(displayedName(name).length < 10_000);
      assert.match(displayedName(name), /… ?.* \(1000000 characters\)$/);
      assert.ok(displayedTooltip(name).length < 100_000);
    }
    assert.equal(displayedName("a".repeat(300)), "a".repeat(300));
  });

  it("is text where the editor shows names in parentheses as icons", () => {
    assert.equal(nameWithoutIcons("$(error) x $(sync~spin) $(a b) $(x"), "\\$(error) x \\$(sync~spin) $(a b) $(x");
    assert.equal(nameWithoutIcons(nameWithoutIcons("$(error)")), "\\$(error)");
    assert.equal(nameWithoutIcons("\u202ea"), "\\u{202e}a");
  });

  it("is the same value as JSON, without characters that a terminal obeys", () => {
    const value = { "\u009b": "\u001b]0;t\u0007\u009d0;t\u009c \u202e\u2066 \u007f é 🙂" };
    const shown = escapedJson(JSON.stringify(value));
    assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}]/u);
    assert.deepEqual(JSON.parse(shown), value);
  });
});
