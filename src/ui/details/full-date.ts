import * as vscode from "vscode";
import { absoluteDate, isoDate } from "../format/dates.ts";

/**
 * Formats a time with its day and zone, in the user's language. Accepts ISO 8601 or milliseconds since 1970. Undefined
 * for no time.
 */
export function fullDate(value: string | number | null | undefined): string | undefined {
  return absoluteDate(isoDate(value), vscode.env.language);
}
