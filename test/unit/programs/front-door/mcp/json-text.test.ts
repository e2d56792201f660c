import assert from "node:assert/strict";
import fc from "fast-check";
import { parseExact } from "../../../../../src/api/http/json.ts";
import {
  endOfFitting,
  jsonTextInTurns,
  jsonTextOf,
  leastLength,
} from "../../../../../src/programs/front-door/mcp/json-text.ts";

/** Longer than what is written at once. */
const long = fc
  .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 9 }), fc.integer({ min: 60_000, max: 200_000 }))
  .map(([text, length]) => text.repeat(Math.ceil(length / text.length)));

describe("front door: JSON in turns", () => {
  it("is the same as that of the standard library", async () => {
    const value = fc.oneof(long, fc.array(fc.oneof(long, fc.jsonValue())), fc.dictionary(fc.string(), long));
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        assert.equal(await jsonTextInTurns(given), JSON.stringify(given));
      }),
      { numRuns: 40 },
    );
  });

  it("omits undefined values, and preserves numbers", async () => {
    const text = "x".repeat(100_000);
    const value = { text, missing: undefined, exact: parseExact("1.0"), list: [text, parseExact("9007199254740993")] };
    assert.equal(await jsonTextInTurns(value), JSON.stringify(value));
    assert.equal(await jsonTextInTurns(undefined), "null");
  });

  it("yields to other work while it writes a long text", async () => {
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 0);
    await jsonTextInTurns({ text: '"'.repeat(4_000_000) });
    clearInterval(other);
    assert.ok(turns > 0);
  });

  it("is the same value without characters that a terminal obeys, or that change the text direction", () => {
    const value = { "a\u009b": ["\u009d0;t\u009c \u202e\u2066\u2028 \u007f é 🙂"] };
    assert.match(jsonTextOf(value), /^[^\p{C}\u2028\u2029]+$/u);
    assert.deepEqual(JSON.parse(jsonTextOf(value)), value);
  });

  it("fits with its escapes into the room", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.integer({ min: 6, max: 100 }), (text, room) => {
        const part = text.slice(0, endOfFitting(text, 0, room));
        assert.ok(jsonTextOf(part).length - 2 <= Math.max(room, 12), `${part} takes ${jsonTextOf(part).length}`);
      }),
    );
    assert.equal(endOfFitting("\u202e".repeat(100), 0, 60), 10);
    assert.equal(endOfFitting("\u009b".repeat(100), 0, 60), 10);
  });

  it("has a length that can be estimated before it is written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        assert.ok(leastLength(given, 1_000_000) <= JSON.stringify(given).length);
      }),
    );
  });
});
