// Draws a schedule from a seed.
import type { Step } from "./model/program.ts";
import { Random } from "./model/random.ts";
import type { Action, Moment, Schedule, World } from "./schedule.ts";

const waits = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 3000, 10_000] as const;
const durations = [0, 1, 5, 20, 100, 300, 1000, 3000, 10_000, 40_000, 100_000] as const;
const pauses = [0, 1, 3, 10, 30, 100, 300, 1000, 5000, 30_000] as const;
const plainSteps = ["out", "out", "out", "err", "result", "clear", "clearlater", "comm"] as const;

/** The schedule of a seed. */
export function generate(seed: number): Schedule {
  const random = new Random(seed);
  const world = worldOf(random);
  const hasSecond = random.chance(0.15);
  const count = random.between(2, 9);
  const moments: Moment[] = [{ wait: 0, action: run(random, 0) }];
  while (moments.length < count) {
    moments.push({ wait: random.pick(waits), action: action(random, hasSecond && random.chance(0.3) ? 1 : 0) });
  }
  return { world, moments };
}

function worldOf(random: Random): World {
  return {
    kernel: random.chance(0.8) ? "subshells" : random.chance(0.6) ? "plain" : "other",
    recorder: random.chance(0.85) ? "on" : "off",
    entries: random.chance(0.85) ? 1000 : random.between(5, 40),
    rate: random.chance(0.7) ? 1000 : random.between(5, 40),
    ports: random.chance(0.9) ? "same" : "new",
    latency: random.pick([1, 1, 1, 5, 30, 200]),
    seed: random.between(1, 1_000_000),
  };
}

function run(random: Random, window: 0 | 1): Action {
  const cells = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => program(random, 0));
  return { type: "run", window, cells };
}

function program(random: Random, depth: number): Step[] {
  return Array.from({ length: random.between(depth === 0 ? 0 : 1, 6) }, () => step(random, depth));
}

function step(random: Random, depth: number): Step {
  const drawn = random.next();
  if (drawn < 0.35) return { type: "pause", milliseconds: random.pick(pauses) };
  if (drawn < 0.72) return { type: random.pick(plainSteps) };
  if (drawn < 0.8) return { type: random.chance(0.6) ? "display" : "update", id: random.between(1, 2) };
  if (drawn < 0.86) return { type: "flood", count: random.between(5, 60) };
  if (depth > 0) return { type: "out" };
  if (drawn < 0.91) return { type: "thread", steps: program(random, 1) };
  if (drawn < 0.95) return { type: "input" };
  if (drawn < 0.99) return { type: "raise" };
  return { type: "die" };
}

function action(random: Random, window: 0 | 1): Action {
  const ms = random.pick(durations);
  const drawn = random.next();
  if (drawn < 0.26) return run(random, window);
  if (drawn < 0.4) return { type: random.chance(0.3) ? "close" : "reset", window };
  if (drawn < 0.5) return { type: random.pick(["freeze", "freezeup", "freezedown"] as const), window };
  if (drawn < 0.6) return { type: random.chance(0.7) ? "reload" : "kill", window, ms };
  if (drawn < 0.66) return { type: "offline", window, ms };
  if (drawn < 0.69) return { type: "stall", window, ms };
  if (drawn < 0.74) return { type: "interrupt", window };
  if (drawn < 0.76) return { type: "cancel", window };
  if (drawn < 0.79) return { type: "restart", window };
  if (drawn < 0.84) return { type: "other", ms, cell: random.chance(0.5) ? [] : program(random, 0) };
  if (drawn < 0.88) return { type: "lose", count: random.between(1, 10) };
  if (drawn < 0.9) return { type: "expire", window, ms };
  if (drawn < 0.92) return { type: random.chance(0.5) ? "noroute" : "stopped", ms };
  if (drawn < 0.95) return { type: "absent", window, ms };
  if (drawn < 0.97) return { type: "sleep", window, ms: ms * 100 };
  if (drawn < 0.985) return { type: "crash" };
  if (drawn < 0.993) return { type: "cull" };
  return { type: "down", ms };
}
