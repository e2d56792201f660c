import assert from "node:assert/strict";
import { replacementFor } from "../../../../src/features/remote-search/replacement-text.ts";

const query = { isCaseSensitive: true, isWholeWord: false };

function replaced(replacement: string, expression: string, text: string): string | undefined {
  const match = new RegExp(expression, "u").exec(text);
  const groups = match && Array.from(match, (group: string | undefined) => group ?? null);
  return groups
    ? replacementFor(replacement, { ...query, text: expression, isRegularExpression: true })(groups)
    : undefined;
}

describe("the text that replaces a match", () => {
  it("is the typed text unless the search is for a regular expression", () => {
    const replace = replacementFor("$1\\n$$", { ...query, text: "a", isRegularExpression: false });
    assert.equal(replace(["a"]), "$1\\n$$");
  });

  const cases: readonly (readonly [replacement: string, expression: string, text: string, expected: string])[] = [
    ["$2-$1", "(\\w+) (\\w+)", "left right", "right-left"],
    ["[$&] [$0]", "a+", "aa", "[aa] [aa]"],
    ["$$1", "(a)", "a", "$1"],
    ["$2", "(a)", "a", "$2"],
    ["$12", "(a)", "a", "a2"],
    ["$<name>!", "(?<name>a)", "a", "a!"],
    ["$<other>", "(?<name>a)", "a", "$<other>"],
    ["<$2>", "(a)|(b)", "a", "<>"],
    ["$1", "(?:x)(?=[(])(?<!z)([(]\\()", "x((", "(("],
    ["\\n\\t\\\\d\\d", "a", "a", "\n\t\\d\\d"],
    ["\\U$1\\E", "(a)", "a", "A\\E"],
    ["\\u$1 \\l$2", "(a\\w+) (B\\w+)", "abc BCD", "Abc bCD"],
    ["\\u\\u$1 \\l\\U$2", "(a\\w+) (B\\w+)", "abc Bcd", "ABc bCD"],
    ["\\Utext $1", "(a)", "a", "text a"],
    ["", "a", "a", ""],
  ];
  for (const [replacement, expression, text, expected] of cases) {
    it(`of ${JSON.stringify(text)} by ${JSON.stringify(replacement)} for ${expression}`, () => {
      assert.equal(replaced(replacement, expression, text), expected);
    });
  }
});
