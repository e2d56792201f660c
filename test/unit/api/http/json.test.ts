import assert from "node:assert/strict";
import fc from "fast-check";
import { masked } from "../../../../src/api/http/confidential.ts";
import { canonicalJson, parseExact, parseExactInTurns, parseJson } from "../../../../src/api/http/json.ts";
import { memberText } from "../../../../src/api/http/json-member.ts";
import { isRawNumber } from "../../../../src/api/http/raw-number.ts";
import { parsableJson } from "../../../harness/parsable-json.ts";
import { countRounds } from "../event-loop.ts";

describe("JSON with exact numbers", () => {
  it("is written unchanged", () => {
    const text = '{"id":9007199254740993,"a":[1.0,-0,1e400,12],"text":"1.0"}';
    assert.equal(JSON.stringify(parseExact(text)), text);
  });

  it("is written unchanged, regardless of the format and position of its numbers", () => {
    const digits = (max: number): fc.Arbitrary<string> =>
      fc.array(fc.constantFrom("0", "0", "1", "5", "9"), { minLength: 1, maxLength: max }).map((all) => all.join(""));
    const whole = fc.oneof(
      fc.constant("0"),
      digits(20).map((rest) => `7${rest}`),
      fc.nat().map(String),
    );
    const exponent = fc.tuple(fc.constantFrom("e", "E", "e+", "E-"), fc.nat(30)).map((both) => both.join(""));
    const number = fc
      .tuple(
        ...[fc.constantFrom("", "-"), whole, fc.option(digits(20).map((fraction) => `.${fraction}`))],
        fc.option(exponent, { freq: 5 }),
      )
      .map((all) => all.join(""));
    const places = ["#", "[#]", '{"a":#}', '{"a": #, "b":1}', "[1,#,2]", "[[#],#]", '["-0", #]', "\n#\n", "[ # ]"];
    fc.assert(
      fc.property(number, fc.constantFrom(...places), (one, place) => {
        const text = place.replaceAll("#", one);
        assert.equal(JSON.stringify(parseExact(text)), text.replaceAll(/\s/g, ""));
      }),
      { numRuns: 2000 },
    );
  });

  it("preserves numbers when other values are masked", () => {
    const value = parseExact('{"id":9007199254740993,"secret":9007199254740993}');
    assert.equal(JSON.stringify(masked(value, ["secret"])), '{"id":9007199254740993,"secret":"[redacted]"}');
  });

  it("is the same as other JSON without unusual numbers", () => {
    fc.assert(
      fc.property(parsableJson(fc.jsonValue({ noUnicodeString: false })), (value) => {
        const text = JSON.stringify(value);
        assert.equal(JSON.stringify(parseExact(text)), text);
      }),
    );
    assert.deepEqual(parseExact('{"a":"1.0","b":true,"c":null,"d":12}'), { a: "1.0", b: true, c: null, d: 12 });
    assert.equal(isRawNumber(12), false);
    assert.throws(() => parseExact("{"), SyntaxError);
  });

  it("preserves all other values next to an unusual number", () => {
    const parsed = parseExact('{"a":1.0,"b":2,"c":"1.0","d":true,"e":null,"f":[0.5,"x",{"g":{}}]}');
    assert.ok(typeof parsed === "object" && parsed !== null && "a" in parsed);
    const { a, ...others } = parsed;
    assert.equal(isRawNumber(a), true);
    assert.deepEqual(others, { b: 2, c: "1.0", d: true, e: null, f: [0.5, "x", { g: {} }] });
  });

  it("is parsed in turns with the same result", async () => {
    for (const text of [
      '{"a":1.0,"b":2}',
      '{"a":1,"b":2}',
      `[${"1.0,".repeat(100_000)}2]`,
      `[${"1,".repeat(100_000)}2]`,
    ]) {
      assert.equal(JSON.stringify(await parseExactInTurns(text)), text);
    }
    await assert.rejects(parseExactInTurns("{"), SyntaxError);
  });

  it("yields to other work before it parses a long text", async () => {
    const rounds = countRounds();
    await parseExactInTurns("[1]");
    assert.equal(rounds.count, 0);
    await parseExactInTurns(`[${"1,".repeat(1_000_000)}2]`);
    assert.ok(rounds.count > 0);
    rounds.stop();
  });
});

