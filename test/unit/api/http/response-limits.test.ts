import assert from "node:assert/strict";
import fc from "fast-check";
import { exceededLimit } from "../../../../src/api/http/response-limits.ts";

const limits = { values: 10, depth: 4 };

function exceededBy(json: string) {
  return exceededLimit(Buffer.from(json), limits);
}

/** The levels of arrays and objects, and the number of these and of their commas. */
function sizeOf(value: unknown): { readonly depth: number; readonly values: number } {
  if (typeof value !== "object" || value === null) {
    return { depth: 0, values: 0 };
  }
  const inner = Object.values(value).map(sizeOf);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + Math.max(0, inner.length - 1) + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

describe("limits of a response", () => {
  it("count nesting and values before anything is parsed", () => {
    assert.equal(exceededBy("[[[[1]]]]"), undefined);
    assert.equal(exceededBy("[[[[[1]]]]]"), "depth");
    assert.equal(exceededBy('{"a":{"a":{"a":{"a":{}}}}}'), "depth");
    assert.equal(exceededBy(`[${Array(10).fill("1").join(",")}]`), undefined);
    assert.equal(exceededBy(`[${Array(11).fill("1").join(",")}]`), "values");
    assert.equal(exceededBy("[{},{},{},{},{}]"), undefined);
    assert.equal(exceededBy("[{},{},{},{},{},{}]"), "values");
  });

  it("don't count characters within strings", () => {
    for (const text of ["[[[[[[", ",,,,,,,,,,,,", '"[[[[[[', '\\"[[[[[[', "\\\\", '\\\\"', "[[[[[[\\"]) {
      assert.equal(exceededBy(JSON.stringify({ [text]: [text] })), undefined, text);
    }
    assert.equal(exceededBy('["[[[[[[,,,,,,,,,,'), undefined);
    // Long texts are searched, short ones checked byte by byte. The backslashes are on both sides of the boundary.
    for (let length = 50; length < 150; length += 1) {
      for (const end of ["", '"', "\\", '\\"', '\\\\"', "\\".repeat(70)]) {
        const text = `${",".repeat(length)}${end}${"[".repeat(20)}`;
        assert.equal(exceededBy(JSON.stringify([text, [[[1]]]])), undefined, text);
        assert.equal(exceededBy(JSON.stringify([text, [[[[1]]]]])), "depth", text);
      }
    }
  });

  it("don't count characters between escaped quotes, at any distance", () => {
    const part = fc.tuple(fc.integer({ max: 400, min: 0 }), fc.constantFrom('"', "\\", '\\"', '"\\'));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.map(([length, mark]) => `${"[".repeat(length)}${mark}`).join("");
        assert.equal(exceededBy(JSON.stringify([text, [[[1]]]])), undefined);
        assert.equal(exceededBy(JSON.stringify([text, [[[[1]]]]])), "depth");
      }),
    );
  });

  it("are the same as those of the parsed value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { depth, values } = sizeOf(value);
        const json = Buffer.from(JSON.stringify(value));
        assert.equal(exceededLimit(json, { depth, values }), undefined);
        if (depth > 0) {
          assert.equal(exceededLimit(json, { depth: depth - 1, values }), "depth");
          assert.equal(exceededLimit(json, { depth, values: values - 1 }), "values");
        }
      }),
    );
  });

  it("take one pass over strings of quotes and backslashes", () => {
    const hostile = Buffer.from(`["${'\\"\\\\'.repeat(1_000_000)}"]`);
    const started = performance.now();
    assert.equal(exceededLimit(hostile, limits), undefined);
    // A pass for each quote would take hours on any machine.
    assert.ok(performance.now() - started < 60_000);
  });
});
