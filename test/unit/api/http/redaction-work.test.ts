import assert from "node:assert/strict";
import fc from "fast-check";
import { createRedaction, withoutSecrets } from "../../../../src/api/http/redaction.ts";
import { countRounds } from "../event-loop.ts";

describe("the work of a redaction", () => {
  const named = createRedaction([], "named");

  // Counted are the characters that the scanner passes; `npm run check` proves each expression of it linear by itself.
  const attacks = [
    ...[
      "?token",
      "&token",
      '"token',
      '"PTOKENS',
      '"token":"',
      '\\"token\\":\\"',
      '"token" ',
      '"token":[',
      "\\",
      "token",
    ],
    ...['"', "'", '\\"', "?", "=", " ", '"token": ["a", ', "@", "a@b,", '"\\', "\\\\\\", "?token="],
  ];
  it("takes steps that are linear in the input", () => {
    for (const unit of attacks) {
      assertLinear(unit);
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...attacks, ":", "x"), { minLength: 1, maxLength: 4 }), (parts) =>
        assertLinear(parts.join("")),
      ),
      { numRuns: 20 },
    );
  });

  it("scans long texts in turns, any number of them at the same time, with the same result", async () => {
    const texts = [...attacks, "?token=b&c ", '{"token":"x"},'].map((unit) => unit.repeat(150_000 / unit.length));
    const hinted = texts.filter((text) => /token/i.test(text));
    assert.ok(hinted.length > 10);
    const rounds = countRounds();
    const values = await Promise.all(
      texts.map((text) => createRedaction([], "named").valueInTurns({ a: [text, { text }], token: text })),
    );
    const all = await named.valueInTurns(texts);
    rounds.stop();
    const least = 2 * hinted.length * 2;
    assert.ok(rounds.count >= least, `${rounds.count} rounds of the event loop for at least ${least} pieces`);
    for (const [index, text] of texts.entries()) {
      const cleaned = named.text(text);
      assert.deepEqual(values[index], { a: [cleaned, { text: cleaned }], token: "[redacted]" });
    }
    assert.deepEqual(all, texts.map(named.text));
  });

  it("scans many short texts in turns, too, and what is short as a whole at once", async () => {
    const rounds = countRounds();
    const texts = Array.from({ length: 3000 }, (_, nth) => `/x?token=${"a".repeat(200)}${nth}&page=${nth}`);
    const cleaned = await named.valueInTurns(texts);
    assert.deepEqual(
      cleaned,
      texts.map((_, nth) => `/x?token=[redacted]&page=${nth}`),
    );
    assert.ok(rounds.count >= 8, `${rounds.count} rounds`);
    const before = rounds.count;
    assert.deepEqual(await named.valueInTurns(["/x?token=a"]), ["/x?token=[redacted]"]);
    assert.equal(rounds.count, before);
    rounds.stop();
  });

  function assertLinear(unit: string): void {
    const steps = stepsFor(unit.repeat(200));
    const stepsOfTen = stepsFor(unit.repeat(2000));
    assert.ok(stepsOfTen <= 12 * steps, `${JSON.stringify(unit)}: ${steps} steps, ten times of it ${stepsOfTen}`);
  }

  function stepsFor(text: string): number {
    const { exec } = RegExp.prototype;
    let steps = 0;
    RegExp.prototype.exec = function (this: RegExp, given: string) {
      const from = this.lastIndex;
      const match = exec.call(this, given);
      steps += 1 + (match === null && !this.sticky ? given.length - from : Math.max(0, this.lastIndex - from));
      return match;
    };
    try {
      withoutSecrets(text, "");
    } finally {
      RegExp.prototype.exec = exec;
    }
    return steps;
  }
});
