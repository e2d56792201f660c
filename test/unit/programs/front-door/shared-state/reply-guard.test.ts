import assert from "node:assert/strict";
import fc from "fast-check";
import { ReplyGuard } from "../../../../../src/programs/front-door/shared-state/reply-guard.ts";

/** True if the guard accepts all of the text, in parts of these lengths. */
function takes(text: string, ...lengths: readonly number[]): boolean {
  const bytes = Buffer.from(text, "latin1");
  const guard = new ReplyGuard();
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    if (!guard.accepts(bytes.subarray(at, at + length))) return false;
    at += length;
  }
  return true;
}

const response = fc.oneof(
  fc.stringMatching(/^[A-Za-z ]{0,40}$/).map((line) => `+${line}\r\n`),
  fc.stringMatching(/^[A-Z ]{0,40}$/).map((line) => `-${line}\r\n`),
  fc.integer().map((number) => `:${number}\r\n`),
  // A text may contain what looks like the beginning of another answer.
  fc
    .constantFrom("", "*99999999999\r\n", "$999999999\r\n", "x".repeat(5000))
    .map((text) => `$${text.length}\r\n${text}\r\n`),
  fc.constant("$-1\r\n"),
);
const list = fc.array(response, { maxLength: 16 }).map((items) => `*${items.length}\r\n${items.join("")}`);

describe("front door: replies of the shared state", () => {
  it("are accepted if they are of an expected kind, in any parts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(response, list), { maxLength: 20 }),
        fc.array(fc.nat({ max: 50 })),
        (all, lengths) => takes(all.join(""), ...lengths),
      ),
    );
  });

  for (const [what, text] of [
    ["a list of more items than there is memory for", "*99999999999\r\n"],
    ["a list of more items than anything asked for has", "*17\r\n"],
    ["lists within lists", "*1\r\n*1\r\n*1\r\n"],
    ["a text of a gigabyte", "$1000000000\r\n"],
    ["a text that is longer than any", "$65537\r\n"],
    ["a line without an end", `+${"x".repeat(2000)}`],
    ["a length that is no number", "$1e9\r\n"],
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n"],
  ] as const) {
    it(`are rejected if they are ${what}, even in single bytes and after a valid one`, () => {
      assert.equal(takes(`+OK\r\n${text}`), false);
      assert.equal(takes(`+OK\r\n${text}`, ...Array.from({ length: text.length + 4 }, () => 1)), false);
    });
  }
});
