import * as vscode from "vscode";
import type { ParsedSchedule, Schedule } from "../../api/families/schedule.ts";
import { localizedText } from "../../tenants/error-text.ts";
import {
  askChoice,
  type ChoiceOptions,
  choice,
  type ParsedText,
  type SeveralOptions,
  several,
  text,
} from "../../ui/quick-input/questions.ts";
import { type Question, Steps } from "../../ui/quick-input/wizard.ts";
import {
  cronOf,
  minuteSteps,
  type TimeOfDay,
  type TimerPattern,
  timeOfDay,
  timeText,
  type Weekday,
  weekdays,
} from "./timer-patterns.ts";
import { upcomingText } from "./timer-texts.ts";

/** The schedule of a timer: a cron expression, as it is sent, in an IANA time zone. */
export interface Timer {
  readonly cron: string;
  readonly timeZone: string;
}

type PatternKind = "minutes" | "hourly" | "daily" | "workdays" | "weekly" | "monthly" | "cron";

interface InZone {
  readonly timeZone: string;
}

/** A pattern without its time of day. */
interface AtTime extends InZone {
  readonly patternAt: (at: TimeOfDay) => TimerPattern;
}

type PatternSteps = Steps<{ readonly pattern: TimerPattern }>;

const workdays: readonly Weekday[] = ["MON", "TUE", "WED", "THU", "FRI"];
const runsShown = 5;

/** The steps that create a timer, from its frequency to a preview of its next runs. */
export function timerSteps(
  firstZone: string,
  readSchedule: (cron: string, timeZone: string) => ParsedSchedule,
  cronAsSent: (typed: string, schedule: Schedule) => string,
): Steps<{ readonly timer: Timer }> {
  /** A value with its next runs as a remark, or an error in its schedule. */
  const upcoming = <Value>(value: Value, pattern: TimerPattern, timeZone: string): ParsedText<Value> => {
    const reading = readSchedule(cronOf(pattern), timeZone);
    return reading.valid
      ? { valid: true, value, remark: vscode.l10n.t("Next runs: {0}", nextRuns(reading).join("; ")) }
      : { valid: false, reason: localizedText(reading.reason) };
  };
  const nextRuns = (reading: ParsedSchedule): readonly string[] =>
    reading.valid
      ? reading.schedule.upcoming(runsShown).map((run) => upcomingText(run, reading.schedule.timeZone))
      : [];
  const stepsFor = patternSteps(upcoming);
  return Steps.from({})
    .step(choice(kindOptions), (kind) => ({ kind }))
    .step(
      choice(() => zoneOptions(firstZone)),
      (timeZone) => ({ timeZone }),
    )
    .branch(({ kind, timeZone }) => stepsFor[kind](timeZone), 1)
    .step(
      previewQuestion(
        ({ cron, timeZone }) => nextRuns(readSchedule(cron, timeZone)),
        ({ cron, timeZone }) => {
          const reading = readSchedule(cron, timeZone);
          return { cron: reading.valid ? cronAsSent(cron, reading.schedule) : cron, timeZone };
        },
      ),
      (timer) => ({ timer }),
    );
}

/** The steps of each kind of pattern. A question that several kinds share starts with its answer from another kind. */
function patternSteps(
  upcoming: <Value>(value: Value, pattern: TimerPattern, timeZone: string) => ParsedText<Value>,
): Readonly<Record<PatternKind, (timeZone: string) => PatternSteps>> {
  const every = choice<InZone, (typeof minuteSteps)[number]>(() => ({
    placeholder: vscode.l10n.t("Choose how often it runs"),
    items: minuteSteps.map((value) => ({ label: vscode.l10n.t("Every {0} minutes", value), value })),
    initial: 15,
  }));
  const minuteOfHour = text(({ timeZone }: InZone) => ({
    prompt: vscode.l10n.t("Minutes past the hour, in {0}", timeZone),
    placeholder: "0",
    initial: "0",
    read: (typed) => {
      const minute = Number(typed);
      return /^\d{1,2}$/.test(typed) && minute < 60
        ? upcoming(minute, { type: "hourly", minute }, timeZone)
        : { valid: false, reason: vscode.l10n.t("Enter a number from 0 to 59.") };
    },
  }));
  const time = text(({ timeZone, patternAt }: AtTime) => ({
    prompt: vscode.l10n.t("Time of day in {0}", timeZone),
    placeholder: "07:30",
    initial: timeText({ hour: 7, minute: 0 }),
    read: (typed) => {
      const at = timeOfDay(typed);
      return at === undefined
        ? { valid: false, reason: vscode.l10n.t("Enter a time from 00:00 to 23:59, such as 07:30.") }
        : upcoming(at, patternAt(at), timeZone);
    },
  }));
  const days = several(dayOfWeekOptions);
  const dayOfMonth = choice(dayOfMonthOptions);
  const expression = text(({ timeZone }: InZone) => ({
    prompt: vscode.l10n.t("Cron expression: second minute hour day month weekday, in {0}", timeZone),
    placeholder: "0 0 7 ? * MON-FRI",
    initial: "0 0 7 ? * *",
    read: (cron) => upcoming(cron, { type: "cron", cron }, timeZone),
  }));
  const withTime = (steps: Steps<AtTime>): PatternSteps =>
    steps.step(time, (at, { patternAt }) => ({ pattern: patternAt(at) }));
  const from = Steps.from<InZone>;
  return {
    minutes: (timeZone) => from({ timeZone }).step(every, (step) => ({ pattern: { type: "minutes", step } })),
    hourly: (timeZone) => from({ timeZone }).step(minuteOfHour, (minute) => ({ pattern: { type: "hourly", minute } })),
    daily: (timeZone) => withTime(Steps.from({ timeZone, patternAt: (at) => ({ type: "daily", at }) })),
    workdays: (timeZone) =>
      withTime(Steps.from({ timeZone, patternAt: (at) => ({ type: "weekly", at, days: workdays }) })),
    weekly: (timeZone) =>
      withTime(
        from({ timeZone }).step(days, (chosen) => ({ patternAt: (at) => ({ type: "weekly", at, days: chosen }) })),
      ),
    monthly: (timeZone) =>
      withTime(from({ timeZone }).step(dayOfMonth, (day) => ({ patternAt: (at) => ({ type: "monthly", at, day }) }))),
    cron: (timeZone) => from({ timeZone }).step(expression, (cron) => ({ pattern: { type: "cron", cron } })),
  };
}

