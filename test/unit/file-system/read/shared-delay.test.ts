import assert from "node:assert/strict";
import { SharedDelay } from "../../../../src/file-system/read/shared-delay.ts";
import { countRounds } from "../../api/event-loop.ts";

describe("a delay that many callers share", () => {
  it("resumes them in order, after the delay, and lets other work run between them", async () => {
    const shared = new SharedDelay(5);
    const rounds = countRounds();
    const started = performance.now();
    const resumed: number[] = [];
    const roundsOf = new Set<number>();
    await Promise.all(
      Array.from({ length: 5_000 }, async (_, index) => {
        await shared.wait();
        resumed.push(index);
        roundsOf.add(rounds.count);
      }),
    );
    rounds.stop();
    assert.ok(performance.now() - started >= 4);
    assert.deepEqual(resumed, [...resumed.keys()]);
    assert.ok(roundsOf.size >= 9, `resumed in ${roundsOf.size} turns`);
  });

  it("delays a caller that comes while others are resumed", async () => {
    const shared = new SharedDelay(5);
    await shared.wait();
    const started = performance.now();
    await shared.wait();
    assert.ok(performance.now() - started >= 4);
  });
});
