// Makes a schedule that fails as small as possible.
import type { Step } from "./model/program.ts";
import { type Moment, type Schedule, usualWorld, type World } from "./schedule.ts";

/** The smallest schedule found that still fails. `fails` is called at most `maxRuns` times. */
export function shrink(schedule: Schedule, fails: (schedule: Schedule) => boolean, maxRuns = 3000): Schedule {
  let smallest = schedule;
  let runs = 0;
  for (let isSmaller = true; isSmaller && runs < maxRuns; ) {
    isSmaller = false;
    for (const candidate of candidates(smallest)) {
      runs += 1;
      if (runs > maxRuns) break;
      if (fails(candidate)) {
        smallest = candidate;
        isSmaller = true;
        break;
      }
    }
  }
  return smallest;
}

function* candidates({ world, moments }: Schedule): Generator<Schedule> {
  for (let size = moments.length >> 1; size > 0; size >>= 1) {
    for (let start = 0; start + size <= moments.length; start += size) {
      const removed = moments.slice(start, start + size).reduce((sum, { wait }) => sum + wait, 0);
      const [next, ...later] = moments.slice(start + size);
      const before = moments.slice(0, start);
      if (next === undefined || removed > 0) yield { world, moments: [...before, ...moments.slice(start + size)] };
      if (next !== undefined) yield { world, moments: [...before, { ...next, wait: next.wait + removed }, ...later] };
    }
  }
  for (const smaller of worlds(world)) yield { world: smaller, moments };
  for (const [index, moment] of moments.entries()) {
    for (const smaller of smallerMoments(moment)) yield { world, moments: moments.with(index, smaller) };
  }
}

function* worlds(world: World): Generator<World> {
  for (const name of ["kernel", "recorder", "entries", "rate", "ports", "latency", "seed"] as const) {
    if (world[name] !== usualWorld[name]) yield { ...world, [name]: usualWorld[name] };
  }
}

function* smallerMoments({ wait, action }: Moment): Generator<Moment> {
  for (const less of smallerNumbers(wait)) yield { wait: less, action };
  if ("ms" in action) {
    for (const ms of smallerNumbers(action.ms)) yield { wait, action: { ...action, ms } };
  }
  if (action.type === "lose") {
    for (const count of smallerNumbers(action.count)) yield { wait, action: { ...action, count } };
  }
  if (action.type === "run") {
    for (const [index, cell] of action.cells.entries()) {
      if (action.cells.length > 1) yield { wait, action: { ...action, cells: action.cells.toSpliced(index, 1) } };
      for (const smaller of smallerPrograms(cell)) {
        yield { wait, action: { ...action, cells: action.cells.with(index, smaller) } };
      }
    }
  }
  if (action.type === "other") {
    for (const cell of smallerPrograms(action.cell)) yield { wait, action: { ...action, cell } };
  }
}

function* smallerPrograms(steps: readonly Step[]): Generator<readonly Step[]> {
  for (const [index, step] of steps.entries()) {
    yield steps.toSpliced(index, 1);
    switch (step.type) {
      case "pause":
        for (const milliseconds of smallerNumbers(step.milliseconds)) {
          yield steps.with(index, { type: "pause", milliseconds });
        }
        break;
      case "flood":
        yield steps.with(index, { type: "out" });
        for (const count of smallerNumbers(step.count)) yield steps.with(index, { type: "flood", count });
        break;
      case "thread":
        yield steps.toSpliced(index, 1, ...step.steps);
        for (const inner of smallerPrograms(step.steps)) yield steps.with(index, { type: "thread", steps: inner });
        break;
      case "out":
        break;
      case "err":
      case "result":
      case "display":
      case "comm":
        yield steps.with(index, { type: "out" });
        break;
    }
  }
}

function smallerNumbers(number: number): readonly number[] {
  return number === 0
    ? []
    : [...new Set([0, number >> 1, number < 10 ? number - 1 : number >> 1].filter((less) => less < number))];
}
