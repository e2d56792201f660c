import assert from "node:assert/strict";
import { applies, normalCondition } from "../../harness/conditions.ts";

describe("conditions of menus", () => {
  it("are evaluated with the context's keys", () => {
    const context = { scheme: "a-scheme", path: "/x/y.py", count: "2", isSet: true, isUnset: false, open: ["/x/y.py"] };
    const examples: readonly (readonly [string | undefined, boolean])[] = [
      [undefined, true],
      ["false", false],
      ["isSet && !isUnset && !unknown", true],
      ["isUnset || unknown", false],
      ["scheme == a-scheme", true],
      ["scheme == 'a-scheme'", true],
      ["scheme != a-scheme || isSet", true],
      ["unknown != none", true],
      ["unknown == none", false],
      ["path =~ /\\.(py|r)$/i && isSet", true],
      ["path =~ /^y/", false],
      ["path in open", true],
      ["scheme in open", false],
      ["count > 1", true],
      ["unknown > 0", false],
    ];
    for (const [condition, expected] of examples) assert.equal(applies(condition, context), expected, condition);
  });

  it("have one normalized format", () => {
    assert.equal(normalCondition("b == 'x-y' && !a || c"), normalCondition("c || !a && b == x-y"));
    assert.notEqual(normalCondition("a == b"), normalCondition("a != b"));
    assert.notEqual(normalCondition("a && b"), normalCondition("a || b"));
  });

  it("are rejected in an unknown format", () => {
    assert.throws(() => normalCondition("(a || b) && c"), /Can't read the condition/);
  });
});
