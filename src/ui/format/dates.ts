/** As `vscode.l10n.t`. */
export type Translate = (text: string, ...values: (string | number)[]) => string;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** An ISO 8601 time as its age: `now`, `5 min ago`, `3 h ago`, `12 d ago`, and years after that. Undefined for no time. */
export function relativeDate(
  iso: string | null | undefined,
  translate: Translate,
  now: number = Date.now(),
): string | undefined {
  const time = Date.parse(iso ?? "");
  if (Number.isNaN(time)) {
    return undefined;
  }
  const age = now - time;
  if (age < minute) {
    return translate("now");
  }
  if (age < hour) {
    return translate("{0} min ago", Math.floor(age / minute));
  }
  if (age < day) {
    return translate("{0} h ago", Math.floor(age / hour));
  }
  if (age < 365 * day) {
    return translate("{0} d ago", Math.floor(age / day));
  }
  return translate("{0} y ago", Math.floor(age / (365 * day)));
}

/** An ISO 8601 time in full with its zone, in the person's language and zone. Undefined for no time. */
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
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(time);
}

/** A time as the platform tells it, ISO 8601 or milliseconds since 1970 (also as digits), in ISO 8601. */
export function isoDate(value: string | number | null | undefined): string | undefined {
  const time = new Date(typeof value === "string" && /^\d{12,}$/.test(value) ? Number(value) : (value ?? ""));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
