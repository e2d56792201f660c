import * as vscode from "vscode";
import { readTimer } from "../../api/families/workflows.ts";
import { askChoice, askSeveral, askText, type StepResult } from "../../ui/quick-input/step-inputs.ts";
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
import { runTime } from "./words.ts";

/** A timer as far as the person has built it. */
export interface TimerForm {
  readonly kind: PatternKind;
  readonly timeZone: string;
  readonly at: TimeOfDay;
  readonly step: (typeof minuteSteps)[number];
  readonly minute: number;
  readonly days: readonly Weekday[];
  readonly day: number | "last";
  readonly cron: string;
}

type PatternKind = "minutes" | "hourly" | "daily" | "workdays" | "weekly" | "monthly" | "cron";
type TimerStep = "kind" | "zone" | "every" | "minute" | "days" | "day" | "time" | "cron" | "preview";

const stepsOfKind: Readonly<Record<PatternKind, readonly TimerStep[]>> = {
  minutes: ["every"],
  hourly: ["minute"],
  daily: ["time"],
  workdays: ["time"],
  weekly: ["days", "time"],
  monthly: ["day", "time"],
  cron: ["cron"],
};
const workdays: readonly Weekday[] = ["MON", "TUE", "WED", "THU", "FRI"];
const runsShown = 5;

export function emptyTimer(timeZone: string): TimerForm {
  return {
    ...{ kind: "daily", timeZone, at: { hour: 7, minute: 0 }, step: 15, minute: 0, days: ["MON"], day: 1 },
    cron: "0 0 7 ? * *",
  };
}

/** The steps that this form needs. */
export function timerSteps({ kind }: TimerForm): readonly TimerStep[] {
  return ["kind", "zone", ...stepsOfKind[kind], "preview"];
}

/** The form's schedule as a cron expression. */
export function timerCron(form: TimerForm): string {
  return cronOf(patternOf(form));
}

function patternOf({ kind, at, step, minute, days, day, cron }: TimerForm): TimerPattern {
  switch (kind) {
    case "minutes":
      return { type: "minutes", step };
    case "hourly":
      return { type: "hourly", minute };
    case "daily":
      return { type: "daily", at };
    case "workdays":
      return { type: "weekly", at, days: workdays };
    case "weekly":
      return { type: "weekly", at, days };
    case "monthly":
      return { type: "monthly", at, day };
    case "cron":
      return { type: "cron", cron };
  }
}

/** Where a step stands in the whole flow. */
export interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

/** Asks one step and gives the form with its answer. */
export async function askTimerStep(step: TimerStep, form: TimerForm, place: Place): Promise<StepResult<TimerForm>> {
  const { readSchedule } = await import("../../api/families/schedule.ts");
  /** What is wrong with a schedule, or when it runs next: shown while it is typed. */
  const upcoming = (changed: TimerForm, count: number): string | vscode.InputBoxValidationMessage => {
    const reading = readSchedule(timerCron(changed), changed.timeZone);
    if (!reading.valid) {
      return reading.reason;
    }
    const runs = reading.schedule.nextRuns(count).map((time) => runTime(time, changed.timeZone, vscode.env.language));
    return {
      message: vscode.l10n.t("Next runs: {0}", runs.join("; ")),
      severity: vscode.InputBoxValidationSeverity.Info,
    };
  };
  switch (step) {
    case "kind":
      return withAnswer(form, "kind", await askKind(form, place));
    case "zone":
      return withAnswer(form, "timeZone", await askZone(form, place));
    case "every":
      return withAnswer(
        form,
        "step",
        await askChoice({
          ...place,
          placeholder: vscode.l10n.t("How often it runs"),
          items: minuteSteps.map((value) => ({ label: vscode.l10n.t("Every {0} minutes", value), value })),
          isActive: (value) => value === form.step,
        }),
      );
    case "minute": {
      const minute = (text: string): number | undefined =>
        /^\s*\d{1,2}\s*$/.test(text) && Number(text) < 60 ? Number(text) : undefined;
      const answer = await askText({
        ...place,
        prompt: vscode.l10n.t("Minutes after the full hour, in {0}", form.timeZone),
        placeholder: "0",
        value: String(form.minute),
        validate: (text) => {
          const value = minute(text);
          return value === undefined
            ? vscode.l10n.t("Type a number from 0 to 59.")
            : upcoming({ ...form, minute: value }, runsShown);
        },
      });
      return answer.type === "back" ? answer : { type: "next", value: { ...form, minute: minute(answer.value) ?? 0 } };
    }
    case "days":
      return withAnswer(form, "days", await askDays(form, place));
    case "day":
      return withAnswer(form, "day", await askDay(form, place));
    case "time": {
      const answer = await askText({
        ...place,
        prompt: vscode.l10n.t("Time of day in {0}", form.timeZone),
        placeholder: "07:30",
        value: timeText(form.at),
        validate: (text) => {
          const at = timeOfDay(text);
          return at === undefined
            ? vscode.l10n.t("Type a time from 00:00 to 23:59, as 07:30.")
            : upcoming({ ...form, at }, runsShown);
        },
      });
      return answer.type === "back"
        ? answer
        : { type: "next", value: { ...form, at: timeOfDay(answer.value) ?? form.at } };
    }
    case "cron": {
      const answer = await askText({
        ...place,
        prompt: vscode.l10n.t("Cron expression: second minute hour day month weekday, in {0}", form.timeZone),
        placeholder: "0 0 7 ? * MON-FRI",
        value: form.cron,
        validate: (text) => upcoming({ ...form, cron: text.trim() }, runsShown),
      });
      return withAnswer(form, "cron", answer);
    }
    case "preview":
      return askPreview(form, place);
  }
}