describe("JSON of a file", () => {
  it("can begin with one byte order mark", () => {
    assert.deepEqual(parseJson('\uFEFF{"a":"\uFEFF"}'), { a: "\uFEFF" });
    assert.deepEqual(parseJson("[1]"), [1]);
    assert.throws(() => parseJson("\uFEFF\uFEFF{}"), SyntaxError);
    assert.throws(() => parseJson("{"), SyntaxError);
    assert.throws(() => parseJson("[1]\uFEFF"), SyntaxError);
  });
});

describe("the text of a member", () => {
  it("keeps its digits, order, and spacing", () => {
    const text = '{ "a" : [ 1.0 , {"z":1,"b":2} ] , "n":9007199254740993, "s":"x" }';
    assert.equal(memberText(text, "a"), '[ 1.0 , {"z":1,"b":2} ]');
    assert.equal(memberText(text, "n"), "9007199254740993");
    assert.equal(memberText(text, "s"), '"x"');
  });

  it("is only that of the top level", () => {
    assert.equal(memberText('{"a":{"b":1},"c":["b",2]}', "b"), undefined);
    assert.equal(memberText('{"a":{"b":1},"b":2}', "b"), "2");
    assert.equal(memberText('{"a":"b"}', "b"), undefined);
    assert.equal(memberText('["a",1]', "a"), undefined);
    assert.equal(memberText('"a"', "a"), undefined);
    assert.equal(memberText("{}", "a"), undefined);
    assert.equal(memberText("", "a"), undefined);
  });

  it("is the last one of members with the same name, in any notation", () => {
    assert.equal(memberText('{"a":1,"\\u0061":2}', "a"), "2");
    assert.equal(memberText('{"a":2,"b":3}', "a"), "2");
  });

  it("is not cut at brackets, quotes, and commas in strings", () => {
    assert.equal(memberText('{"a":["}]",",\\"]"],"b":1}', "a"), '["}]",",\\"]"]');
    assert.equal(memberText('{"a":"\\\\","b":"},"}', "b"), '"},"');
    assert.equal(memberText('{"a\\"b":true}', 'a"b'), "true");
  });

  it("parses to the member's value for any object", () => {
    const objects = parsableJson(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()));
    const spacing = fc.constantFrom(undefined, 2, "\t", "\r\n ");
    fc.assert(
      fc.property(objects, spacing, (object, space) => {
        const members = Object.entries(object).filter(([name]) => name !== "__proto__");
        const text = JSON.stringify(Object.fromEntries(members), undefined, space);
        for (const [name] of members) {
          const found = memberText(text, name);
          assert.ok(found !== undefined && text.includes(found));
          assert.equal(found, found.trim());
          const whole: Readonly<Record<string, unknown>> = JSON.parse(text);
          assert.deepEqual(JSON.parse(found), whole[name]);
        }
      }),
    );
  });
});

describe("canonical JSON", () => {
  it("is the same for the same value, regardless of the order of its members", () => {
    assert.equal(canonicalJson({ b: [{ d: 1, c: 2 }], a: null }), '{"a":null,"b":[{"c":2,"d":1}]}');
    assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
    assert.equal(canonicalJson({ a: 1, b: 2, c: 3 }), canonicalJson({ b: 2, c: 3, a: 1 }));
    assert.equal(canonicalJson({ a: 1, b: 2, c: 3 }), '{"a":1,"b":2,"c":3}');
    assert.equal(canonicalJson(undefined), "");
    assert.equal(canonicalJson(parseExact('{"b":1.0,"a":9007199254740993}')), '{"a":9007199254740993,"b":1.0}');
  });

  it("parses to the same value", () => {
    fc.assert(
      fc.property(parsableJson(fc.jsonValue()), (value) =>
        assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value))),
      ),
    );
  });
});
