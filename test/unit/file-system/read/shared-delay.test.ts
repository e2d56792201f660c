import assert from "node:assert/strict";
import { SharedDelay } from "../../../../src/file-system/read/shared-delay.ts";
import { countRounds } from "../../api/event-loop.ts";

describe("a delay that many callers share", () => {
  it("resumes them in order, after the delay", async () => {
    const shared = new SharedDelay(5);
    const started = performance.now();
    const resumed: number[] = [];
    await Promise.all(
      Array.from({ length: 5_000 }, async (_, index) => {
        await shared.wait();
        resumed.push(index);
      }),
    );
    assert.ok(performance.now() - started >= 4);
    assert.deepEqual(resumed, [...resumed.keys()]);
  });

  it("lets other work run between a few callers that take long, also after they have waited for something else", async () => {
    const shared = new SharedDelay(5);
    const rounds = countRounds();
    const roundsOf = new Set<number>();
    await Promise.all(
      Array.from({ length: 160 }, async () => {
        await shared.wait();
        await Promise.resolve().then(() => undefined);
        const begunAt = performance.now();
        while (performance.now() - begunAt < 2) {
          // Works for 2 ms, so that a few callers fill a slice.
        }
        roundsOf.add(rounds.count);
      }),
    );
    rounds.stop();
    assert.ok(roundsOf.size >= 8, `resumed in ${roundsOf.size} turns`);
  });

  it("lets other work run between the callers that waited for the same request, also for one that failed", async () => {
    for (const end of ["resolve", "reject"] as const) {
      const request = Promise.withResolvers<void>();
      const shared = new SharedDelay(5);
      const rounds = countRounds();
      const roundsOf = new Set<number>();
      const resumed: number[] = [];
      const all = Array.from({ length: 160 }, async (_, index) => {
        await shared.ended(request.promise);
        resumed.push(index);
        const begunAt = performance.now();
        while (performance.now() - begunAt < 2) {
          // Works for 2 ms, so that a few callers fill a slice.
        }
        roundsOf.add(rounds.count);
      });
      assert.deepEqual(resumed, []);
      request[end](undefined);
      await Promise.all(all);
      rounds.stop();
      assert.deepEqual(resumed, [...resumed.keys()]);
      assert.equal(resumed.length, all.length);
      assert.ok(roundsOf.size >= 8, `resumed in ${roundsOf.size} turns`);
    }
  });

  it("delays a caller that comes while others are resumed", async () => {
    const shared = new SharedDelay(5);
    await shared.wait();
    const started = performance.now();
    await shared.wait();
    assert.ok(performance.now() - started >= 4);
  });
});
