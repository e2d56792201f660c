import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Connections } from "../../../tenants/connections.ts";
import type { ExtensionLog } from "../../../tenants/extension-log.ts";
import { detailsUri } from "../../../ui/details/details-address.ts";
import { versionName } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { type PanelDefinition, WebviewPanels } from "../../../ui/webview/webview-panels.ts";
import { executionLook } from "../words.ts";
import {
  type DefinitionAction,
  type DefinitionContent,
  type DefinitionSubject,
  type MetricsChoices,
  type MetricsContent,
  type MetricsStatus,
  type MetricsSubject,
  metricsRanges,
  metricsStatuses,
  usualChoices,
} from "./messages.ts";
import { readDefinition, readMetricsContent } from "./panel-content.ts";
import { definitionTexts, metricsTexts } from "./texts.ts";

export interface PanelParts {
  readonly connections: Connections;
  readonly extensionUri: vscode.Uri;
  readonly log: ExtensionLog;
}

/** The panels of workflows: the diagram of a version's definition, and the chart of the executions. */
export class Panels {
  readonly #definitions: WebviewPanels<DefinitionSubject, DefinitionContent>;
  readonly #metrics: WebviewPanels<MetricsSubject, MetricsContent, MetricsChoices>;

  constructor(parts: PanelParts) {
    this.#definitions = new WebviewPanels(definitionPanel(parts.connections), parts);
    this.#metrics = new WebviewPanels(metricsPanel(parts.connections), parts);
  }

  /** Shows the panel of the subject. Reuses an open panel. */
  show(subject: DefinitionSubject | MetricsSubject): void {
    if (subject.kind === "workflowDefinition") {
      this.#definitions.show(subject);
    } else {
      this.#metrics.show(subject);
    }
  }

  /** Restores a panel that was open when the window was closed or reloaded. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const panels = panel.viewType === this.#metrics.viewType ? this.#metrics : this.#definitions;
    panels.restore(panel, state);
  }
}

function definitionPanel(
  connections: Pick<Connections, "platform">,
): PanelDefinition<DefinitionSubject, DefinitionContent> {
  const resourceOf = ({ tenantId, modelId, name, version }: DefinitionSubject): PlatformResource => ({
    type: "workflowVersion",
    tenantId,
    id: version,
    parentId: modelId,
    name: versionName(name, version),
  });
  const actions: Readonly<Record<DefinitionAction, (subject: DefinitionSubject) => void>> = {
    showJson: (subject) =>
      void vscode.window.showTextDocument(detailsUri(resourceOf(subject), "json"), { preview: true }),
    showDetails: (subject) => void vscode.commands.executeCommand("platformWorkbench.showDetails", resourceOf(subject)),
  };
  return {
    viewType: "platformWorkbench.workflowDefinition",
    page: "definition",
    icon: "type-hierarchy-sub",
    subject: z.object({
      kind: z.literal("workflowDefinition"),
      tenantId: z.string(),
      modelId: z.string(),
      name: z.string(),
      version: z.string(),
    }),
    choices: z.undefined(),
    actions,
    key: ({ tenantId, modelId, version }) => JSON.stringify([tenantId, modelId, version]),
    title: ({ name, version }) => vscode.l10n.t("{0} v{1}", name, version),
    texts: ({ name, version }) => definitionTexts(name, version),
    read: async (subject, _, signal) => readDefinition(await connections.platform(subject.tenantId), subject, signal),
  };
}

function statusName(status: MetricsStatus): string {
  return executionLook(status, vscode.l10n.t).word;
}

function metricsPanel(
  connections: Pick<Connections, "platform">,
): PanelDefinition<MetricsSubject, MetricsContent, MetricsChoices> {
  return {
    viewType: "platformWorkbench.workflowMetrics",
    page: "metrics",
    icon: "graph",
    subject: z.object({
      kind: z.literal("workflowMetrics"),
      tenantId: z.string(),
      modelId: z.string(),
      name: z.string(),
    }),
    choices: z.object({
      days: z.literal([...metricsRanges]),
      version: z.string(),
      by: z.enum(["status", "triggerType"]),
      statuses: z.array(z.enum(metricsStatuses)),
      triggerTypes: z.array(z.string()),
      startedBy: z.string(),
      finishedBefore: z.string(),
    }),
    actions: {},
    key: ({ tenantId, modelId }) => JSON.stringify([tenantId, modelId]),
    title: ({ name }) => vscode.l10n.t("{0} (metrics)", name),
    texts: ({ name }) =>
      metricsTexts(name, {
        COMPLETED: statusName("COMPLETED"),
        FAILED: statusName("FAILED"),
        CANCELLED: statusName("CANCELLED"),
        IN_PROGRESS: statusName("IN_PROGRESS"),
      }),
    read: async (subject, choices = usualChoices, signal) =>
      readMetricsContent(await connections.platform(subject.tenantId), subject, choices, signal),
  };
}
