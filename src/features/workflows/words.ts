import type { Trigger, WorkflowExecution } from "../../api/catalogue/models/workflows.ts";
import { parsedDate } from "../../api/families/workflows.ts";
import { sentenceWords, type Translate } from "../../ui/format/labels.ts";

/** The appearance of a state: a codicon, a theme color, and a word. */
interface StateLook {
  readonly icon: string;
  readonly color: string | undefined;
  readonly word: string;
}

/** The appearance of an execution's status (API description, 3). */
export function executionLook(status: string | null | undefined, translate: Translate): StateLook {
  switch (status) {
    case "COMPLETED":
      return { icon: "pass", color: "testing.iconPassed", word: translate("Completed") };
    case "FAILED":
      return { icon: "error", color: "testing.iconFailed", word: translate("Failed") };
    case "CANCELLED":
    case "CANCELED":
      return { icon: "circle-slash", color: undefined, word: translate("Canceled") };
    case "IN_PROGRESS":
      return { icon: "loading~spin", color: "charts.yellow", word: translate("In Progress") };
    case "NOT_STARTED":
    case null:
    case undefined:
      return { icon: "clock", color: undefined, word: translate("Not Started") };
    default:
      return { icon: "question", color: undefined, word: sentenceWords(status, translate) };
  }
}

export type TriggerState = "active" | "inactive" | "deleted";

/** The state of a trigger: whether it starts its workflow. */
export function triggerState({ deletedAt, active }: Pick<Trigger, "deletedAt" | "active">): TriggerState {
  return parsedDate(deletedAt) !== undefined ? "deleted" : active === false ? "inactive" : "active";
}

export function triggerStateWord(state: TriggerState, translate: Translate): string {
  switch (state) {
    case "deleted":
      return translate("deleted");
    case "inactive":
      return translate("inactive");
    case "active":
      return translate("active");
  }
}

const strike = "\u0336";

/** Strikes through the text with combining characters, for labels without formatting. */
export function struckThrough(text: string): string {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => `${segment}${strike}`).join("");
}

/** The cron expression and the zone of a timer; undefined for other triggers. */
export function timerOf({ metadata }: Pick<Trigger, "metadata">): { cron: string; timeZone: string } | undefined {
  const { cron, timeZone } = metadata ?? {};
  return typeof cron === "string" && typeof timeZone === "string" ? { cron, timeZone } : undefined;
}

/** The name of an execution in a tab: the workflow and the start time. */
export function executionName(
  workflow: string,
  { startedAt, createdAt }: Pick<WorkflowExecution, "startedAt" | "createdAt">,
  language: string | undefined,
): string {
  const began = parsedDate(startedAt) ?? parsedDate(createdAt);
  return began === undefined
    ? workflow
    : `${workflow}, ${new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(began)}`;
}
