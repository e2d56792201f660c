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
  "a loss that is noticed while the executions of an earlier window are replayed": `
    entries 19, latency 200
    +1250 run: pause 5000; out; pause 125; flood 14 | |
    +100 reload 0
    +15 lose 3`,
  "a window that is opened after the recorder has dropped the beginning of a cell that lacks output": `
    kernel plain, entries 33, rate 14
    +0 run: flood 52; pause 5000; out
    +10000 run:
    +0 reload 0`,
  "a window that is opened after a cell lost output while the recorder was installed": `
    latency 200, seed 691245
    +0 run: out; out | flood 3
    +100 lose 1
    +10000 run:
    +0 reload 0`,
  "the first messages of a cell that was sent before the window knew of a recorder": `
    seed 81731
    +1010 second restart
    +1500 run: out
    +0 lose 3`,
  "a cell that ends its kernel, in a window that did not know of the recorder": `
    kernel plain, latency 30, seed 550445
    +0 run: input
    +1 second run: die`,
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
  "an aborted cell, in a window that was opened later": `
    seed 221021
    +0 run:
    +100 kill 0
    +0 run: raise |
    +20 reload 0
    +0 run:`,
  "output that is lost together with the idle status while the connection breaks": `
    +500 run: pause 125 | raise
    +100 lose 4
    +0 offline 0
    +164 cull`,
  "a user who interrupts a cell that waits for input": `
    recorder off
    +639 run: input
    +10 sleep 1875
    +0 run:`,
  "a cell that was sent before the window knew of the recorder": `
    latency 5, seed 33233
    +0 run:
    +12 reload 2
    +20 close
    +25 run:
    +0 sleep 100000`,
  "late output that is lost in a window that was opened later": `
    +0 run: thread (pause 312; out; out)
    +750 reload 0
    +0 lose 5`,
  "a window that is closed while it reads what was lost": `
    latency 200
    +0 run: out; out; out |  | out; out; clearlater; pause 75
    +10000 run: clearlater; out; input
    +2 reload 195
    +1 interrupt
    +10100 reload 0`,
  "a restart that the server refuses, with a recorder that is full": `
    entries 22, seed 2851
    +750 run: pause 1; flood 25
    +0 stopped 3125
    +0 stall 40000
    +2 restart
    +2500 cancel`,
  "output that the recorder drops between two pages": `
    entries 38
    +0 run: flood 35
    +657 run:
    +1 reload 0
    +23 run: flood 37`,
  "requests that wait for a cell of another window, and are aborted together": `
    kernel plain
    +0 second interrupt
    +93 run: input
    +1 sleep 4000000
    +0 second freezeup
    +0 second run:`,
  "a new process whose predecessor's message arrives first": `
    +0 run: pause 58
    +10 reset
    +100 lose 4
    +0 interrupt
    +0 restart
    +0 reload 50`,
  "a restart that ends after its window was closed": `
    +0 run: pause 500 | out
    +1000 freeze
    +0 restart
    +0 reload 0
    +0 reload 1500`,
  "a window that is closed before it has read what the server dropped": `
    entries 15, rate 13, latency 200, seed 507746
    +0 run: flood 26 | out
    +10000 reload 0`,
  "a window that is closed before it knows of the recorder": `
    rate 38, latency 200, seed 870163
    +0 run: flood 59 |
    +4500 reload 0`,
  "output before the kernel had a recorder, and after it": `
    rate 19, latency 200, seed 657483
    +0 run: out; out; clear | flood 23 | clearlater; input
    +1 second cancel`,
  "late output without subshells, before a window is closed": `
    kernel plain
    +100 reload 0
    +20 run:  | flood 11; out; out; thread (out; pause 100; clear)
    +0 other 0:
    +100 reset
    +32 reload 0`,
  "a kernel that is restarted while a window connects": `
    latency 5, seed 244208
    +0 run: pause 1; thread (clear; clearlater; clearlater; pause 150; out) | pause 1250 |
    +1500 interrupt
    +19 freezeup
    +0 reload 0
    +0 restart
    +50 other 5000:
    +0 run: input`,
  "a question of a cell that ended in an earlier window": `
    latency 200, seed 232356
    +0 run: out
    +0 run: flood 6; out; out; pause 250 | pause 100; out; pause 30
    +3000 run: pause 1; out; update 2; clearlater
    +100 run: out; out; pause 2; pause 300 | input
    +200 crash
    +5000 reload 0`,
  "output that is dropped while what was lost is read": `
    rate 23, latency 30
    +0 run: flood 42
    +0 second reload 75
    +500 close
    +1020 cull`,
  "a restart after the recorder has dropped a cell's messages": `
    entries 20, latency 30, seed 227643
    +0 run:
    +50 run:
    +0 offline 37
    +1000 close
    +0 run:  |  |
    +3100 restart`,
  "a note that is added when a window is closed": `
    rate 6, seed 244106
    +0 run:
    +5 reload 0
    +50 run: flood 24; flood 40; pause 100; flood 18; raise
    +200 reload 0`,
  "late output that arrives while a kernel without subshells is read": `
    kernel plain, latency 30, seed 521416
    +0 run: update 2; thread (out; pause 37; out); clearlater
    +1 lose 2`,
  "a recorder's installation of which the reply arrives with the news of the kernel's end": `
    latency 200, seed 504243
    +0 run: clear; clearlater; die |  |
    +100 run:  |  |
    +10010 run: out
    +500 offline 0`,
  "a recorder's installation that is repeated": `
    latency 200, seed 242837
    +0 run: pause 100; out; out | clearlater; pause 15000 |
    +10000 restart
    +10000 run: raise
    +0 lose 5`,
  "a restart that the server refuses, of a kernel that withdraws nothing": `
    kernel other
    +628 run:
    +0 stopped 2500
    +5 restart
    +3000 noroute 0`,
  "output that a window without subshells showed before it was closed": `
    kernel plain, rate 16, latency 30, seed 373896
    +0 run: thread (pause 25; flood 24); pause 15; flood 21 | out; out; out; out; out; out; out |
    +0 other 1000:
    +1000 reload 0`,
  "a lost answer, and the output of a thread after it": `
    +0 run: pause 500; thread (pause 1250; out); update 1 | input |
    +6 freezedown
    +3200 reset
    +502 freezeup`,
  "late output that is shown before it could be read": `
    +750 run: thread (pause 250; clearlater); raise
    +200 kill 78
    +10 sleep 10000
    +0 reload 0`,
  "a question that another socket got, before much output of a thread": `
    +62 freezeup
    +0 reload 0
    +0 run: thread (pause 0; flood 21; flood 49); input`,
  "a journal that is removed while its window is closed": `
    +0 run: update 1; out; out; input; out; pause 31; out
    +625 cull
    +1 run:
    +1 reload 0
    +93 reload 2`,
  "a window that is closed while it delivers": `
    recorder off, seed 275981
    +0 run:  |
    +0 cancel
    +100 interrupt
    +0 run:
    +5 reload 0
    +10 reload 0`,
  "output before the kernel had a recorder, in a window that was opened later": `
    latency 200, seed 131872
    +0 run: thread (pause 1; out); out; pause 1 |
    +62 run:  |  |
    +0 run:
    +3000 reload 0`,
  "output before the kernel had a recorder, in a window that connects late": `
    seed 57455
    +0 run:
    +0 reload 0
    +0 run: out; pause 7; out |
    +50 stall 20000
    +10000 stall 100000
    +0 restart
    +2 reload 1`,
  "output before the kernel had a recorder, after two windows and a broken connection": `
    latency 200, seed 596857
    +0 run:
    +0 expire 0
    +4 reload 19
    +200 reset
    +3000 run: out; pause 1; out
    +250 reload 1250`,
  "a request that was repeated for hours, and is aborted with an interrupted cell": `
    kernel plain
    +0 run: pause 31 | input
    +0 second run:
    +100 expire 0
    +0 second sleep 10000000`,
  "a cell that ended in the kernel before its window knew which cell it was": `
    kernel plain, rate 39, seed 512285
    +0 run: out; out | flood 53; pause 10
    +105 reset
    +10 run:
    +10 reload 11`,
  "a lost answer before the output of a thread, in a window that did not know of the recorder": `
    +0 run: thread (pause 234; out); out; input |  |
    +0 second offline 3000
    +6 stall 10000
    +10000 freezeup`,
  "lost output that the recorder drops before an earlier window's cell is read": `
    entries 8, seed 38295
    +0 run:
    +1 lose 10
    +1 reload 0
    +25 offline 0
    +50 run: raise |  |`,
  "output before the kernel had a recorder, after a half-open socket": `
    latency 5
    +0 run: out; out
    +50 run: pause 15
    +5 freezedown
    +3005 run: out; pause 19; out |
    +50 freeze
    +10 reload 0`,
  "a cell that reached the new process although its end was reported with the old one": `
    latency 200, seed 655385
    +0 run:
    +4 second close
    +0 restart
    +0 second restart
    +20 interrupt
    +1 reload 0
    +0 run: pause 312 | pause 500; out; pause 7500
    +10000 reload 0`,
  "output that a window without subshells showed before it had read an earlier window's cells": `
    kernel plain, latency 30, seed 111073
    +0 run: pause 1; update 2 |  |
    +750 run: update 1 |
    +156 run: out; thread (out; pause 0; out); out
    +2 reload 390
    +1050 reload 0`,
  "a lost reply that the new process is asked for before the server has reported the restart": `
    seed 702748
    +0 run:
    +100 reload 0
    +102 freezeup
    +0 reload 0
    +1000 run: out | out; out; clear | clear; out; pause 10; out
    +10 restart`,
};

describe("Schedules that once failed", () => {
  for (const [name, text] of Object.entries(found)) {
    it(`holds for ${name}`, () => {
      assert.equal(violation(parseSchedule(text), windowsOf())?.message, undefined);
    });
  }
});
