import * as vscode from "vscode";

/** A time in full with its zone, in the person's language; ISO 8601 or milliseconds since 1970. Undefined for no time. */
export function fullDate(value: string | number | null | undefined): string | undefined {
  if (value === null || value === undefined) {
    return undefined;
  }
  const time = new Date(typeof value === "string" && /^\d{12,}$/.test(value) ? Number(value) : value);
  if (Number.isNaN(time.getTime())) {
    return undefined;
  }
  return new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: "medium",
    timeStyle: "long",
  }).format(time);
}
