import assert from "node:assert/strict";
import fc from "fast-check";
import { withoutSecrets } from "../../../../src/api/http/redaction.ts";

describe("the work of a redaction", () => {
  // Counts the characters that the scanner passes. `npm run check` proves that each of its expressions is linear.
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
