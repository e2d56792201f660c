import * as vscode from "vscode";
import type { Trigger, WorkflowModel } from "../../../api/catalogue/models/workflows.ts";
import { getWorkflow } from "../../../api/catalogue/operations/workflows.ts";
import {
  readWorkflowTriggers,
  timerHoldersOf,
  type WorkflowTriggers,
} from "../../../api/families/workflow-triggers.ts";
import { readTimer } from "../../../api/families/workflows.ts";
import { localizedText } from "../../../tenants/error-text.ts";
import type { DetailSection, Details } from "../../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../../ui/details/values.ts";
import { isoDate, relativeDate, runTime } from "../../../ui/format/dates.ts";
import { constantWords, sentenceWords, versionLabel } from "../../../ui/format/labels.ts";
import { type PlatformResource, unknownId } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { BranchPage, PageRequest } from "../../../ui/tree/definition.ts";
import { cardDate } from "../../../ui/tree/presentation.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { upcomingText } from "../timer-texts.ts";
import { gapText } from "../trigger-gaps.ts";
import { struckThrough, type TriggerState, timerOf, triggerState, triggerStateWord } from "../words.ts";
import { versionLink } from "./version.ts";
import type { OfWorkflow, WorkflowGroup, WorkflowGroupRow } from "./workflow-row.ts";

const runsShown = 5;

interface TriggerRow extends OfWorkflow {
  readonly type: "trigger";
  readonly trigger: Trigger;
  readonly state: TriggerState;
  /** The next runs of an active timer, at most five. */
  readonly nextRuns: readonly Date[];
  readonly resource: PlatformResource;
}

export const triggersGroup: WorkflowGroup = {
  label: vscode.l10n.t("Triggers"),
  icon: "zap",
  things: vscode.l10n.t("triggers"),
  empty: vscode.l10n.t("No triggers yet"),
  read: readTriggerRows,
};

