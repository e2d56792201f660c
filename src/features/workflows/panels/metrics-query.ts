import type { WorkflowExecution } from "../../../api/catalogue/models/workflows.ts";
import { beganOf } from "../../../api/families/workflow-facts.ts";
import { type MetricsQuery, parsedDate } from "../../../api/families/workflows.ts";
import { beginOf, lastDays } from "./execution-days.ts";
import { type MetricsChoices, metricsStatuses } from "./messages.ts";

/** The days of a chart and the bounds of their times. */
interface MetricsSpan {
  /** For example, `2026-11-18`. Oldest first. */
  readonly days: readonly string[];
  /** The start of the first day, so that the metrics cover the same executions as the chart. */
  readonly after: Date;
  /** Only executions that finished before this time count; undefined if all count. */
  readonly before: Date | undefined;
}

/** The last days up to now, or up to the day before which executions must have finished. */
export function metricsSpan({ days, finishedBefore }: MetricsChoices, now: Date, timeZone: string): MetricsSpan {
  const before = startOfDay(finishedBefore);
  const last = before === undefined || before > now ? now : new Date(before.getTime() - 1);
  const shown = lastDays(days, last, timeZone);
  return { days: shown, after: beginOf(shown[0] ?? "", timeZone), before };
}

/** The query parameters of the metrics operation. */
export function metricsQuery(modelId: string, choices: MetricsChoices, { after, before }: MetricsSpan): MetricsQuery {
  const { version, statuses, triggerTypes, startedBy } = choices;
  return {
    modelId,
    startedAfter: after,
    ...(version === "" ? {} : { modelVersion: version }),
    ...(statuses.length === 0 ? {} : { statuses }),
    ...(triggerTypes.length === 0 ? {} : { triggerTypes }),
    ...(startedBy === "" ? {} : { startedBy }),
    ...(before === undefined ? {} : { finishedBefore: before }),
  };
}

/**
 * True if an execution counts. The list of executions supports fewer filters than the metrics, and a platform that
 * ignores a filter returns the executions of all workflows.
 */
export function counts(
  execution: WorkflowExecution,
  modelId: string,
  choices: MetricsChoices,
  span: MetricsSpan,
): boolean {
  const { version, statuses, triggerTypes, startedBy } = choices;
  const finished = parsedDate(execution.finishedAt);
  return (
    execution.modelId === modelId &&
    (version === "" || execution.modelVersion === version) &&
    (statuses.length === 0 || statuses.some((status) => status === execution.status)) &&
    (triggerTypes.length === 0 || triggerTypes.includes(execution.triggerType ?? "")) &&
    (startedBy === "" || String(execution.startedBy ?? "") === startedBy) &&
    (beganOf(execution) ?? span.after) >= span.after &&
    (span.before === undefined || (finished !== undefined && finished < span.before))
  );
}

/** The statuses that the chart shows even without executions. */
export function chartedStatuses({ statuses }: MetricsChoices): readonly string[] {
  return statuses.length === 0 ? metricsStatuses : metricsStatuses.filter((status) => statuses.includes(status));
}

/** The first moment of a day in this machine's time zone; undefined for text that is not a day. */
function startOfDay(day: string): Date | undefined {
  const date = new Date(`${day}T00:00:00`);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(date.getTime()) ? date : undefined;
}
