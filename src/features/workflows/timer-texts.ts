import * as vscode from "vscode";
import type { UpcomingRun } from "../../api/families/schedule.ts";
import { runDate, runTime } from "../../ui/format/dates.ts";

/** An upcoming run of a timer in the zone of its schedule, or why it is skipped. */
export function upcomingText({ at, isSkipped }: UpcomingRun, timeZone: string): string {
  const { language } = vscode.env;
  return isSkipped
    ? vscode.l10n.t(
        "{0}: skipped, because this time doesn't exist when the clocks are put forward",
        runDate(at, timeZone, language),
      )
    : runTime(at, timeZone, language);
}
