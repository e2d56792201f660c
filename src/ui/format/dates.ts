/** As in VS Code's own lists, a month has 30 days. */
const units = [
  ["year", 365 * 24 * 60 * 60_000],
  ["month", 30 * 24 * 60 * 60_000],
  ["week", 7 * 24 * 60 * 60_000],
  ["day", 24 * 60 * 60_000],
  ["hour", 60 * 60_000],
  ["minute", 60_000],
] as const;

/** An ISO 8601 time as its age: `now`, `5m ago`, `3h ago`, `4d ago`, `2w ago`, `3mo ago`, `2y ago`. Undefined for no time. */
export function relativeDate(
  iso: string | null | undefined,
  language: string | undefined,
  now: number = Date.now(),
): string | undefined {
  const time = Date.parse(iso ?? "");
  if (Number.isNaN(time)) {
    return undefined;
  }
  const age = now - time;
  const [unit, length] = units.find(([, milliseconds]) => age >= milliseconds) ?? [undefined, 1];
  return unit === undefined
    ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(0, "second")
    : new Intl.RelativeTimeFormat(language, { style: "narrow" }).format(-Math.floor(age / length), unit);
}

/** The format of every absolute time, in addition to its day: hour, minute, and time zone. */
const timeWithZone = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;

/** An ISO 8601 time with its day and zone, in the user's language and zone. Undefined for no time. */
export function absoluteDate(
  iso: string | null | undefined,
  language: string | undefined,
  timeZone?: string,
): string | undefined {
  const time = Date.parse(iso ?? "");
  if (Number.isNaN(time)) {
    return undefined;
  }
  return new Intl.DateTimeFormat(language, {
    year: "numeric",
    month: "short",
    day: "numeric",
    ...timeWithZone,
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(time);
}

/**
 * The time of an upcoming run in the zone of its schedule: `Mon, Nov 23, 7:30 AM GMT+1`. In another year than this,
 * with its year.
 */
export function runTime(time: Date, timeZone: string, language: string | undefined, now: number = Date.now()): string {
  return new Intl.DateTimeFormat(language, { ...runDay(time, timeZone, now), ...timeWithZone }).format(time);
}

/** The day of an upcoming run, in the same way: `Mon, Nov 23`. */
export function runDate(time: Date, timeZone: string, language: string | undefined, now: number = Date.now()): string {
  return new Intl.DateTimeFormat(language, runDay(time, timeZone, now)).format(time);
}

function runDay(time: Date, timeZone: string, now: number): Intl.DateTimeFormatOptions {
  const yearOf = (one: number | Date): string =>
    new Intl.DateTimeFormat("en", { year: "numeric", timeZone }).format(one);
  return {
    weekday: "short",
    month: "short",
    day: "numeric",
    ...(yearOf(time) === yearOf(now) ? {} : { year: "numeric" as const }),
    timeZone,
  };
}

/** A time of today without its day: `7:51 PM`. Undefined for no time and for other days. */
export function timeToday(
  iso: string | null | undefined,
  language: string | undefined,
  now: number = Date.now(),
): string | undefined {
  const time = new Date(iso ?? "");
  return time.toDateString() === new Date(now).toDateString()
    ? new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(time)
    : undefined;
}

/** A time of the platform (ISO 8601, or milliseconds since 1970 as a number or digits) as ISO 8601. */
export function isoDate(value: string | number | null | undefined): string | undefined {
  const time = new Date(typeof value === "string" && /^\d{12,}$/.test(value) ? Number(value) : (value ?? ""));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
