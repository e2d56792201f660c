import * as vscode from "vscode";
import { getVersionDefinition, getWorkflow } from "../../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { readDesign } from "../../../api/families/workflow-definition.ts";
import { beganOf, packageNames, versionsOf } from "../../../api/families/workflow-facts.ts";
import { readExecutions, readMetrics } from "../../../api/families/workflows.ts";
import { sentenceWords } from "../../../ui/format/constant-words.ts";
import { absoluteDate } from "../../../ui/format/dates.ts";
import { duration } from "../../../ui/format/durations.ts";
import { executionLook } from "../words.ts";
import { drawDesign } from "./diagram-layout.ts";
import { beginOf, countByDay, lastDays } from "./execution-days.ts";
import type { DefinitionContent, MetricsChoices, MetricsContent, PanelContent, PanelSubject } from "./messages.ts";

const statuses = ["COMPLETED", "FAILED", "CANCELLED", "IN_PROGRESS"] as const;

/** Reads what a panel shows. */
export function readContent(
  client: PlatformClient,
  subject: PanelSubject,
  choices: MetricsChoices,
  signal: AbortSignal,
): Promise<PanelContent> {
  return subject.kind === "workflowDefinition"
    ? readDefinition(client, subject, signal)
    : readMetricsContent(client, subject, choices, signal);
}

async function readDefinition(
  client: PlatformClient,
  { modelId, version }: PanelSubject & { readonly kind: "workflowDefinition" },
  signal: AbortSignal,
): Promise<DefinitionContent> {
  const definition = await client.call(getVersionDefinition, { modelId, version }, { signal });
  const design = readDesign(definition);
  const names = await packageNames(client, design.steps, { signal });
  return { kind: "workflowDefinition", ...drawDesign(design, names), readAt: now() };
}

async function readMetricsContent(
  client: PlatformClient,
  { modelId }: PanelSubject,
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
  // Platforms that narrow nothing give the executions of all workflows.
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
    kind: "workflowMetrics",
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
        value: average === 0 ? "–" : duration(average, vscode.l10n.t),
      },
    ],
    versions: versionsOf(model).map((one) => one.version),
    readAt: now(),
  };
}

function now(): string {
  return absoluteDate(new Date().toISOString(), vscode.env.language) ?? "";
}