/** The triggers of a workflow, deleted ones last. */
async function readTriggerRows(
  { tenantId, modelId, modelName, userIds }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<BranchPage<TriggerRow>> {
  const { triggers, gaps } = await readWorkflowTriggers(client, modelId, userIds, { signal });
  const rows = await Promise.all(
    triggers.map(async (trigger): Promise<TriggerRow> => {
      const id = trigger.id ?? unknownId;
      const name = trigger.name?.trim() || vscode.l10n.t("Unnamed trigger");
      const state = triggerState(trigger);
      const timer = state === "active" ? timerOf(trigger) : undefined;
      const reading = timer === undefined ? undefined : await readTimer(timer.cron, timer.timeZone);
      return {
        type: "trigger",
        tenantId,
        key: `workflow/${modelId}/trigger/${id}`,
        modelId,
        modelName,
        trigger,
        state,
        nextRuns: reading?.valid === true ? reading.schedule.nextRuns(runsShown) : [],
        resource: { type: "trigger", tenantId, id, parentId: modelId, name },
      };
    }),
  );
  return { rows, hasMore: false, remark: gapText(gaps) };
}

export const trigger: ResourceKind<TriggerRow> = {
  type: "trigger",
  item: ({ trigger, state, nextRuns, resource }) => {
    const type = constantWords(trigger.type ?? "", vscode.l10n.t);
    const deleted = relativeDate(state === "deleted" ? isoDate(trigger.deletedAt) : undefined, vscode.env.language);
    const [next] = nextRuns;
    const timeZone = timerOf(trigger)?.timeZone;
    const { modelVersion } = trigger;
    const description = [
      deleted === undefined ? undefined : vscode.l10n.t("deleted {0}", deleted),
      next === undefined || timeZone === undefined
        ? undefined
        : vscode.l10n.t("next {0}", runTime(next, timeZone, vscode.env.language)),
      state === "inactive" ? vscode.l10n.t("inactive") : undefined,
      type,
      modelVersion === null || modelVersion === undefined ? undefined : versionLabel(modelVersion),
    ].filter((part) => part !== undefined);
    const text = description.join(" · ");
    const icon = state === "deleted" ? "trash" : trigger.type === "TIMER" ? "watch" : "zap";
    const label = state === "deleted" ? struckThrough(resource.name) : resource.name;
    return {
      label,
      description: text,
      icon,
      contextValue: `trigger.${state}`,
      accessibilityLabel: `${resource.name}, ${text}`,
    };
  },
  card: async ({ trigger, state, nextRuns, resource }, { names }) => {
    const timer = timerOf(trigger);
    const runs = nextRuns.map((time, index): readonly [string, string] => [
      index === 0 ? vscode.l10n.t("Next runs") : "",
      runTime(time, timer?.timeZone ?? "UTC", vscode.env.language),
    ]);
    return {
      name: resource.name,
      lines: [
        [vscode.l10n.t("State"), triggerStateWord(state, vscode.l10n.t)],
        [vscode.l10n.t("Type"), sentenceWords(trigger.type ?? "", vscode.l10n.t)],
        [vscode.l10n.t("Version"), trigger.modelVersion ?? undefined],
        [vscode.l10n.t("Schedule"), timer?.cron],
        [vscode.l10n.t("Time zone"), timer?.timeZone],
        ...runs,
        [vscode.l10n.t("Created by"), personOf(trigger.createdBy, await names(trigger.createdBy))],
        [vscode.l10n.t("Created"), cardDate(trigger.createdAt)],
        [vscode.l10n.t("Deleted"), cardDate(trigger.deletedAt)],
        [vscode.l10n.t("ID"), resource.id],
      ],
    };
  },
  details: async ({ client, resource }) => {
    const { id, parentId: modelId = "" } = resource;
    const model = await client.call(getWorkflow, { modelId });
    const { triggers, gaps } = await readWorkflowTriggers(client, modelId, timerHoldersOf(model));
    const trigger = triggers.find((one) => one.id === id);
    if (trigger === undefined) {
      const missing = vscode.l10n.t("{0} has no trigger {1} that you can see.", model.name ?? modelId, resource.name);
      throw new Error([missing, gapText(gaps) ?? ""].join(" ").trim());
    }
    const names = await userNames(client, [trigger.createdBy, trigger.updatedBy]);
    return triggerDetails(trigger, model, resource, names);
  },
};

/** The triggers of a workflow in its details. */
export function triggerTable({ triggers, gaps }: WorkflowTriggers, resource: PlatformResource): DetailSection {
  const { tenantId, id: modelId } = resource;
  return {
    type: "table",
    title: vscode.l10n.t("Triggers"),
    columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type"), vscode.l10n.t("Version"), vscode.l10n.t("Deleted")],
    rows: triggers.map(({ id, name, type, modelVersion, deletedAt }) => [
      id === null || id === undefined
        ? (name ?? "")
        : { type: "resource", resource: { type: "trigger", tenantId, id, parentId: modelId, name: name ?? id } },
      sentenceWords(type ?? "", vscode.l10n.t),
      versionLink(resource, modelVersion ?? ""),
      dateOf(deletedAt),
    ]),
    empty: vscode.l10n.t("No triggers yet."),
    remark: gapText(gaps),
  };
}

/** A trigger with its schedule and its next runs. */
async function triggerDetails(
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
  const values = Object.keys(trigger.defaultValues ?? {}).length === 0 ? undefined : trigger.defaultValues;
  return {
    kind: vscode.l10n.t("Trigger"),
    lines: [
      [vscode.l10n.t("ID"), codeOf(resource.id)],
      [vscode.l10n.t("Workflow"), { type: "resource", resource: workflow }],
      [vscode.l10n.t("Version"), versionLink(workflow, trigger.modelVersion ?? "")],
      [vscode.l10n.t("Type"), sentenceWords(trigger.type ?? "", vscode.l10n.t)],
      [vscode.l10n.t("State"), triggerStateWord(triggerState(trigger), vscode.l10n.t)],
      [vscode.l10n.t("Schedule"), isTimer ? codeOf(cron) : undefined],
      [vscode.l10n.t("Time zone"), isTimer ? timeZone : undefined],
      [vscode.l10n.t("Created"), dateOf(trigger.createdAt)],
      [vscode.l10n.t("Created by"), personOf(trigger.createdBy, names)],
      [vscode.l10n.t("Updated"), dateOf(trigger.updatedAt)],
      [vscode.l10n.t("Deleted"), dateOf(trigger.deletedAt)],
    ],
    sections: [
      ...(isTimer && !isDeleted ? [await nextRunsOf(cron, timeZone)] : []),
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

async function nextRunsOf(cron: string, timeZone: string): Promise<DetailSection> {
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
