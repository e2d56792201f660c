// Tries the schedules of one seed after the other.
import { BrokenInvariant } from "./failure.ts";
import { generate } from "./generate.ts";
import { type Schedule, scheduleText } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import { simulate } from "./simulation.ts";
import type { MakeWindow } from "./window.ts";

/** A schedule in which an invariant does not hold. */
export interface Finding {
  /** Number of schedules that were tried, with this one. */
  readonly tried: number;
  readonly invariant: string;
  readonly details: string;
  readonly schedule: Schedule;
}

/** The invariant that does not hold in a schedule; undefined if all do. */
export function violation(schedule: Schedule, make: MakeWindow): BrokenInvariant | undefined {
  try {
    simulate(schedule, make);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenInvariant) return error;
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return new BrokenInvariant("the code fails", details);
  }
}

/** The schedule with this number of a seed. */
export function scheduleAt(seed: number, number: number): Schedule {
  return generate(Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b));
}

/** Tries schedules until one fails. Undefined if none of them does. `from`: number of the first one. */
export function explore(
  seed: number,
  { from = 0, count }: { readonly from?: number; readonly count: number },
  make: MakeWindow,
): Finding | undefined {
  const { stackTraceLimit } = Error;
  // Lost requests are errors. `smallest` repeats what fails with the stacks.
  Error.stackTraceLimit = 0;
  try {
    for (let number = from; number < from + count; number += 1) {
      const schedule = scheduleAt(seed, number);
      const broken = violation(schedule, make);
      if (broken !== undefined) {
        return { tried: number + 1, invariant: broken.invariant, details: broken.message, schedule };
      }
    }
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A finding with the smallest schedule that breaks the same invariant. */
export function smallest(finding: Finding, make: MakeWindow): Finding {
  const schedule = shrink(finding.schedule, (candidate) => violation(candidate, make)?.invariant === finding.invariant);
  return { ...finding, schedule, details: violation(schedule, make)?.message ?? finding.details };
}

/** What a person needs to see of a finding. */
export function findingText({ details, schedule }: Finding): string {
  return `${details}\n\n${scheduleText(schedule)}\n`;
}
