import * as vscode from "vscode";
import { enterText, pickRow, unlessCanceled } from "./show-input.ts";
import { dateFromText, lastDaysUntil, type Period, textFromDate } from "./typed-dates.ts";

interface PeriodItem extends vscode.QuickPickItem {
  readonly period: Period | "typed";
}

/** Asks for a period: a predefined one, or two typed dates. If canceled, the period doesn't change. */
export async function askPeriod(title: string, before: Period): Promise<Period> {
  const now = new Date();
  const items: readonly PeriodItem[] = [
    { label: vscode.l10n.t("Any Time"), period: {} },
    { label: vscode.l10n.t("Today"), period: lastDaysUntil(now, 1) },
    { label: vscode.l10n.t("Last 7 Days"), period: lastDaysUntil(now, 7) },
    { label: vscode.l10n.t("Last 30 Days"), period: lastDaysUntil(now, 30) },
    { label: vscode.l10n.t("Between Two Dates…"), period: "typed" },
  ];
  const chosen = await unlessCanceled(pickRow(items, { title, placeHolder: periodText(before) }));
  if (chosen === undefined) {
    return before;
  }
  return chosen.period === "typed" ? askDates(title, before) : chosen.period;
}

async function askDates(title: string, before: Period): Promise<Period> {
  const from = await askDate(
    title,
    vscode.l10n.t("Start, such as 2026-11-18 or 2026-11-18 07:30. Leave empty for no start."),
    {
      edge: "start",
      before: before.from,
      after: undefined,
    },
  );
  if (from === undefined) {
    return before;
  }
  const to = await askDate(
    title,
    vscode.l10n.t("End, such as 2026-11-18 or 2026-11-18 07:30. Leave empty for no end."),
    {
      edge: "end",
      before: before.to,
      after: from.iso,
    },
  );
  return to === undefined ? before : { from: from.iso, to: to.iso };
}

interface DateOptions {
  readonly edge: "start" | "end";
  readonly before: string | undefined;
  /** The date must not be earlier. */
  readonly after: string | undefined;
}

/** Asks for a date; undefined if the user cancels. */
async function askDate(
  title: string,
  prompt: string,
  { edge, before, after }: DateOptions,
): Promise<{ readonly iso: string | undefined } | undefined> {
  const result = enterText({
    title,
    prompt,
    value: textFromDate(before),
    validateInput: (typed) => {
      const date = dateFromText(typed, edge);
      if (typed.trim() === "") {
        return undefined;
      }
      if (date === undefined) {
        return vscode.l10n.t("Enter a date such as 2026-11-18, or a date and time such as 2026-11-18 07:30.");
      }
      return after !== undefined && date.getTime() < Date.parse(after)
        ? vscode.l10n.t("The end can't be before the start, {0}.", textFromDate(after))
        : undefined;
    },
  });
  const text = await unlessCanceled(result);
  return text === undefined ? undefined : { iso: dateFromText(text, edge)?.toISOString() };
}

/** Describes a period in the user's language and time zone. */
export function periodText({ from, to }: Period): string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: "medium", timeStyle: "short" });
  if (from !== undefined && to !== undefined) {
    return format.formatRange(new Date(from), new Date(to));
  }
  if (from !== undefined) {
    return vscode.l10n.t("since {0}", format.format(new Date(from)));
  }
  return to === undefined ? vscode.l10n.t("any time") : vscode.l10n.t("until {0}", format.format(new Date(to)));
}
