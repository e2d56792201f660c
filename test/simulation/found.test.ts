import assert from "node:assert/strict";
import { violation } from "./explore.ts";
import { parseSchedule } from "./schedule.ts";
import { windowsOf } from "./simulated-window.ts";

/** Schedules in which a kernel's connection once broke an invariant, each as small as it was found. */
const found: Readonly<Record<string, string>> = {
  "a cell that began before the kernel had a recorder, in a window that was opened later": `
    +0 run: out; pause 3750
    +6 freezedown
    +5002 reload 0`,
  "a cell that ended its kernel, in a window that was opened later": `
    +0 run: die
    +1000 reload 2500`,
  "a cell whose messages a half-open socket lost before the kernel had a recorder": `
    +0 run:
    +6 freezedown`,
  "a cell whose reply went to an earlier socket of the session": `
    seed 875811
    +0 run: out; out
    +0 freezeup
    +3 run: out; clear; pause 1
    +0 lose 1
    +0 close`,
  "output of which the recorder dropped the beginning": `
    entries 17
    +775 expire 0
    +15 run: flood 14 |`,
  "output above the recorder's size and the server's limit": `
    entries 13, rate 27
    +0 run: flood 24; out; out; out; out
    +0 run: flood 3; out; out | out; clear; raise`,
  "input that was entered while disconnected": `
    recorder off
    +1 reset
    +700 run: input | pause 10
    +210 close`,
  "a drop that is noticed while an earlier loss waits": `
    rate 35, latency 200
    +0 run: flood 37
    +125 offline 0`,
  "a loss that is noticed before the recorder is known": `
    rate 21, latency 200
    +0 run: flood 29
    +1000 lose 5`,
  "a kernel that ends before the replay of a resumed cell": `
    kernel plain
    +62 run: flood 18; pause 4 |
    +500 reload 0
    +0 run: die`,
  "a process that was replaced without an announcement": `
    +750 run: die
    +1 restart
    +0 kill 0`,
  "a restart whose announcement was lost": `
    latency 200
    +0 run: flood 14; die
    +1500 reset`,
  "the first published messages of a kernel": `
    +750 lose 3`,
  "a window whose connection breaks before it knows of the recorder": `
    kernel plain, seed 539193
    +100 run: thread (update 2; out; pause 1; out; out; out); input
    +50 reload 0
    +2 reset
    +15 second run:`,
  "the end of a cell that ended in an earlier window": `
    rate 6, latency 30
    +0 run: flood 7; out |
    +1500 kill 0
    +6 offline 0`,
  "late output that was shown while older output was read": `
    latency 30, seed 201737
    +0 run: out; update 2; clearlater; clear; flood 6 | pause 500; out; out; out; out; out; out; out | clear
    +0 run:
    +500 reset
    +0 other 0:
    +3010 reload 0`,
  "a question of a new connection whose reply and status are lost": `
    latency 5, seed 237482
    +0 run:
    +0 run:
    +1 reset
    +1000 freezeup`,
  "a restart during a recovery": `
    latency 30, seed 320087
    +0 run:
    +500 other 187: input
    +200 expire 3000
    +3070 restart`,
  "the rest of a flood after the kernel's process was replaced": `
    rate 36
    +0 run: die
    +1525 run: flood 50`,
};

describe("Schedules that once failed", () => {
  for (const [name, text] of Object.entries(found)) {
    it(`holds for ${name}`, () => {
      assert.equal(violation(parseSchedule(text), windowsOf())?.message, undefined);
    });
  }
});
