import * as vscode from "vscode";
import type { WorkflowExecution, WorkflowModel } from "../../api/catalogue/models/workflows.ts";
import { getExecution, getExecutionOutputs } from "../../api/catalogue/operations/executions.ts";
import { getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { versionsOf } from "../../api/families/workflow-facts.ts";
import { readWorkflowTriggers, timerHoldersOf, type WorkflowTriggers } from "../../api/families/workflow-triggers.ts";
import { parsedDate, readLocks, readPermissions } from "../../api/families/workflows.ts";
import type { DetailLine, DetailSection, Details, DetailsReader } from "../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../ui/details/values.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { attachedTriggersReader, startFormReader } from "./lookup-details.ts";
import { triggerDetails } from "./trigger-details.ts";
import { gapText } from "./trigger-gaps.ts";
import { versionReader } from "./version-details.ts";
import { versionLink } from "./version-link.ts";

/** Reads workflows and their contents for their documents. */
export const workflowReaders = {
  startForm: startFormReader,
  attachedTriggers: attachedTriggersReader,
  workflow: async ({ client, resource }) => {
    const { id: modelId } = resource;
    const [model, permissions, locks] = await Promise.all([
      client.call(getWorkflow, { modelId }),
      readPermissions(client, modelId),
      readLocks(client, modelId),
    ]);
    const found = await readWorkflowTriggers(client, modelId, timerHoldersOf(model));
    const people = [
      ...[model.owner, model.createdBy, model.updatedBy],
      ...versionsOf(model).map(({ createdBy }) => createdBy),
      ...locks.map(({ lockedBy }) => lockedBy),
    ];
    const names = await userNames(client, people);
    return {
      kind: vscode.l10n.t("Workflow"),
      description: model.description ?? undefined,
      lines: workflowLines(model, modelId, names),
      sections: [
        versionTable(model, resource, names),
        triggerTable(found, resource),
        {
          type: "table",
          title: vscode.l10n.t("Locks"),
          columns: [vscode.l10n.t("Version"), vscode.l10n.t("Locked by"), vscode.l10n.t("Since")],
          rows: locks.map(({ version, lockedBy, lockedOn }) => [
            versionLink(resource, version),
            personOf(lockedBy, names),
            dateOf(lockedOn?.getTime()),
          ]),
          empty: vscode.l10n.t("No versions are locked."),
        },
        {
          type: "table",
          title: vscode.l10n.t("Permissions"),
          columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type"), vscode.l10n.t("Permissions")],
          rows: permissions.map(({ name, type, permissions: own }) => [
            name,
            sentenceWords(type, vscode.l10n.t),
            own.map((one) => sentenceWords(one, vscode.l10n.t)).join(", "),
          ]),
          empty: vscode.l10n.t("The platform doesn't provide permissions."),
        },
      ],
      raw: { model, triggers: found.triggers, locks, permissions },
    };
  },
  workflowVersion: versionReader,
  execution: async ({ client, resource }) => {
    const executionId = resource.id;
    const [execution, outputs] = await Promise.all([
      client.call(getExecution, { executionId }),
      client.call(getExecutionOutputs, { executionId }),
    ]);
    const names = await userNames(client, [execution.startedBy, execution.modelOwner]);
    return executionDetails(execution, outputs, resource, names);
  },
  trigger: async ({ client, resource }) => {
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
} satisfies Record<string, DetailsReader>;

function workflowLines(model: WorkflowModel, modelId: string, names: Names): readonly DetailLine[] {
  const runs = model.totalTimesRun ?? model.totalExecutions;
  return [
    [vscode.l10n.t("ID"), codeOf(modelId)],
    [vscode.l10n.t("Owner"), personOf(model.owner, names)],
    [vscode.l10n.t("Executions"), runs === null || runs === undefined ? undefined : String(runs)],
    [vscode.l10n.t("Created"), dateOf(model.createdOn ?? model.createdAt)],
    [vscode.l10n.t("Created by"), personOf(model.createdBy, names)],
    [vscode.l10n.t("Updated"), dateOf(model.updatedOn ?? model.updatedAt)],
    [vscode.l10n.t("Updated by"), personOf(model.updatedBy, names)],
  ];
}

function versionTable(model: WorkflowModel, resource: PlatformResource, names: Names): DetailSection {
  const states = {
    draft: vscode.l10n.t("draft"),
    released: vscode.l10n.t("released"),
    active: vscode.l10n.t("active"),
  } as const;
  return {
    type: "table",
    title: vscode.l10n.t("Versions"),
    columns: [
      ...[vscode.l10n.t("Version"), vscode.l10n.t("State"), vscode.l10n.t("Runs"), vscode.l10n.t("Created")],
      ...[vscode.l10n.t("Created by"), vscode.l10n.t("Description")],
    ],
    rows: versionsOf(model).map(({ version, state, runs, createdOn, createdBy, description }) => [
      versionLink(resource, version),
      states[state],
      runs === undefined ? undefined : String(runs),
      dateOf(createdOn?.getTime()),
      personOf(createdBy, names),
      description,
    ]),
    empty: vscode.l10n.t("No versions yet."),
  };
}

function triggerTable({ triggers, gaps }: WorkflowTriggers, resource: PlatformResource): DetailSection {
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

function executionDetails(
  execution: WorkflowExecution,
  outputs: unknown,
  resource: PlatformResource,
  names: Names,
): Details {
  const { tenantId } = resource;
  const modelId = execution.modelId ?? resource.parentId ?? "";
  const workflow = { type: "workflow", tenantId, id: modelId, name: execution.modelName ?? modelId } as const;
  const [started, finished] = [parsedDate(execution.startedAt), parsedDate(execution.finishedAt)];
  const seconds =
    started === undefined || finished === undefined ? undefined : (Number(finished) - Number(started)) / 1000;
  const { triggerId, triggerName, triggerType } = execution;
  const rows = typeof outputs === "object" && outputs !== null ? Object.entries(outputs) : [];
  return {
    kind: vscode.l10n.t("Execution"),
    lines: [
      [vscode.l10n.t("ID"), codeOf(resource.id)],
      [vscode.l10n.t("Workflow"), modelId === "" ? undefined : { type: "resource", resource: workflow }],
      [vscode.l10n.t("Version"), versionLink(workflow, execution.modelVersion ?? "")],
      [vscode.l10n.t("State"), sentenceWords(execution.status ?? "", vscode.l10n.t)],
      [vscode.l10n.t("Started"), dateOf(execution.startedAt)],
      [vscode.l10n.t("Finished"), dateOf(execution.finishedAt)],
      [vscode.l10n.t("Duration"), seconds === undefined ? undefined : vscode.l10n.t("{0} s", seconds.toFixed(1))],
      [vscode.l10n.t("Started by"), personOf(execution.startedBy, names)],
      [
        vscode.l10n.t("Trigger"),
        triggerId === null || triggerId === undefined
          ? undefined
          : {
              type: "resource",
              resource: { type: "trigger", tenantId, id: triggerId, parentId: modelId, name: triggerName ?? triggerId },
            },
      ],
      [vscode.l10n.t("Trigger type"), sentenceWords(triggerType ?? "", vscode.l10n.t)],
      [vscode.l10n.t("Trigger deleted"), dateOf(execution.triggerDeletedAt)],
      [
        vscode.l10n.t("Deployment"),
        execution.deploymentId === null || execution.deploymentId === undefined
          ? undefined
          : codeOf(execution.deploymentId),
      ],
    ],
    sections: [
      {
        type: "table",
        title: vscode.l10n.t("Outputs"),
        columns: [vscode.l10n.t("Name"), vscode.l10n.t("Value")],
        rows: rows.map(([name, value]) => [name, codeOf(typeof value === "string" ? value : JSON.stringify(value))]),
        empty: vscode.l10n.t("It returned no output."),
      },
    ],
    raw: { execution, outputs },
  };
}
