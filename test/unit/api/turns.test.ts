import assert from "node:assert/strict";
import { setImmediate as nextRound } from "node:timers/promises";
import { nextTurn, turnFor } from "../../../src/api/turns.ts";
import { countRounds } from "./event-loop.ts";

describe("turns on the event loop", () => {
  it("are given to one caller per round, in the order of the calls", async () => {
    const rounds = countRounds();
    const order: string[] = [];
    const taken: number[] = [];
    const work = async (name: string): Promise<void> => {
      for (let piece = 0; piece < 3; piece += 1) {
        await nextTurn();
        order.push(name);
        taken.push(rounds.count);
      }
    };
    await Promise.all([work("a"), work("b"), work("c")]);
    rounds.stop();
    assert.equal(order.join(""), "abcabcabc");
    assert.equal(new Set(taken).size, taken.length, `rounds ${taken.join()}`);
  });

  it("are only for long work", async () => {
    const rounds = countRounds();
    await nextRound();
    const before = rounds.count;
    await turnFor(1000);
    assert.equal(rounds.count, before);
    await turnFor(1_000_000);
    assert.ok(rounds.count > before);
    rounds.stop();
  });
});
