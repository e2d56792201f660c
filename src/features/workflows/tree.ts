import * as vscode from "vscode";
import { getExecution } from "../../api/catalogue/operations/executions.ts";
import { beganOf, isUnderWay } from "../../api/families/workflow-facts.ts";
import type { Branch, BranchPage, PageRequest, TreeDefinition } from "../../ui/tree/definition.ts";
import type { TreeParts } from "../../ui/tree/platform-tree.ts";
import { WholeLists } from "../../ui/tree/whole-lists.ts";
import { workflowCard } from "./cards.ts";
import { type WorkflowSummary, workflowItem } from "./items.ts";
import {
  readExecutionPage,
  readGroups,
  readLockRows,
  readPermissionRows,
  readTriggerRows,
  readUsedFunctions,
  readUsingRows,
  readWorkflows,
  versionRows,
  workflowRow,
} from "./lists.ts";
import {
  type ExecutionRow,
  type WorkflowEntry,
  type WorkflowGroupRow,
  type WorkflowRow,
  type WorkflowTreeRow,
  workflowLists,
} from "./rows.ts";

export type { WorkflowTreeRow } from "./rows.ts";

const pageSize = 50;
const executionsAtATime = 30;

/** The Workflows view: the tenant's workflows, and below each its versions, executions, triggers and the rest. */
export function workflowsTree(parts: TreeParts): TreeDefinition<WorkflowTreeRow> {
  const workflows = new WholeLists<WorkflowEntry>(pageSize, 5);
  const executions = new WholeLists<ExecutionRow>(executionsAtATime, 5);
  /** What lists below a workflow told about it. */
  const summaries = new Map<string, WorkflowSummary>();
  const ownRows = new Map<string, WorkflowRow>();
  const summaryKey = (row: WorkflowTreeRow): string => `${row.tenantId}/${row.modelId}`;
  const learn = (row: WorkflowTreeRow, summary: WorkflowSummary): boolean => {
    const before = summaries.get(summaryKey(row));
    const after = { ...before, ...summary };
    summaries.set(summaryKey(row), after);
    return before?.version !== after.version || before?.lastRun !== after.lastRun;
  };

  return {
    view: "workflows",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its workflows"),
      filterTitle: vscode.l10n.t("Filter Workflows"),
      filterPlaceholder: vscode.l10n.t("Part of a workflow's name"),
      filtered: (filter) => vscode.l10n.t('Workflows with "{0}" in their name', filter),
    },
    top: (tenantId) => ({
      key: "workflows",
      pageSize,
      words: {
        things: vscode.l10n.t("workflows"),
        empty: vscode.l10n.t("No workflows yet"),
        nothingFits: vscode.l10n.t("No workflow has this in its name"),
      },
      read: async (request) => {
        const text = request.filter.toLocaleLowerCase();
        const read = (): Promise<readonly WorkflowEntry[]> => readWorkflows(request.client, request.signal);
        const fits = ({ name }: WorkflowEntry): boolean => name.toLocaleLowerCase().includes(text);
        const { items, total, hasMore } = await workflows.page(tenantId, request, read, fits);
        return { rows: items.map((entry) => workflowRow(tenantId, entry)), total, hasMore };
      },
    }),
    below: (row) => below(row, executions),
    item: (row) => workflowItem(row, summaries.get(summaryKey(row)) ?? {}),
    card: (row, signal) => workflowCard(parts, row, summaries.get(summaryKey(row)) ?? {}, signal),
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
        ownRows.set(summaryKey(first), first.workflowRow);
        if (learn(first, { version: version?.version ?? "" })) {
          replace(first.workflowRow);
        }
      } else if (first?.type === "execution") {
        const own = ownRows.get(summaryKey(first));
        const began = beganOf(first.execution)?.toISOString() ?? "";
        const before = summaries.get(summaryKey(first))?.lastRun ?? "";
        // One that is read again alone need not be the last one.
        if (began > before && learn(first, { lastRun: began }) && own !== undefined) {
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
      return branch(workflowLists.groups(row.modelId), vscode.l10n.t("the workflow"), "", (request) =>
        readGroups(row, request),
      );
    case "workflowGroup":
      return belowGroup(row, executions);
    case "workflowVersion": {
      const { tenantId, key, modelId, modelName, version } = row;
      const common = { tenantId, modelId, modelName, version: version.version };
      return [
        { type: "workflowDefinition", key: `${key}/definition`, ...common },
        { type: "workflowForm", key: `${key}/form`, ...common },
      ];
    }
    case "usedFunction":
      return branch(row.key, vscode.l10n.t("workflows"), vscode.l10n.t("No workflow uses it"), (request) =>
        readUsingRows(row, request),
      );
    default:
      return undefined;
  }
}

function belowGroup(
  row: WorkflowGroupRow,
  executions: WholeLists<ExecutionRow>,
): readonly WorkflowTreeRow[] | Branch<WorkflowTreeRow> {
  const key = workflowLists.group(row.modelId, row.group);
  switch (row.group) {
    case "versions":
      // The workflow's own answer told them; a list says that there is none.
      return row.versions.length > 0
        ? versionRows(row)
        : branch(key, vscode.l10n.t("versions"), vscode.l10n.t("No versions yet"), async () => []);
    case "executions":
      return {
        key,
        pageSize: executionsAtATime,
        words: { things: vscode.l10n.t("executions"), empty: vscode.l10n.t("No executions yet") },
        read: async (request) => {
          const { items, total, hasMore } = await readExecutionPage(executions, row, request);
          return { rows: items, total, hasMore };
        },
      };
    case "triggers":
      return branch(key, vscode.l10n.t("triggers"), vscode.l10n.t("No triggers yet"), (request) =>
        readTriggerRows(row, request),
      );
    case "locks":
      return branch(key, vscode.l10n.t("locks"), vscode.l10n.t("Nobody holds a version"), (request) =>
        readLockRows(row, request),
      );
    case "permissions":
      return branch(key, vscode.l10n.t("permissions"), vscode.l10n.t("No permissions told"), (request) =>
        readPermissionRows(row, request),
      );
    case "usage":
      return branch(key, vscode.l10n.t("functions"), vscode.l10n.t("Calls no functions"), (request) =>
        readUsedFunctions(row, request),
      );
  }
}

/** A list that comes in one answer. */
function branch(
  key: string,
  things: string,
  empty: string,
  read: (request: PageRequest) => Promise<readonly WorkflowTreeRow[]>,
): Branch<WorkflowTreeRow> {
  return {
    key,
    pageSize,
    words: { things, empty },
    read: async (request): Promise<BranchPage<WorkflowTreeRow>> => ({ rows: await read(request), hasMore: false }),
  };
}

/** What Enter does: the diagram of a version, the details of all else that has some. */
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
        command: "platformWorkbench.showWorkflowForm",
        title: vscode.l10n.t("Show Start Form"),
        arguments: [row],
      };
    default:
      return undefined;
  }
}
