import type { WorkflowExecution } from "../../../api/catalogue/models/workflows.ts";
import { beganOf } from "../../../api/families/workflow-facts.ts";

/** Executions per day of one state or type of trigger; `counts` has one number per day. */
interface DayCounts {
  readonly name: string;
  readonly counts: readonly number[];
}

/** The last days up to a time, each as `2026-11-21` in the time zone, oldest first. */
export function lastDays(count: number, until: Date, timeZone: string): readonly string[] {
  const dayOf = dayFormat(timeZone);
  const last = Date.parse(`${dayOf(until)}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * 24 * 60 * 60 * 1000).toISOString().slice(0, 10),
  );
}

/**
 * Counts executions by the day on which they began and by the name that `nameOf` returns. The names in `first` come
 * first, in this order, even without executions. The others follow, most frequent first.
 */
export function countByDay(
  executions: readonly WorkflowExecution[],
  days: readonly string[],
  timeZone: string,
  nameOf: (execution: WorkflowExecution) => string,
  first: readonly string[],
): readonly DayCounts[] {
  const dayOf = dayFormat(timeZone);
  const places = new Map(days.map((day, index) => [day, index]));
  const counts = new Map<string, number[]>(first.map((name) => [name, days.map(() => 0)]));
  for (const execution of executions) {
    const began = beganOf(execution);
    const place = began === undefined ? undefined : places.get(dayOf(began));
    if (place !== undefined) {
      const name = nameOf(execution);
      const own = counts.get(name) ?? days.map(() => 0);
      own[place] = (own[place] ?? 0) + 1;
      counts.set(name, own);
    }
  }
  const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
  const known = new Set(first);
  const all = [...counts].map(([name, own]) => ({ name, counts: own }));
  return [
    ...all.filter(({ name }) => known.has(name)),
    ...all.filter(({ name }) => !known.has(name)).toSorted((left, right) => sum(right.counts) - sum(left.counts)),
  ];
}

const minute = 60 * 1000;
const hour = 60 * minute;

/** The first moment of a day in the time zone. */
export function beginOf(day: string, timeZone: string): Date {
  const dayOf = dayFormat(timeZone);
  const inUtc = Date.parse(`${day}T00:00:00Z`);
  // No zone is more than 14 hours ahead of UTC or 12 hours behind it. A day can begin later than at 0:00.
  let before = inUtc - 15 * hour;
  let within = inUtc + 13 * hour;
  while (within - before > minute) {
    const between = before + Math.floor((within - before) / minute / 2) * minute;
    if (dayOf(new Date(between)) < day) {
      before = between;
    } else {
      within = between;
    }
  }
  return new Date(within);
}

function dayFormat(timeZone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (time) => format.format(time);
}
