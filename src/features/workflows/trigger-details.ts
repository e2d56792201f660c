import * as vscode from "vscode";
import type { Trigger, WorkflowModel } from "../../api/catalogue/models/workflows.ts";
import { readTimer } from "../../api/families/workflows.ts";
import { localizedText } from "../../tenants/error-text.ts";
import type { DetailSection, Details } from "../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../ui/details/values.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { upcomingText } from "./timer-texts.ts";
import { versionLink } from "./version-link.ts";

const runsShown = 5;

/** A trigger with its schedule and its next runs. */
export async function triggerDetails(
  trigger: Trigger,
  model: WorkflowModel,
  resource: PlatformResource,
  names: Names,
): Promise<Details> {
  const { tenantId, parentId: modelId = "" } = resource;
  const workflow = { type: "workflow", tenantId, id: modelId, name: model.name ?? modelId } as const;
  const { cron, timeZone } = trigger.metadata ?? {};
  const isTimer = typeof cron === "string" && typeof timeZone === "string";
  const isDeleted = trigger.deletedAt !== null && trigger.deletedAt !== undefined;
  const state = isDeleted
    ? vscode.l10n.t("deleted")
    : trigger.active === false
      ? vscode.l10n.t("inactive")
      : vscode.l10n.t("active");
  const values = Object.keys(trigger.defaultValues ?? {}).length === 0 ? undefined : trigger.defaultValues;
  return {
    kind: vscode.l10n.t("Trigger"),
    lines: [
      [vscode.l10n.t("ID"), codeOf(resource.id)],
      [vscode.l10n.t("Workflow"), { type: "resource", resource: workflow }],
      [vscode.l10n.t("Version"), versionLink(workflow, trigger.modelVersion ?? "")],
      [vscode.l10n.t("Type"), sentenceWords(trigger.type ?? "", vscode.l10n.t)],
      [vscode.l10n.t("State"), state],
      [vscode.l10n.t("Schedule"), isTimer ? codeOf(cron) : undefined],
      [vscode.l10n.t("Time zone"), isTimer ? timeZone : undefined],
      [vscode.l10n.t("Created"), dateOf(trigger.createdAt)],
      [vscode.l10n.t("Created by"), personOf(trigger.createdBy, names)],
      [vscode.l10n.t("Updated"), dateOf(trigger.updatedAt)],
      [vscode.l10n.t("Deleted"), dateOf(trigger.deletedAt)],
    ],
    sections: [
      ...(isTimer && !isDeleted ? [await nextRuns(cron, timeZone)] : []),
      ...(values === undefined
        ? []
        : [
            {
              type: "code",
              title: vscode.l10n.t("Default values"),
              language: "json",
              text: JSON.stringify(values, undefined, 2),
            } as const,
          ]),
    ],
    raw: trigger,
  };
}

async function nextRuns(cron: string, timeZone: string): Promise<DetailSection> {
  const reading = await readTimer(cron, timeZone);
  if (!reading.valid) {
    const text = vscode.l10n.t("Can't read the schedule: {0}", localizedText(reading.reason));
    return { type: "text", title: vscode.l10n.t("Next runs"), text };
  }
  const format = new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: "full",
    timeStyle: "short",
    timeZone,
  });
  return {
    type: "table",
    title: vscode.l10n.t("Next runs"),
    columns: [vscode.l10n.t("In {0}", timeZone)],
    rows: reading.schedule
      .upcoming(runsShown)
      .map((run) => [run.isSkipped ? upcomingText(run, timeZone) : format.format(run.at)]),
    empty: vscode.l10n.t("No more runs."),
  };
}