function kindOptions(): ChoiceOptions<PatternKind> {
  return {
    placeholder: vscode.l10n.t("Choose how often the workflow runs"),
    items: [
      { label: vscode.l10n.t("Every Day"), description: vscode.l10n.t("at a set time"), value: "daily" },
      {
        label: vscode.l10n.t("Every Weekday"),
        description: vscode.l10n.t("Monday to Friday at a set time"),
        value: "workdays",
      },
      { label: vscode.l10n.t("Every Week"), description: vscode.l10n.t("on selected days"), value: "weekly" },
      { label: vscode.l10n.t("Every Month"), description: vscode.l10n.t("on a set day"), value: "monthly" },
      {
        label: vscode.l10n.t("Every Hour"),
        description: vscode.l10n.t("at a number of minutes past the hour"),
        value: "hourly",
      },
      { label: vscode.l10n.t("Every Few Minutes"), value: "minutes" },
      {
        label: vscode.l10n.t("Cron Expression"),
        description: vscode.l10n.t("with five or six fields"),
        value: "cron",
      },
    ],
  };
}

function zoneOptions(initial: string): ChoiceOptions<string> {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([initial, own, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return {
    placeholder: vscode.l10n.t("Time zone of the schedule"),
    items: zones.map((value) => ({
      label: value,
      description: [offsetOf(value), value === own ? vscode.l10n.t("this computer") : ""]
        .filter((part) => part !== "")
        .join(" · "),
      value,
    })),
  };
}

/** The current offset, such as `GMT+01:00`. */
function offsetOf(timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

function dayOfWeekOptions(): SeveralOptions<Weekday> {
  const format = new Intl.DateTimeFormat(vscode.env.language, { weekday: "long", timeZone: "UTC" });
  return {
    placeholder: vscode.l10n.t("Days of the week"),
    // January 5, 2026 was a Monday.
    items: weekdays.map((value, index) => ({ label: format.format(Date.UTC(2026, 0, 5 + index)), value })),
    initial: ["MON"],
  };
}

function dayOfMonthOptions(): ChoiceOptions<number | "last"> {
  const numbers = Array.from({ length: 31 }, (_, index) => index + 1);
  return {
    placeholder: vscode.l10n.t("Day of the month"),
    items: [
      ...numbers.map((value) => ({
        label: vscode.l10n.t("Day {0}", value),
        description: value > 28 ? vscode.l10n.t("not in every month") : "",
        value,
      })),
      { label: vscode.l10n.t("Last Day"), value: "last" },
    ],
  };
}

/** Shows the next runs for information only. Choosing one asks again. */
function previewQuestion(
  runsOf: (timer: Timer) => readonly string[],
  asSent: (timer: Timer) => Timer,
): Question<InZone & { readonly pattern: TimerPattern }, Timer> {
  return async ({ pattern, timeZone }, place) => {
    const timer = asSent({ cron: cronOf(pattern), timeZone });
    for (;;) {
      const response = await askChoice(place, {
        placeholder: vscode.l10n.t("{0} in {1}", timer.cron, timer.timeZone),
        items: [
          { label: vscode.l10n.t("Create Trigger"), iconPath: new vscode.ThemeIcon("check"), value: true },
          {
            label: vscode.l10n.t("Next runs in {0}", timer.timeZone),
            kind: vscode.QuickPickItemKind.Separator,
            value: false,
          },
          ...runsOf(timer).map((label) => ({ label, value: false })),
        ],
      });
      if (response.type === "back") {
        return response;
      }
      if (response.value) {
        return { type: "next", value: timer };
      }
    }
  };
}
