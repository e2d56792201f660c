import { Cron } from "croner";
import { type Phrase, phrase, type Text } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";

/** A schedule: a Quartz expression in an IANA time zone. */
export interface Schedule {
  /** Six or seven fields, seconds first, as the platform expects. */
  readonly cron: string;
  readonly timeZone: string;
  /** Up to `count` runs after a point in time; fewer if the schedule ends. */
  nextRuns(count: number, after?: Date): readonly Date[];
  /** Up to `count` runs after a point in time, with those that are skipped before and between them. */
  upcoming(count: number, after?: Date): readonly UpcomingRun[];
}

/**
 * A run of a schedule. `isSkipped`: its time doesn't exist, because the clocks are put forward then. `at` is the first
 * time after that.
 */
export interface UpcomingRun {
  readonly at: Date;
  readonly isSkipped: boolean;
}

export type ParsedSchedule =
  | { readonly valid: true; readonly schedule: Schedule }
  | { readonly valid: false; readonly field: "cron" | "timeZone"; readonly reason: Text };

/**
 * Parses a cron expression (six or seven fields as in Quartz, or five without seconds) in a time zone. A schedule that
 * never runs is invalid.
 */
export function readSchedule(cron: string, timeZone: string): ParsedSchedule {
  if (!isTimeZone(timeZone)) {
    return {
      valid: false,
      field: "timeZone",
      reason: phrase`"${timeZone}" isn't an IANA time zone, such as Europe/Berlin`,
    };
  }
  try {
    const { quartz, plain } = readQuartz(cron);
    const job = new Cron(plain, { timezone: timeZone, paused: true, mode: "6-or-7-parts" });
    if (job.nextRun() === null) {
      return { valid: false, field: "cron", reason: phrase`"${cron}" never runs again` };
    }
    const upcoming = (count: number, after = new Date()): readonly UpcomingRun[] => {
      const runs: UpcomingRun[] = [];
      // A schedule can have only times that don't exist.
      for (let found = 0, last = after; found < count && runs.length < 2 * count; ) {
        const at = job.nextRun(last);
        if (at === null) {
          break;
        }
        const isSkipped = !job.match(at);
        runs.push({ at, isSkipped });
        found += isSkipped ? 0 : 1;
        last = at;
      }
      return runs;
    };
    const nextRuns = (count: number, after?: Date): readonly Date[] =>
      upcoming(count, after).flatMap(({ at, isSkipped }) => (isSkipped ? [] : [at]));
    return { valid: true, schedule: { cron: quartz, timeZone, nextRuns, upcoming } };
  } catch (error) {
    if (error instanceof ScheduleError || error instanceof TypeError || error instanceof RangeError) {
      return { valid: false, field: "cron", reason: error instanceof ScheduleError ? error.text : error.message };
    }
    throw error;
  }
}

