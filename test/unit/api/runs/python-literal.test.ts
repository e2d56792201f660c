import assert from "node:assert/strict";
import { literalType } from "../../../../src/api/runs/python-literal.ts";

describe("Python literals", () => {
  const types = {
    int: ["1", "-3", "+ 4", "1_000", "0x1F", "0b10", "0", "00", " 7 ", "(1)"],
    float: ["1.5", ".5", "1.", "1e3", "-2.5E-3"],
    str: ["'a'", '"a"', "'''a\nb'''", "r'\\d'", "'it\\'s'", "'a' 'b'", "u'x'", "''"],
    bytes: ["b'a'", "rb'a'"],
    bool: ["True", "False"],
    None: ["None"],
    list: ["[]", "[1, 'a', [True]]", "[\n  1,  # first\n  2,\n]"],
    tuple: ["()", "(1,)", "(1, 2)"],
    set: ["{1, 2}"],
    dict: ["{}", "{'a': 1, 'b': [2]}", "{1: {'x': None}}"],
  } as const;

  for (const [type, texts] of Object.entries(types)) {
    it(`are recognized: ${type}`, () => {
      for (const text of texts) {
        assert.equal(literalType(text), type, text);
      }
    });
  }

  it("are nothing else", () => {
    const others = [
      "",
      "a",
      "1 + 1",
      "f'a'",
      "'a",
      "'a\nb'",
      "[1",
      "[1 2]",
      "[,]",
      "{1: 2, 3}",
      "{[1]: 2}",
      "open('x')",
    ];
    for (const text of [...others, "1\nimport os", "01", "1__0", "1a", "True1", "b'a' 'b'", "{[1]}", "1.2.3", "--"]) {
      assert.equal(literalType(text), undefined, text);
    }
    assert.equal(literalType("[".repeat(10_000)), undefined);
  });
});
