import { isoDate } from "../format/dates.ts";

/** A period; ISO 8601, both ends included. An omitted end is unlimited. */
export interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const form = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2}))?$/;

/**
 * Parses `2026-11-18` or `2026-11-18 07:30` in this machine's time zone. A day without a time is its first moment for a
 * start, and its last moment for an end. Undefined for other text and for times that don't exist.
 */
export function dateFromText(text: string, edge: "start" | "end"): Date | undefined {
  const [, year = "", month = "", day = "", hour, minute] = form.exec(text.trim()) ?? [];
  if (year === "") {
    return undefined;
  }
  const [hours, minutes] = hour === undefined ? [0, 0] : [Number(hour), Number(minute)];
  const date = new Date(Number(year), Number(month) - 1, Number(day), hours, minutes);
  const exists = date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) && hours < 24 && minutes < 60;
  if (!exists) {
    return undefined;
  }
  if (edge === "end") {
    const next =
      hour === undefined ? new Date(Number(year), Number(month) - 1, Number(day) + 1) : date.getTime() + 60_000;
    return new Date(Number(next) - 1);
  }
  return date;
}

/** The time in the format that `dateFromText` parses, in this machine's time zone; empty for none. */
export function textFromDate(iso: string | undefined): string {
  const date = new Date(iso ?? "");
  if (Number.isNaN(date.getTime())) {
    return "";
  }
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The period of this number of days up to now, including today. */
export function lastDaysUntil(now: Date, days: number): Period {
  return { from: new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1)).toISOString() };
}

/** True if a time is within the period. An unknown time is only within an unlimited period. */
export function isWithin(time: string | number | null | undefined, { from, to }: Period): boolean {
  if (from === undefined && to === undefined) {
    return true;
  }
  const moment = Date.parse(isoDate(time) ?? "");
  return (
    !Number.isNaN(moment) &&
    (from === undefined || moment >= Date.parse(from)) &&
    (to === undefined || moment <= Date.parse(to))
  );
}
