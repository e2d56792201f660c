import assert from "node:assert/strict";
import { pythonPattern } from "../../../../src/api/companion/python-pattern.ts";

describe("regular expressions of JavaScript in Python", () => {
  const same = [
    "abc",
    "a+b*?",
    "(?:a|b){2,3}",
    "[a-z]+",
    "^x",
    "(?=a)(?!b)",
    "(?<=a)b",
    "(?<!a)b",
    "\\.\\*",
    "[^x]",
    "\\n",
  ];
  for (const source of same) {
    it(`keeps ${source}`, () => assert.equal(pythonPattern(source), source));
  }

  const changed: readonly (readonly [string, string])[] = [
    ["\\d+\\w", "(?a:\\d)+(?a:\\w)"],
    ["[\\d\\w]", "[0-9A-Za-z0-9_]"],
    ["(?<name>a)", "(?P<name>a)"],
    ["a$", "a\\Z"],
    ["[$]", "[$]"],
    ["\\s\\S", "[\\s\\ufeff][^\\s\\ufeff]"],
    ["\\u{1F600}", "\\U0001F600"],
    ["\\uD83D\\ude00[\\ud83d\\uDE00]", "\\U0001f600[\\U0001f600]"],
    ["\\u0041\\u00e9", "\\u0041\\u00e9"],
    ["a\\/b", "a/b"],
    ["[[x]", "[\\[x]"],
    ["\\[\\d]", "\\[(?a:\\d)]"],
  ];
  for (const [source, expected] of changed) {
    it(`changes ${source}`, () => assert.equal(pythonPattern(source), expected));
  }

  const unknown = ["\\p{L}", "\\P{Lu}", "(a)\\1", "(?<n>a)\\k<n>", "\\cJ", "[]", "[^]", "[\\D]", "[^\\W]", "[\\S]"];
  for (const source of unknown) {
    it(`has nothing for ${source}`, () => assert.equal(pythonPattern(source), undefined));
  }
});