function isTimeZone(text: string): boolean {
  try {
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat("en", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

/** Why a string is not a valid schedule. The message follows `cron: `. */
class ScheduleError extends WordedError {
  override readonly name = "ScheduleError";
}

/** The numbering of weekdays: Sunday is 1 in Quartz, and 0 (or 7) in a crontab. */
type WeekdayNumbers = "quartz" | "crontab";

interface FieldKind {
  readonly field: "weekday" | "second" | "minute" | "hour" | "monthDay" | "month" | "year";
  readonly label: Phrase;
  readonly least: number;
  readonly max: number;
  /** Names of the values, starting at `least`. */
  readonly names?: readonly string[];
}

const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;
const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"] as const;
const weekday: FieldKind = { field: "weekday", label: phrase`day of the week`, least: 0, max: 6, names: weekdays };
const kinds: readonly FieldKind[] = [
  { field: "second", label: phrase`second`, least: 0, max: 59 },
  { field: "minute", label: phrase`minute`, least: 0, max: 59 },
  { field: "hour", label: phrase`hour`, least: 0, max: 23 },
  { field: "monthDay", label: phrase`day of the month`, least: 1, max: 31 },
  { field: "month", label: phrase`month`, least: 1, max: 12, names: months },
  weekday,
  { field: "year", label: phrase`year`, least: 1970, max: 2099 },
];
const [dayOfMonthAt, dayOfWeekAt] = [3, 5];

/** A cron expression in two formats: `quartz` for the platform, and `plain` with all values listed. */
interface QuartzExpression {
  /** Six or seven fields, seconds first, `?` in one of the day fields. */
  readonly quartz: string;
  /** The same schedule with weekdays that start at 0 for Sunday, no ranges, and steps only after `*`. */
  readonly plain: string;
}

/**
 * Parses a cron expression: Quartz with six or seven fields, seconds first, or five fields without seconds. Weekdays
 * are numbered as in Quartz. In five fields without a `?`, they are numbered as in a crontab. Throws a ScheduleError.
 */
function readQuartz(text: string): QuartzExpression {
  const given = text.trim().toUpperCase().split(/\s+/);
  if (given.length < 5 || given.length > 7 || given[0] === "") {
    throw new ScheduleError(
      phrase`"${text.trim()}" must have six fields (second, minute, hour, day, month, weekday), or five without the seconds`,
    );
  }
  const numbers = given.length === 5 && !given.includes("?") ? "crontab" : "quartz";
  const fields = withDayFields(given.length === 5 ? ["0", ...given] : given);
  const read = fields.map((field, index) => readField(field, kinds[index] ?? weekday, numbers));
  return {
    quartz: (numbers === "quartz" ? fields : read.map(({ quartz }) => quartz)).join(" "),
    plain: read.map(({ plain }) => plain).join(" "),
  };
}

/** Quartz accepts a day of the month or a weekday; the other field is `?`. */
function withDayFields(fields: readonly string[]): readonly string[] {
  const [dayOfMonth = "", dayOfWeek = ""] = [fields[dayOfMonthAt], fields[dayOfWeekAt]];
  const [anyMonthDay, anyWeekday] = [dayOfMonth, dayOfWeek].map((field) => field === "*" || field === "?");
  if (dayOfMonth === "?" && dayOfWeek === "?") {
    throw new ScheduleError(phrase`? can be used for the day of the month or the day of the week, not for both`);
  }
  if (anyMonthDay !== true && anyWeekday !== true) {
    throw new ScheduleError(
      phrase`it has a day of the month (${dayOfMonth}) and a day of the week (${dayOfWeek}); replace one of them with ?`,
    );
  }
  if (dayOfMonth === "?" || dayOfWeek === "?") {
    return fields;
  }
  return fields.with(anyMonthDay === true ? dayOfMonthAt : dayOfWeekAt, "?");
}

interface ReadField {
  readonly quartz: string;
  readonly plain: string;
}

function readField(field: string, kind: FieldKind, numbers: WeekdayNumbers): ReadField {
  const isDay = kind.field === "weekday" || kind.field === "monthDay";
  if (field === "*" || (field === "?" && isDay)) {
    return { quartz: field, plain: "*" };
  }
  const items = field.split(",").map((item) => readItem(item, kind, numbers));
  const plain = items.map((item) => item.plain).join(",");
  return { quartz: items.map((item) => item.quartz).join(","), plain };
}

function readItem(item: string, kind: FieldKind, numbers: WeekdayNumbers): ReadField {
  const special = kind === weekday ? readWeekday(item, numbers) : isDayOfMonthWord(item, kind) ? item : undefined;
  if (special !== undefined) {
    return typeof special === "string" ? { quartz: special, plain: special } : special;
  }
  const parts = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d{1,4}))?$/.exec(item);
  if (parts === null) {
    throw new ScheduleError(phrase`"${item}" isn't a valid ${kind.label}`);
  }
  const [, any, first = "", last, step] = parts;
  const width = step === undefined ? 1 : Number(step);
  if (width < 1 || width > kind.max) {
    throw new ScheduleError(phrase`"${item}" has an invalid step for the ${kind.label}`);
  }
  if (any !== undefined) {
    return { quartz: item, plain: item };
  }
  const from = valueIn(first, kind, numbers);
  const isWholeWeek = kind === weekday && numbers === "crontab" && from === 0 && last === "7";
  const open = isWholeWeek || (last === undefined && step !== undefined);
  const to = open ? kind.max : last === undefined ? from : valueIn(last, kind, numbers);
  const values = valuesBetween(from, to, width, kind);
  return { quartz: inWords(item, values, kind, last, step), plain: values.join(",") };
}

/**
 * Converts the weekday numbers of a crontab, which differ from those of Quartz, to names, which are the same in both.
 */
function inWords(item: string, values: readonly number[], kind: FieldKind, last?: string, step?: string): string {
  if (kind !== weekday) {
    return item;
  }
  const name = (value: number | undefined) => weekdays[value ?? 0] ?? item;
  return last !== undefined && step === undefined
    ? `${name(values[0])}-${name(values.at(-1))}`
    : values.map(name).join(",");
}

function isDayOfMonthWord(item: string, kind: FieldKind): boolean {
  if (kind.field !== "monthDay") {
    return false;
  }
  if (/^L-\d{1,2}W?$/.test(item)) {
    throw new ScheduleError(phrase`"${item}" isn't a valid day; enter a number, L, or LW`);
  }
  const nearest = /^(\d{1,2})W$/.exec(item)?.[1];
  return item === "L" || item === "LW" || (nearest !== undefined && Number(nearest) >= 1 && Number(nearest) <= 31);
}

/** Parses `L`, `FRIL`, `6L`, `FRI#3`, or `6#3`. */
function readWeekday(item: string, numbers: WeekdayNumbers): ReadField | undefined {
  if (item === "L") {
    return { quartz: "SAT", plain: "6" };
  }
  const [, day = "", last, nth] = /^(\d|[A-Z]{3})(?:(L)|#([1-5]))$/.exec(item) ?? [];
  if (last === undefined && nth === undefined) {
    return undefined;
  }
  const value = valueIn(day, weekday, numbers);
  return last === undefined
    ? { quartz: `${value + 1}#${nth}`, plain: `${value}#${nth}` }
    : { quartz: `${value + 1}L`, plain: `${value}#L` };
}

function valueIn(text: string, kind: FieldKind, numbers: WeekdayNumbers): number {
  const named = kind.names?.indexOf(text) ?? -1;
  if (named >= 0) {
    return named + kind.least;
  }
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  const isSundayAgain = kind === weekday && numbers === "crontab" && number === 7;
  const value = isSundayAgain ? 0 : kind === weekday && numbers === "quartz" ? number - 1 : number;
  if (!(value >= kind.least && value <= kind.max)) {
    const [least, max] = kind !== weekday ? [kind.least, kind.max] : numbers === "quartz" ? [1, 7] : [0, 7];
    throw new ScheduleError(phrase`"${text}" isn't a valid ${kind.label}; the range is ${least} to ${max}`);
  }
  return value;
}

/** The values of a range with a step. `FRI-MON` and `22-2` wrap around. */
function valuesBetween(from: number, to: number, step: number, kind: FieldKind): number[] {
  const span = kind.max - kind.least + 1;
  if (from > to && kind.field === "year") {
    throw new ScheduleError(phrase`the year range ${from} to ${to} is reversed`);
  }
  const length = to >= from ? to - from : to - from + span;
  return Array.from(
    { length: Math.floor(length / step) + 1 },
    (_, index) => kind.least + ((from - kind.least + index * step) % span),
  );
}
