type TimeUnit = "second" | "minute" | "hour" | "day";

const lengths: Readonly<Record<TimeUnit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const pairs = [
  ["day", "hour"],
  ["hour", "minute"],
  ["minute", "second"],
] as const;
const oneFractionDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** A duration in its two largest units: `0.4s`, `36s`, `5m 12s`, `1h 30m`, `2d 4h`. */
export function duration(milliseconds: number, language: string | undefined): string {
  if (milliseconds < lengths.second) {
    return timeText(Math.max(0, milliseconds) / lengths.second, "second", language, oneFractionDigit);
  }
  const rounded = Math.round(milliseconds / lengths.second) * lengths.second;
  const pair = pairs.find(([unit]) => rounded >= lengths[unit]);
  if (pair === undefined) {
    return timeText(rounded / lengths.second, "second", language);
  }
  const [big, small] = pair;
  const rest = Math.floor((rounded % lengths[big]) / lengths[small]);
  const whole = timeText(Math.floor(rounded / lengths[big]), big, language);
  // Intl.DurationFormat is missing from the Node 22 that the editor's server runs on.
  const list = new Intl.ListFormat(language, { type: "unit", style: "narrow" });
  return list.format(rest === 0 ? [whole] : [whole, timeText(rest, small, language)]);
}

/** A number of time units: `24h`. */
export function timeText(
  value: number,
  unit: TimeUnit,
  language: string | undefined,
  options: Intl.NumberFormatOptions = {},
): string {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "narrow", ...options }).format(value);
}

/** Formats bytes: `812 bytes`, `4.1 KB`, `12.5 MB`. */
export function sizeText(bytes: number, language: string | undefined): string {
  if (bytes < 1000) {
    return new Intl.NumberFormat(language, { style: "unit", unit: "byte", unitDisplay: "long" }).format(bytes);
  }
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  const text = new Intl.NumberFormat(language, { style: "unit", unit, useGrouping: false, ...oneFractionDigit });
  // Intl writes kB; editors and operating systems write KB.
  return text.format(value).replace("kB", "KB");
}

/**
 * Formats bytes of memory: `812 MB`, `1.2 GB`. As in task managers and in the sizes of workspaces, 1 GB of memory is
 * 1024 MB.
 */
export function memoryText(bytes: number, language: string | undefined): string {
  const megabytes = bytes / 2 ** 20;
  // What would be shown as 1,000 MB or more.
  return megabytes >= 999.5
    ? new Intl.NumberFormat(language, { style: "unit", unit: "gigabyte", ...oneFractionDigit }).format(megabytes / 1024)
    : new Intl.NumberFormat(language, { style: "unit", unit: "megabyte", maximumFractionDigits: 0 }).format(megabytes);
}

/** A share of a whole in percent: `35%`. */
export function shareText(share: number, language: string | undefined): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share);
}
