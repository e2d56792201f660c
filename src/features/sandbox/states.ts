import * as vscode from "vscode";
import { isoDate, relativeDate } from "../../ui/format/dates.ts";
import { constantWords, nonBlank } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { type CardParts, cardDate, type ItemParts } from "../../ui/tree/presentation.ts";

/** The common fields of a commit, a commit request, and a promotion. */
export interface Work {
  readonly status?: string | null | undefined;
  readonly started?: string | number | null | undefined;
  readonly completed?: string | number | null | undefined;
}

/** The state of requested work. */
type WorkState = "waiting" | "running" | "done" | "warned" | "failed" | "unknown";

const states: Readonly<Record<string, WorkState>> = {
  QUEUED: "waiting",
  PENDING: "waiting",
  WAITING: "waiting",
  CREATED: "waiting",
  PROCESSING: "running",
  IN_PROGRESS: "running",
  RUNNING: "running",
  STARTED: "running",
  COMPLETED: "done",
  SUCCESS: "done",
  SUCCEEDED: "done",
  COMPLETED_WITH_WARNINGS: "warned",
  FAILED: "failed",
  FAILURE: "failed",
  ERROR: "failed",
  CANCELLED: "failed",
};

/** The state from the platform's status or, without one, from the start and end times. */
export function workState({ status, started, completed }: Work): WorkState {
  const known = states[(status ?? "").toUpperCase()];
  const hasEnded = completed !== undefined && completed !== null;
  return known ?? (hasEnded ? "done" : started === undefined || started === null ? "unknown" : "running");
}

export function isUnderWay(work: Work): boolean {
  return ["waiting", "running"].includes(workState(work));
}

/** The state's codicon and theme color. */
export const workLooks: Readonly<Record<WorkState, { readonly icon: string; readonly color: string | undefined }>> = {
  waiting: { icon: "watch", color: "charts.yellow" },
  running: { icon: "sync~spin", color: "charts.yellow" },
  done: { icon: "pass", color: "testing.iconPassed" },
  warned: { icon: "warning", color: "list.warningForeground" },
  failed: { icon: "error", color: "testing.iconFailed" },
  unknown: { icon: "circle-outline", color: undefined },
};

/** The state in words. */
export function workWord(state: WorkState): string {
  switch (state) {
    case "waiting":
      return vscode.l10n.t("waiting");
    case "running":
      return vscode.l10n.t("running");
    case "done":
      return vscode.l10n.t("completed");
    case "warned":
      return vscode.l10n.t("completed with warnings");
    case "failed":
      return vscode.l10n.t("failed");
    case "unknown":
      return vscode.l10n.t("unknown state");
  }
}

/** The platform's own word for the state. */
export function stateWords({ status }: { readonly status?: string | null | undefined }): string | undefined {
  return status === null || status === undefined ? undefined : constantWords(status, vscode.l10n.t);
}

/** Sorts even if the platform ignores the requested order. */
export function newestFirst<Item extends Work>(items: readonly Item[]): readonly Item[] {
  const startOf = ({ started }: Item): string => isoDate(started) ?? "";
  return items.toSorted((one, other) => startOf(other).localeCompare(startOf(one)));
}

/** How the row of a commit, a commit request, or a promotion looks. */
export function workItem(
  type: string,
  work: Work & { readonly created?: string | number | null | undefined },
  label: string,
  summary: string | null | undefined,
  calmIcon?: string,
): ItemParts {
  const state = workState(work);
  const { icon, color } = workLooks[state];
  const isCalm = calmIcon !== undefined && (state === "done" || state === "unknown");
  const age = relativeDate(isoDate(work.completed ?? work.started ?? work.created), vscode.env.language);
  const description = [nonBlank(summary), age].filter(Boolean).join(" · ");
  return {
    label,
    description,
    icon: isCalm ? calmIcon : icon,
    color: isCalm ? undefined : color,
    contextValue: `${type}.${state}`,
    accessibilityLabel: [label, workWord(state), description].filter(Boolean).join(", "),
  };
}

/** The card of a commit, a commit request, or a promotion. */
export function workCard(
  work: Work & { readonly summary?: string | null | undefined; readonly hidden?: boolean | null | undefined },
  { name, id }: PlatformResource,
  { target }: { readonly target?: string | undefined } = {},
): CardParts {
  return {
    name,
    description: work.summary ?? undefined,
    lines: [
      [vscode.l10n.t("State"), workWord(workState(work))],
      [vscode.l10n.t("Hidden"), work.hidden === true ? vscode.l10n.t("yes") : undefined],
      [vscode.l10n.t("Started"), cardDate(work.started)],
      [vscode.l10n.t("Completed"), cardDate(work.completed)],
      [vscode.l10n.t("Target"), target],
      [vscode.l10n.t("ID"), id],
    ],
  };
}

export function commitName(
  commit:
    | { readonly name?: string | null | undefined; readonly commitName?: string | null | undefined }
    | null
    | undefined,
): string | undefined {
  return nonBlank(commit?.name) ?? nonBlank(commit?.commitName);
}
