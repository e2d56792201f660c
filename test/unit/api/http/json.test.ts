import assert from "node:assert/strict";
import fc from "fast-check";
import { masked } from "../../../../src/api/http/confidential.ts";
import { canonicalJson, isRawNumber, parseExact, parseJson } from "../../../../src/api/http/json.ts";

describe("JSON with its digits", () => {
  it("is written as it stood there", () => {
    const text = '{"id":9007199254740993,"a":[1.0,-0,1e400,12],"text":"1.0"}';
    assert.equal(JSON.stringify(parseExact(text)), text);
  });

  it("keeps them when something else is masked", () => {
    const value = parseExact('{"id":9007199254740993,"secret":9007199254740993}');
    assert.equal(JSON.stringify(masked(value, ["secret"])), '{"id":9007199254740993,"secret":"[redacted]"}');
  });

  it("is any other JSON as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        assert.equal(JSON.stringify(parseExact(text)), text);
      }),
    );
    assert.equal(isRawNumber(12), false);
    assert.throws(() => parseExact("{"), SyntaxError);
  });
});

describe("JSON of a file", () => {
  it("may begin with one byte order mark", () => {
    assert.deepEqual(parseJson('\uFEFF{"a":"\uFEFF"}'), { a: "\uFEFF" });
    assert.deepEqual(parseJson("[1]"), [1]);
    assert.throws(() => parseJson("\uFEFF\uFEFF{}"), SyntaxError);
    assert.throws(() => parseJson("{"), SyntaxError);
  });
});

describe("canonical JSON", () => {
  it("is the same for the same value, whatever the order of its members", () => {
    assert.equal(canonicalJson({ b: [{ d: 1, c: 2 }], a: null }), '{"a":null,"b":[{"c":2,"d":1}]}');
    assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
    assert.equal(canonicalJson(undefined), "");
    assert.equal(canonicalJson(parseExact('{"b":1.0,"a":9007199254740993}')), '{"a":9007199254740993,"b":1.0}');
  });

  it("reads back as the value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value))),
      ),
    );
  });
});
