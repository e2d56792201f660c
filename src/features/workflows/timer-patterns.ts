/** Weekdays as named in Quartz. */
export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
export type Weekday = (typeof weekdays)[number];

export const minuteSteps = [5, 10, 15, 20, 30] as const;

/** A time of day in the timer's zone. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** When a timer runs, in the terms of the form. */
export type TimerPattern =
  | { readonly type: "minutes"; readonly step: (typeof minuteSteps)[number] }
  | { readonly type: "hourly"; readonly minute: number }
  | { readonly type: "daily"; readonly at: TimeOfDay }
  | { readonly type: "weekly"; readonly at: TimeOfDay; readonly days: readonly Weekday[] }
  /** `day` is 1 to 31, or the month's last day. Months without that day are skipped. */
  | { readonly type: "monthly"; readonly at: TimeOfDay; readonly day: number | "last" }
  | { readonly type: "cron"; readonly cron: string };

/** The pattern as a Quartz expression with six fields, seconds first. */
export function cronOf(pattern: TimerPattern): string {
  switch (pattern.type) {
    case "minutes":
      return `0 0/${pattern.step} * ? * *`;
    case "hourly":
      return `0 ${pattern.minute} * ? * *`;
    case "daily":
      return `0 ${pattern.at.minute} ${pattern.at.hour} ? * *`;
    case "weekly":
      return `0 ${pattern.at.minute} ${pattern.at.hour} ? * ${weekdays.filter((day) => pattern.days.includes(day)).join(",")}`;
    case "monthly":
      return `0 ${pattern.at.minute} ${pattern.at.hour} ${pattern.day === "last" ? "L" : pattern.day} * ?`;
    case "cron":
      return pattern.cron;
  }
}

/** Parses a time of day such as `7`, `7:30`, `07:30`, or `19.30`; undefined for any other text. */
export function timeOfDay(text: string): TimeOfDay | undefined {
  const [, hourText = "", minuteText = "0"] = /^\s*(\d{1,2})(?:[:.](\d{2}))?\s*$/.exec(text) ?? [];
  const [hour, minute] = [Number(hourText), Number(minuteText)];
  return hourText === "" || hour > 23 || minute > 59 ? undefined : { hour, minute };
}

/** Formats a time of day as `07:05`. */
export function timeText({ hour, minute }: TimeOfDay): string {
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
}
