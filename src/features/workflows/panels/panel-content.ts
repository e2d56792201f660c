import * as vscode from "vscode";
import { getVersionDefinition, getWorkflow } from "../../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { readDesign } from "../../../api/families/workflow-definition.ts";
import { beganOf, packageNames, versionsOf } from "../../../api/families/workflow-facts.ts";
import { readExecutions, readMetrics } from "../../../api/families/workflows.ts";
import { sentenceWords } from "../../../ui/format/labels.ts";
import { duration } from "../../../ui/format/quantities.ts";
import { executionLook } from "../words.ts";
import { drawDesign } from "./diagram-layout.ts";
import { beginOf, countByDay, lastDays } from "./execution-days.ts";
import type {
  DefinitionContent,
  DefinitionSubject,
  MetricsChoices,
  MetricsContent,
  MetricsSubject,
} from "./messages.ts";

const statuses = ["COMPLETED", "FAILED", "CANCELLED", "IN_PROGRESS"] as const;

/** The diagram of a version. */
export async function readDefinition(
  client: PlatformClient,
  { modelId, version }: DefinitionSubject,
  signal: AbortSignal,
): Promise<DefinitionContent> {
  const definition = await client.call(getVersionDefinition, { modelId, version }, { signal });
  const design = readDesign(definition);
  const names = await packageNames(client, design.steps, { signal });
  return drawDesign(design, names);
}

/** The executions of a workflow, counted by day. */
export async function readMetricsContent(
  client: PlatformClient,
  { modelId }: MetricsSubject,
  { days: count, version }: MetricsChoices,
  signal: AbortSignal,
): Promise<MetricsContent> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const days = lastDays(count, new Date(), timeZone);
  const after = beginOf(days[0] ?? "");
  const ofVersion = version === "" ? {} : { version };
  const [model, executions, metrics] = await Promise.all([
    client.call(getWorkflow, { modelId }, { signal }),
    readExecutions(client, { modelId, ...ofVersion }, { signal }),
    readMetrics(
      client,
      { modelId, startedAfter: after, ...(version === "" ? {} : { modelVersion: version }) },
      { signal },
    ),
  ]);
  // A platform that ignores the filter returns the executions of all workflows.
  const own = executions.filter(
    (one) =>
      one.modelId === modelId && (version === "" || one.modelVersion === version) && (beganOf(one) ?? after) >= after,
  );
  const byStatus = countByDay(own, days, timeZone, ({ status }) => status ?? "NOT_STARTED", statuses);
  const byTriggerType = countByDay(own, days, timeZone, ({ triggerType }) => triggerType ?? "", []);
  const sumOf = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
  const total = byStatus.reduce((sum, { counts }) => sum + sumOf(counts), 0);
  const dayText = new Intl.DateTimeFormat(vscode.env.language, { month: "short", day: "numeric", timeZone: "UTC" });
  const average = metrics.averageCycleTime ?? 0;
  return {
    days: days.map((day) => dayText.format(Date.parse(`${day}T00:00:00Z`))),
    byStatus: byStatus.map((one) => ({ ...one, label: executionLook(one.name, vscode.l10n.t).word })),
    byTriggerType: byTriggerType.map((one) => ({
      ...one,
      label: one.name === "" ? vscode.l10n.t("Unknown") : sentenceWords(one.name),
    })),
    figures: [
      { label: vscode.l10n.t("Executions"), value: String(total) },
      ...byStatus.map(({ name, counts }) => ({
        label: executionLook(name, vscode.l10n.t).word,
        value: String(sumOf(counts)),
      })),
      {
        label: vscode.l10n.t("Average duration"),
        value: average === 0 ? "–" : duration(average, vscode.env.language),
      },
    ],
    versions: versionsOf(model).map((one) => one.version),
  };
}
