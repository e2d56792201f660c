import * as vscode from "vscode";
import type { WorkflowExecution } from "../../../api/catalogue/models/workflows.ts";
import { getExecution, getExecutionOutputs } from "../../../api/catalogue/operations/executions.ts";
import type { AccountValue } from "../../../api/client/account-scope.ts";
import { beganOf, isUnderWay, lengthOf } from "../../../api/families/workflow-facts.ts";
import { parsedDate, readExecutions } from "../../../api/families/workflows.ts";
import type { Details } from "../../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../../ui/details/values.ts";
import { relativeDate } from "../../../ui/format/dates.ts";
import { sentenceWords } from "../../../ui/format/labels.ts";
import { duration } from "../../../ui/format/quantities.ts";
import { type PlatformResource, unknownId } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { BranchPage, PageRequest } from "../../../ui/tree/definition.ts";
import { WholeLists } from "../../../ui/tree/listing.ts";
import { cardDate } from "../../../ui/tree/presentation.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { executionLook, executionName } from "../words.ts";
import { versionLink } from "./version.ts";
import type { OfWorkflow, WorkflowGroup, WorkflowGroupRow } from "./workflow-row.ts";

const pageSize = 30;

interface ExecutionRow extends OfWorkflow {
  readonly type: "execution";
  readonly execution: WorkflowExecution;
  readonly resource: PlatformResource;
}

export const executionsGroup: WorkflowGroup = {
  label: vscode.l10n.t("Executions"),
  icon: "history",
  count: ({ runs }) => runs,
  things: vscode.l10n.t("executions"),
  empty: vscode.l10n.t("No executions yet"),
  pageSize,
  read: readExecutionPage,
};

const executionsOfAccount: AccountValue<WholeLists<ExecutionRow>> = { create: () => new WholeLists(pageSize, 5) };

/** The executions of a workflow, newest first. */
async function readExecutionPage(
  { tenantId, modelId, modelName }: WorkflowGroupRow,
  request: PageRequest,
): Promise<BranchPage<ExecutionRow>> {
  const lists = request.client.account.get(executionsOfAccount);
  const { items, ...page } = await lists.page(`${tenantId}/${modelId}`, request, async () => {
    const all = await readExecutions(request.client, { modelId }, { signal: request.signal });
    return all
      .filter((execution) => execution.modelId === modelId)
      .toSorted((left, right) => Number(beganOf(right) ?? 0) - Number(beganOf(left) ?? 0))
      .map((execution): ExecutionRow => {
        const id = execution.id ?? unknownId;
        const name = executionName(modelName, execution, vscode.env.language);
        return {
          type: "execution",
          tenantId,
          key: `workflow/${modelId}/execution/${id}`,
          modelId,
          modelName,
          execution,
          resource: { type: "execution", tenantId, id, parentId: modelId, name },
        };
      });
  });
  return { rows: items, ...page };
}

export const execution: ResourceKind<ExecutionRow> = {
  type: "execution",
  item: ({ execution }) => ({
    ...executionFacts(execution),
    contextValue: isUnderWay(execution) ? "execution.running" : "execution.ended",
  }),
  card: async ({ execution, resource }, { names }) => {
    const length = lengthOf(execution);
    return {
      name: resource.name,
      lines: [
        [vscode.l10n.t("State"), executionLook(execution.status, vscode.l10n.t).word],
        [vscode.l10n.t("Started"), cardDate(beganOf(execution)?.getTime())],
        [vscode.l10n.t("Finished"), cardDate(execution.finishedAt)],
        [vscode.l10n.t("Duration"), length === undefined ? undefined : duration(length, vscode.env.language)],
        [vscode.l10n.t("Trigger"), execution.triggerName ?? undefined],
        [vscode.l10n.t("Version"), execution.modelVersion ?? undefined],
        [vscode.l10n.t("Started by"), personOf(execution.startedBy, await names(execution.startedBy))],
        [vscode.l10n.t("ID"), resource.id],
      ],
    };
  },
  isChanging: ({ execution }) => isUnderWay(execution),
  details: async ({ client, resource }) => {
    const executionId = resource.id;
    const [execution, outputs] = await Promise.all([
      client.call(getExecution, { executionId }),
      client.call(getExecutionOutputs, { executionId }),
    ]);
    const names = await userNames(client, [execution.startedBy, execution.modelOwner]);
    return executionDetails(execution, outputs, resource, names);
  },
};

/** The appearance of an execution in the tree and in quick picks: its state, when it began, and how long it took. */
export function executionFacts(execution: WorkflowExecution): {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string | undefined;
} {
  const { word: label, icon, color } = executionLook(execution.status, vscode.l10n.t);
  const length = lengthOf(execution);
  const facts = [
    relativeDate(beganOf(execution)?.toISOString(), vscode.env.language),
    length === undefined ? undefined : duration(length, vscode.env.language),
    execution.triggerName ?? undefined,
  ];
  return { label, description: facts.filter((part) => part !== undefined && part !== "").join(" · "), icon, color };
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
