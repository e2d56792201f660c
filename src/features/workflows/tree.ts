import * as vscode from "vscode";
import { getExecution } from "../../api/catalogue/operations/executions.ts";
import type { AccountValue } from "../../api/client/account-scope.ts";
import { beganOf } from "../../api/families/workflow-facts.ts";
import type { TreeDefinition, TreeParts, TreeRow } from "../../ui/tree/definition.ts";
import { isOfKind, rowsOfKinds } from "../../ui/tree/row-kind.ts";
import { attachedTriggersReader, startFormReader } from "./lookup-details.ts";
import { lock, permission } from "./rows/access.ts";
import { execution } from "./rows/execution.ts";
import { workflowGroup } from "./rows/group.ts";
import { trigger } from "./rows/trigger.ts";
import { usedFunction, usingWorkflow } from "./rows/usage.ts";
import { workflowDefinition, workflowForm, workflowVersion } from "./rows/version.ts";
import { workflow, workflowsBranch } from "./rows/workflow.ts";
import type { OfWorkflow, WorkflowRow, WorkflowSummary } from "./rows/workflow-row.ts";

const kinds = [
  ...[workflow, workflowGroup, workflowVersion, workflowDefinition, workflowForm, execution, trigger],
  ...[lock, permission, usedFunction, usingWorkflow],
];

/** Reads workflows and their contents for their documents. */
export const workflowReaders = {
  workflow: workflow.details,
  workflowVersion: workflowVersion.details,
  execution: execution.details,
  trigger: trigger.details,
  startForm: startFormReader,
  attachedTriggers: attachedTriggersReader,
};

/** What the rows below a workflow tell about it. */
interface KnownWorkflows {
  /** Facts about a workflow from the lists below it, by its id. */
  readonly summaries: Map<string, WorkflowSummary>;
  readonly rows: Map<string, WorkflowRow>;
}

const knownOfAccount: AccountValue<KnownWorkflows> = {
  create: () => ({
    summaries: new Map(),
    rows: new Map(),
  }),
};

/** The Workflows view: the tenant's workflows, and below each its versions, executions, triggers, and other lists. */
export function workflowsTree(parts: TreeParts): TreeDefinition<TreeRow> {
  const knownOf = (tenantId: string): KnownWorkflows => parts.connections.account(tenantId).get(knownOfAccount);
  const summaryOf = ({ tenantId, modelId }: OfWorkflow): WorkflowSummary =>
    knownOf(tenantId).summaries.get(modelId) ?? {};
  const mergeSummary = (row: OfWorkflow, summary: WorkflowSummary): boolean => {
    const before = summaryOf(row);
    const after = { ...before, ...summary };
    knownOf(row.tenantId).summaries.set(row.modelId, after);
    return before.version !== after.version || before.lastRun !== after.lastRun;
  };

  return {
    view: "workflows",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its workflows"),
      filterTitle: vscode.l10n.t("Filter Workflows"),
      filterPlaceholder: vscode.l10n.t("Search workflows by name"),
      filtered: (filter) => vscode.l10n.t('Workflows with "{0}" in their name', filter),
    },
    top: workflowsBranch,
    ...rowsOfKinds(kinds, { summaryOf }, parts),
    readAgain: async (row, client) =>
      isOfKind(row, execution)
        ? { ...row, execution: await client.call(getExecution, { executionId: row.resource.id }) }
        : row,
    onRead: (_, rows, replace) => {
      const [first] = rows;
      if (first !== undefined && isOfKind(first, workflowGroup)) {
        const [newest] = first.versions;
        const version = first.versions.find(({ state }) => state === "active") ?? newest;
        knownOf(first.tenantId).rows.set(first.modelId, first.workflowRow);
        if (mergeSummary(first, { version: version?.version ?? "" })) {
          replace(first.workflowRow);
        }
      } else if (first !== undefined && isOfKind(first, execution)) {
        const own = knownOf(first.tenantId).rows.get(first.modelId);
        const began = beganOf(first.execution)?.toISOString() ?? "";
        const before = summaryOf(first).lastRun ?? "";
        // An execution that was read individually may not be the last one.
        if (began > before && mergeSummary(first, { lastRun: began }) && own !== undefined) {
          replace(own);
        }
      }
    },
  };
}
