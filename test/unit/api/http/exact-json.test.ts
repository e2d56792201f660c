import assert from "node:assert/strict";
import fc from "fast-check";
import { masked } from "../../../../src/api/http/confidential.ts";
import { isRawNumber, parseExact } from "../../../../src/api/http/exact-json.ts";

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
