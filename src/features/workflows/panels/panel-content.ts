import * as vscode from "vscode";
import { listTriggerTypes } from "../../../api/catalogue/operations/triggers.ts";
import { getVersionDefinition, getWorkflow } from "../../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { readDesign } from "../../../api/families/workflow-definition.ts";
import { packageNames, versionsOf } from "../../../api/families/workflow-facts.ts";
import { readExecutions, readMetrics } from "../../../api/families/workflows.ts";
import { sentenceWords } from "../../../ui/format/labels.ts";
import { duration } from "../../../ui/format/quantities.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import { executionLook } from "../words.ts";
import { drawDesign } from "./diagram-layout.ts";
import { countByDay } from "./execution-days.ts";
import type {
  DefinitionContent,
  DefinitionSubject,
  MetricsChoices,
  MetricsContent,
  MetricsSubject,
} from "./messages.ts";
import { chartedStatuses, counts, metricsQuery, metricsSpan } from "./metrics-query.ts";

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
  choices: MetricsChoices,
  signal: AbortSignal,
): Promise<MetricsContent> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const span = metricsSpan(choices, new Date(), timeZone);
  const { days } = span;
  const { version } = choices;
  const [model, types, executions, metrics] = await Promise.all([
    client.call(getWorkflow, { modelId }, { signal }),
    // If the list can't be read, the types of triggers that have started executions are offered.
    client.call(listTriggerTypes, {}, { signal }).catch(() => []),
    readExecutions(client, { modelId, ...(version === "" ? {} : { version }) }, { signal }),
    readMetrics(client, metricsQuery(modelId, choices, span), { signal }),
  ]);
  const all = executions.filter((one) => one.modelId === modelId);
  const own = all.filter((one) => counts(one, modelId, choices, span));
  const starters = [...new Set([...all.map(({ startedBy }) => String(startedBy ?? "")), choices.startedBy])];
  const names = await userNames(client, starters, signal);
  const byStatus = countByDay(own, days, timeZone, ({ status }) => status ?? "NOT_STARTED", chartedStatuses(choices));
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
      label: one.name === "" ? vscode.l10n.t("Unknown") : sentenceWords(one.name, vscode.l10n.t),
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
    triggerTypes: [...new Set([...types.map(({ name }) => name), ...all.map((one) => one.triggerType)])].flatMap(
      (value) =>
        typeof value === "string" && value !== "" ? [{ value, label: sentenceWords(value, vscode.l10n.t) }] : [],
    ),
    people: starters
      .filter((id) => id !== "")
      .map((value) => ({ value, label: names.get(value) ?? vscode.l10n.t("User {0}", value) }))
      .toSorted((left, right) => left.label.localeCompare(right.label)),
  };
}
