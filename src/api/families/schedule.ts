import { Cron } from "croner";
import { readQuartz, ScheduleFault } from "./quartz-fields.ts";

/** When something runs: a Quartz expression within an IANA time zone. */
export interface Schedule {
  /** Six or seven fields, seconds first, as the platform takes it. */
  readonly cron: string;
  readonly timeZone: string;
  /** The next times after a moment, at most that many; fewer where the schedule ends. */
  nextRuns(count: number, after?: Date): readonly Date[];
}

export type ScheduleReading =
  | { readonly valid: true; readonly schedule: Schedule }
  | { readonly valid: false; readonly field: "cron" | "timeZone"; readonly reason: string };

/**
 * Reads a cron expression (six or seven fields as Quartz has them, or five without seconds) within a time zone. A
 * schedule that never runs is not valid.
 */
export function readSchedule(cron: string, timeZone: string): ScheduleReading {
  if (!isTimeZone(timeZone)) {
    return { valid: false, field: "timeZone", reason: `"${timeZone}" is no IANA time zone, as Europe/Berlin is one` };
  }
  try {
    const { quartz, plain } = readQuartz(cron);
    const job = new Cron(plain, { timezone: timeZone, paused: true, mode: "6-or-7-parts" });
    if (job.nextRun() === null) {
      return { valid: false, field: "cron", reason: `"${cron}" never runs again` };
    }
    const nextRuns = (count: number, after = new Date()) => job.nextRuns(count, after);
    return { valid: true, schedule: { cron: quartz, timeZone, nextRuns } };
  } catch (error) {
    if (error instanceof ScheduleFault || error instanceof TypeError || error instanceof RangeError) {
      return { valid: false, field: "cron", reason: error.message };
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
