import assert from "node:assert/strict";
import { RetainedOutput } from "../../../../src/api/terminals/retained-output.ts";

describe("output that a server repeats", () => {
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, index) => `line ${from + index}\r\n`).join("");

  it("continues where the received output ends", () => {
    const cases: readonly [received: string, repeated: string, missing: string][] = [
      [lines(0, 50), lines(0, 80), lines(50, 80)],
      [lines(0, 50), lines(30, 80), lines(50, 80)],
      [lines(0, 50), lines(0, 50), ""],
      [lines(0, 50), lines(40, 50), ""],
      ["$ ", "$ ls\r\n", "ls\r\n"],
      [lines(0, 50_000), lines(49_000, 50_100), lines(50_000, 50_100)],
      [lines(0, 50_000), lines(0, 50_100), lines(50_000, 50_100)],
    ];
    for (const [received, repeated, text] of cases) {
      const output = new RetainedOutput();
      for (let start = 0; start < received.length; start += 4096) output.add(received.slice(start, start + 4096));
      assert.deepEqual(output.take(repeated), { text, hasGap: false });
    }
  });

  it("finds a gap if the server no longer has what follows", () => {
    const output = new RetainedOutput();
    output.add(lines(0, 50));
    assert.deepEqual(output.take(lines(60, 80)), { text: lines(60, 80), hasGap: true });
    assert.deepEqual(output.take(lines(70, 90)), { text: lines(80, 90), hasGap: false });
  });

  it("is all missing in a new window", () => {
    assert.deepEqual(new RetainedOutput().take(lines(0, 3)), { text: lines(0, 3), hasGap: false });
  });
});
