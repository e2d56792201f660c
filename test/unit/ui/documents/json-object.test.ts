import assert from "node:assert/strict";
import { changedFields, parseJsonBody, parseJsonObject, sameJson } from "../../../../src/ui/documents/json-object.ts";
import { english } from "../translate.ts";

describe("a JSON document", () => {
  it("is an object", () => {
    assert.deepEqual(parseJsonObject('\uFEFF{"a": [1]}', english), { valid: true, value: { a: [1] } });
  });

  it("is an object or an array if both can be sent", () => {
    assert.deepEqual(parseJsonBody('[{"a": 1}]', english), { valid: true, value: [{ a: 1 }] });
    assert.deepEqual(parseJsonBody("{}", english), { valid: true, value: {} });
    for (const [text, reason] of [
      ["7", /object in braces or an array in brackets/],
      ["null", /object in braces or an array in brackets/],
      ["[1", /isn't valid JSON/],
      ["[0, [9007199254740993]]", /number at 1\.0 is too large/],
    ] as const) {
      const parsed = parseJsonBody(text, english);
      assert.match(parsed.valid ? "" : parsed.reason, reason, text);
    }
  });

  it("that can't be sent is rejected with the reason", () => {
    for (const [text, reason] of [
      ["", /isn't valid JSON/],
      ['{"a": }', /isn't valid JSON: .*position 6|isn't valid JSON: .*'}'/],
      ["[1]", /must be a JSON object/],
      ["null", /must be a JSON object/],
      ['{"a": {"b": [0, 9007199254740993]}}', /number at a\.b\.1 is too large/],
    ] as const) {
      const parsed = parseJsonObject(text, english);
      assert.match(parsed.valid ? "" : parsed.reason, reason, text);
    }
  });

  it("is compared field by field, with lists as a whole, regardless of the order of fields", () => {
    assert.equal(sameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }), true);
    assert.equal(sameJson([1, 2], [2, 1]), false);
    assert.deepEqual(
      changedFields({ a: 1, b: { c: 2, d: 3 }, e: [1], g: 0 }, { b: { d: 4, c: 2 }, e: [1, 2], f: "x", g: 0 }),
      [
        { place: "a", from: "1", to: "–" },
        { place: "b.d", from: "3", to: "4" },
        { place: "e", from: "[1]", to: "[1,2]" },
        { place: "f", from: "–", to: '"x"' },
      ],
    );
  });
});
