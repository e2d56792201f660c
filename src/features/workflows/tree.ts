import * as vscode from "vscode";
import { getExecution } from "../../api/catalogue/operations/executions.ts";
import type { AccountValue } from "../../api/client/account-scope.ts";
import { beganOf, isUnderWay } from "../../api/families/workflow-facts.ts";
import type { Branch, TreeDefinition, TreeParts } from "../../ui/tree/definition.ts";
import { WholeLists } from "../../ui/tree/listing.ts";
import { workflowCard } from "./cards.ts";
import { type WorkflowSummary, workflowItem } from "./items.ts";
import {
  executionsPageSize,
  groupBranch,
  groupsBranch,
  usingBranch,
  workflowsBranch,
  workflowsPageSize,
} from "./lists.ts";
import { startForm } from "./lookup-details.ts";
import {
  type ExecutionRow,
  versionPartRows,
  versionRows,
  type WorkflowEntry,
  type WorkflowRow,
  type WorkflowTreeRow,
} from "./rows.ts";

interface WorkflowLists {
  readonly workflows: WholeLists<WorkflowEntry>;
  readonly executions: WholeLists<ExecutionRow>;
  /** Facts about a workflow from the lists below it, by its id. */
  readonly summaries: Map<string, WorkflowSummary>;
  readonly rows: Map<string, WorkflowRow>;
}

const workflowLists: AccountValue<WorkflowLists> = {
  create: () => ({
    workflows: new WholeLists(workflowsPageSize, 5),
    executions: new WholeLists(executionsPageSize, 5),
    summaries: new Map(),
    rows: new Map(),
  }),
};

/** The Workflows view: the tenant's workflows, and below each its versions, executions, triggers, and other lists. */
export function workflowsTree(parts: TreeParts): TreeDefinition<WorkflowTreeRow> {
  const listsOf = (tenantId: string): WorkflowLists => parts.connections.account(tenantId).get(workflowLists);
  const summaryOf = ({ tenantId, modelId }: WorkflowTreeRow): WorkflowSummary =>
    listsOf(tenantId).summaries.get(modelId) ?? {};
  const mergeSummary = (row: WorkflowTreeRow, summary: WorkflowSummary): boolean => {
    const before = summaryOf(row);
    const after = { ...before, ...summary };
    listsOf(row.tenantId).summaries.set(row.modelId, after);
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
    top: (tenantId) => workflowsBranch(tenantId, listsOf(tenantId).workflows),
    below: (row) => below(row, listsOf(row.tenantId).executions),
    item: (row) => workflowItem(row, summaryOf(row)),
    card: (row, signal) => workflowCard(parts, row, summaryOf(row), signal),
    open: openCommand,
    isChanging: (row) => row.type === "execution" && isUnderWay(row.execution),
    readAgain: async (row, client) =>
      row.type === "execution"
        ? { ...row, execution: await client.call(getExecution, { executionId: row.resource.id }) }
        : row,
    onRead: (_, rows, replace) => {
      const [first] = rows;
      if (first?.type === "workflowGroup") {
        const [newest] = first.versions;
        const version = first.versions.find(({ state }) => state === "active") ?? newest;
        listsOf(first.tenantId).rows.set(first.modelId, first.workflowRow);
        if (mergeSummary(first, { version: version?.version ?? "" })) {
          replace(first.workflowRow);
        }
      } else if (first?.type === "execution") {
        const own = listsOf(first.tenantId).rows.get(first.modelId);
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

function below(
  row: WorkflowTreeRow,
  executions: WholeLists<ExecutionRow>,
): readonly WorkflowTreeRow[] | Branch<WorkflowTreeRow> | undefined {
  switch (row.type) {
    case "workflow":
      return groupsBranch(row);
    case "workflowGroup":
      // The workflow's response contains the versions. A list is needed only to show that there are none.
      return row.group === "versions" && row.versions.length > 0 ? versionRows(row) : groupBranch(row, executions);
    case "workflowVersion":
      return versionPartRows(row);
    case "usedFunction":
      return usingBranch(row);
    default:
      return undefined;
  }
}

/** The command of Enter: opens the diagram of a version, or the details of other rows that have them. */
function openCommand(row: WorkflowTreeRow): vscode.Command | undefined {
  switch (row.type) {
    case "workflowVersion":
    case "workflowDefinition":
      return {
        command: "platformWorkbench.showWorkflowDefinition",
        title: vscode.l10n.t("Show Workflow Definition"),
        arguments: [row],
      };
    case "workflowForm":
      return {
        command: "platformWorkbench.showDetails",
        title: vscode.l10n.t("Show Start Form"),
        arguments: [
          startForm({ tenantId: row.tenantId, modelId: row.modelId, name: row.modelName }, { version: row.version }),
        ],
      };
    default:
      return undefined;
  }
}
