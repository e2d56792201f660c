import * as vscode from "vscode";
import { beganOf, lengthOf } from "../../api/families/workflow-facts.ts";
import { runTime } from "../../ui/format/dates.ts";
import { sentenceWords, versionLabel, versionName } from "../../ui/format/labels.ts";
import { duration } from "../../ui/format/quantities.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import { type CardParts, card, cardDate, rowPage } from "../../ui/tree/presentation.ts";
import { versionWord, type WorkflowSummary } from "./items.ts";
import type { TriggerRow, WorkflowTreeRow } from "./rows.ts";
import { executionLook, timerOf } from "./words.ts";

type NameOf = (id: string | number | null | undefined) => string | undefined;

/** The card of a row, with the names of users; undefined if the row already shows everything. */
export async function workflowCard(
  { connections, registry }: Pick<TreeParts, "connections" | "registry">,
  row: WorkflowTreeRow,
  summary: WorkflowSummary,
  signal: AbortSignal,
): Promise<vscode.MarkdownString | undefined> {
  const client = await connections.platform(row.tenantId);
  const names = await userNames(client, peopleOf(row), signal);
  const nameOf: NameOf = (id) => {
    const text = String(id ?? "");
    return text === "" ? undefined : (names.get(text) ?? vscode.l10n.t("User {0}", text));
  };
  const parts = partsOf(row, summary, nameOf);
  return parts === undefined ? undefined : card({ ...parts, page: rowPage(row, registry) });
}

/** Ids of the users in the card. */
function peopleOf(row: WorkflowTreeRow): readonly (string | number | null | undefined)[] {
  switch (row.type) {
    case "workflow":
      return [row.workflow.owner];
    case "workflowVersion":
      return [row.version.createdBy, row.lock?.lockedBy];
    case "execution":
      return [row.execution.startedBy];
    case "trigger":
      return [row.trigger.createdBy];
    default:
      return [];
  }
}

function partsOf(row: WorkflowTreeRow, summary: WorkflowSummary, nameOf: NameOf): CardParts | undefined {
  const date = (time: Date | string | undefined): string | undefined =>
    cardDate(time instanceof Date ? time.toISOString() : time);
  switch (row.type) {
    case "workflow": {
      const { name, description, owner, updatedOn, createdOn, id } = row.workflow;
      const { version } = summary;
      return {
        name,
        description,
        lines: [
          [vscode.l10n.t("Version"), version === undefined || version === "" ? undefined : versionLabel(version)],
          [vscode.l10n.t("Last run"), date(summary.lastRun)],
          [vscode.l10n.t("Owner"), nameOf(owner)],
          [vscode.l10n.t("Updated"), date(updatedOn)],
          [vscode.l10n.t("Created"), date(createdOn)],
          [vscode.l10n.t("ID"), id],
        ],
      };
    }
    case "workflowVersion": {
      const { version, state, description, createdOn, createdBy, deployedOn, runs } = row.version;
      return {
        name: versionName(row.modelName, version),
        description,
        lines: [
          [vscode.l10n.t("State"), versionWord(state)],
          [vscode.l10n.t("Released"), date(deployedOn)],
          [vscode.l10n.t("Created"), date(createdOn)],
          [vscode.l10n.t("Created by"), nameOf(createdBy)],
          [vscode.l10n.t("Runs"), runs === undefined ? undefined : String(runs)],
          [vscode.l10n.t("Locked by"), nameOf(row.lock?.lockedBy)],
          [vscode.l10n.t("Locked"), date(row.lock?.lockedOn)],
        ],
      };
    }
    case "execution": {
      const { execution } = row;
      const length = lengthOf(execution);
      return {
        name: row.resource.name,
        lines: [
          [vscode.l10n.t("State"), executionLook(execution.status, vscode.l10n.t).word],
          [vscode.l10n.t("Started"), date(beganOf(execution))],
          [vscode.l10n.t("Finished"), cardDate(execution.finishedAt)],
          [vscode.l10n.t("Duration"), length === undefined ? undefined : duration(length, vscode.env.language)],
          [vscode.l10n.t("Trigger"), execution.triggerName ?? undefined],
          [vscode.l10n.t("Version"), execution.modelVersion ?? undefined],
          [vscode.l10n.t("Started by"), nameOf(execution.startedBy)],
          [vscode.l10n.t("ID"), row.resource.id],
        ],
      };
    }
    case "trigger":
      return triggerParts(row, nameOf);
    default:
      return undefined;
  }
}

function triggerParts({ trigger, state, nextRuns, resource }: TriggerRow, nameOf: NameOf): CardParts {
  const timer = timerOf(trigger);
  const states = {
    active: vscode.l10n.t("active"),
    inactive: vscode.l10n.t("inactive"),
    deleted: vscode.l10n.t("deleted"),
  } as const;
  const runs = nextRuns.map((time, index): readonly [string, string] => [
    index === 0 ? vscode.l10n.t("Next runs") : "",
    runTime(time, timer?.timeZone ?? "UTC", vscode.env.language),
  ]);
  return {
    name: resource.name,
    lines: [
      [vscode.l10n.t("State"), states[state]],
      [vscode.l10n.t("Type"), sentenceWords(trigger.type ?? "", vscode.l10n.t)],
      [vscode.l10n.t("Version"), trigger.modelVersion ?? undefined],
      [vscode.l10n.t("Schedule"), timer?.cron],
      [vscode.l10n.t("Time zone"), timer?.timeZone],
      ...runs,
      [vscode.l10n.t("Created by"), nameOf(trigger.createdBy)],
      [vscode.l10n.t("Created"), cardDate(trigger.createdAt)],
      [vscode.l10n.t("Deleted"), cardDate(trigger.deletedAt)],
      [vscode.l10n.t("ID"), resource.id],
    ],
  };
}
