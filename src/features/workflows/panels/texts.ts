import * as vscode from "vscode";
import type { MetricsStatus } from "./messages.ts";

/** The texts of the definition page; the page replaces `{0}`. */
export function definitionTexts(name: string, version: string) {
  return {
    title: vscode.l10n.t("{0} v{1}", name, version),
    refresh: vscode.l10n.t("Refresh"),
    json: vscode.l10n.t("Show Raw JSON"),
    details: vscode.l10n.t("Show Details"),
    zoomIn: vscode.l10n.t("Zoom In"),
    zoomOut: vscode.l10n.t("Zoom Out"),
    fit: vscode.l10n.t("Zoom to Fit"),
    diagram: vscode.l10n.t("Diagram of {0} v{1} with {2} steps", name, version, "{0}"),
    keys: vscode.l10n.t(
      "Use the arrow keys to move between steps, Enter to select a step, plus and minus to zoom, and 0 to fit the diagram.",
    ),
    inOrder: vscode.l10n.t("The definition has no connections. The steps are shown in order."),
    noSteps: vscode.l10n.t("The definition has no steps yet."),
    steps: vscode.l10n.t("Steps"),
    step: vscode.l10n.t("Step"),
    kind: vscode.l10n.t("Type"),
    calls: vscode.l10n.t("Calls"),
    leadsTo: vscode.l10n.t("Leads to"),
    comesFrom: vscode.l10n.t("Comes from"),
    description: vscode.l10n.t("Description"),
    selected: vscode.l10n.t("Selected step"),
    noneSelected: vscode.l10n.t("No step is selected."),
    parameters: vscode.l10n.t("Data"),
    parameter: vscode.l10n.t("Name"),
    dataType: vscode.l10n.t("Type"),
    listOf: vscode.l10n.t("list of {0}", "{0}"),
    noParameters: vscode.l10n.t("The definition has no data."),
  };
}

export type DefinitionTexts = ReturnType<typeof definitionTexts>;

/** The texts of the metrics page; the page replaces `{0}`. */
export function metricsTexts(name: string, statusNames: Readonly<Record<MetricsStatus, string>>) {
  return {
    refresh: vscode.l10n.t("Refresh"),
    title: vscode.l10n.t("Executions of {0}", name),
    period: vscode.l10n.t("Period"),
    lastDays: vscode.l10n.t("Last {0} days", "{0}"),
    version: vscode.l10n.t("Version"),
    allVersions: vscode.l10n.t("All versions"),
    chartBy: vscode.l10n.t("Chart by"),
    byStatus: vscode.l10n.t("State"),
    byTriggerType: vscode.l10n.t("Trigger type"),
    filters: vscode.l10n.t("More Filters"),
    filtersSet: vscode.l10n.t("More Filters ({0} set)", "{0}"),
    clearFilters: vscode.l10n.t("Clear Filters"),
    statuses: vscode.l10n.t("States (select none for all)"),
    statusNames,
    triggerTypes: vscode.l10n.t("Trigger types (select none for all)"),
    startedBy: vscode.l10n.t("Started by"),
    everybody: vscode.l10n.t("Everyone"),
    finishedBefore: vscode.l10n.t("Finished before"),
    shown: vscode.l10n.t("Shown"),
    figures: vscode.l10n.t("Summary"),
    chart: vscode.l10n.t("Bar chart of the executions per day"),
    keys: vscode.l10n.t("Use the Left and Right arrow keys to read it day by day. The table below has the same data."),
    table: vscode.l10n.t("Executions per day"),
    day: vscode.l10n.t("Day"),
    total: vscode.l10n.t("Total"),
    nothing: vscode.l10n.t("No executions in this period."),
    none: vscode.l10n.t("none"),
  };
}

export type MetricsTexts = ReturnType<typeof metricsTexts>;