function withAnswer<Name extends keyof TimerForm>(
  form: TimerForm,
  name: Name,
  answer: StepResult<TimerForm[Name]>,
): StepResult<TimerForm> {
  return answer.type === "back" ? answer : { type: "next", value: { ...form, [name]: answer.value } };
}

function askKind({ kind }: TimerForm, place: Place): Promise<StepResult<PatternKind>> {
  const kinds: readonly (readonly [PatternKind, string, string])[] = [
    ["daily", vscode.l10n.t("Every Day"), vscode.l10n.t("at a time of day")],
    ["workdays", vscode.l10n.t("Every Weekday"), vscode.l10n.t("Monday to Friday at a time of day")],
    ["weekly", vscode.l10n.t("Every Week"), vscode.l10n.t("on days of the week")],
    ["monthly", vscode.l10n.t("Every Month"), vscode.l10n.t("on a day of the month")],
    ["hourly", vscode.l10n.t("Every Hour"), vscode.l10n.t("at some minutes after the full hour")],
    ["minutes", vscode.l10n.t("Every Few Minutes"), ""],
    ["cron", vscode.l10n.t("Cron Expression"), vscode.l10n.t("typed, with six fields or five")],
  ];
  return askChoice({
    ...place,
    placeholder: vscode.l10n.t("How often the workflow runs"),
    items: kinds.map(([value, label, description]) => ({ label, description, value })),
    isActive: (value) => value === kind,
  });
}

function askZone({ timeZone }: TimerForm, place: Place): Promise<StepResult<string>> {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([timeZone, own, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return askChoice({
    ...place,
    placeholder: vscode.l10n.t("Time zone of the schedule"),
    items: zones.map((value) => ({
      label: value,
      description: [offsetOf(value), value === own ? vscode.l10n.t("this computer") : ""]
        .filter((part) => part !== "")
        .join(" · "),
      value,
    })),
    isActive: (value) => value === timeZone,
  });
}

/** `GMT+01:00`, as it is now. */
function offsetOf(timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

function askDays({ days }: TimerForm, place: Place): Promise<StepResult<readonly Weekday[]>> {
  const format = new Intl.DateTimeFormat(vscode.env.language, { weekday: "long", timeZone: "UTC" });
  return askSeveral({
    ...place,
    placeholder: vscode.l10n.t("Days of the week"),
    // 5 January 2026 was a Monday.
    items: weekdays.map((value, index) => ({ label: format.format(Date.UTC(2026, 0, 5 + index)), value })),
    isActive: (value) => days.includes(value),
  });
}

function askDay({ day }: TimerForm, place: Place): Promise<StepResult<number | "last">> {
  const numbers = Array.from({ length: 31 }, (_, index) => index + 1);
  return askChoice<number | "last">({
    ...place,
    placeholder: vscode.l10n.t("Day of the month"),
    items: [
      ...numbers.map((value) => ({
        label: vscode.l10n.t("Day {0}", value),
        description: value > 28 ? vscode.l10n.t("not in every month") : "",
        value,
      })),
      { label: vscode.l10n.t("Last Day"), value: "last" },
    ],
    isActive: (value) => value === day,
  });
}

async function askPreview(form: TimerForm, place: Place): Promise<StepResult<TimerForm>> {
  const reading = await readTimer(timerCron(form), form.timeZone);
  const runs = reading.valid ? reading.schedule.nextRuns(runsShown) : [];
  for (;;) {
    const answer = await askChoice<boolean>({
      ...place,
      placeholder: vscode.l10n.t("{0} in {1}", timerCron(form), form.timeZone),
      items: [
        { label: vscode.l10n.t("Create Trigger"), iconPath: new vscode.ThemeIcon("check"), value: true },
        {
          label: vscode.l10n.t("Next runs in {0}", form.timeZone),
          kind: vscode.QuickPickItemKind.Separator,
          value: false,
        },
        ...runs.map((time) => ({ label: runTime(time, form.timeZone, vscode.env.language), value: false })),
      ],
      isActive: (value) => value,
    });
    if (answer.type === "back") {
      return answer;
    }
    // The runs are there to be read.
    if (answer.value) {
      return { type: "next", value: form };
    }
  }
}
