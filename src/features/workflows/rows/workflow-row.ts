import type { VersionOfWorkflow } from "../../../api/families/workflow-facts.ts";
import type { WorkflowLock } from "../../../api/families/workflows.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import type { TreeRow } from "../../../ui/tree/definition.ts";
import type { RowList } from "../../../ui/tree/row-list.ts";

/** The fields of a workflow's row and card, from the list. */
export interface WorkflowEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly updatedOn: string | undefined;
  readonly createdOn: string | undefined;
}

/** The workflow that a row belongs to. */
export interface OfWorkflow extends TreeRow {
  readonly modelId: string;
  readonly modelName: string;
}

export interface WorkflowRow extends OfWorkflow {
  readonly type: "workflow";
  readonly workflow: WorkflowEntry;
  readonly resource: PlatformResource;
}

export const workflowGroups = ["versions", "executions", "triggers", "locks", "permissions", "usage"] as const;
export type GroupName = (typeof workflowGroups)[number];

/** A group of rows below a workflow, such as its versions. */
export interface WorkflowGroupRow extends OfWorkflow {
  readonly type: "workflowGroup";
  readonly group: GroupName;
  /** The workflow's own row. */
  readonly workflowRow: WorkflowRow;
  readonly versions: readonly VersionOfWorkflow[];
  readonly locks: readonly WorkflowLock[];
  readonly runs: number | undefined;
  /** The users whose timers could start it: the owner, and the creators of its versions. */
  readonly userIds: readonly string[];
}

/** A list below a workflow. */
export interface WorkflowGroup extends RowList<WorkflowGroupRow> {
  /** The rows, if the workflow's response contains them. */
  known?(row: WorkflowGroupRow): readonly TreeRow[];
}

/** Facts about a workflow that are known once the lists below it have been read. */
export interface WorkflowSummary {
  /** Its active or newest version; empty for a workflow without versions. */
  readonly version?: string | undefined;
  /** The start time of its last run, in ISO 8601. */
  readonly lastRun?: string | undefined;
}

/** What the tree knows besides its rows. */
export interface WorkflowsState {
  summaryOf(row: OfWorkflow): WorkflowSummary;
}

/** Keys of the lists below a workflow, for reading them again after a change. */
export const workflowLists = {
  groups: (modelId: string) => `workflow/${modelId}`,
  group: (modelId: string, group: GroupName) => `workflow/${modelId}/${group}`,
} as const;

/** Keys of the rows on the path to a row, ending with its own, for selecting it. */
export const workflowRows = {
  workflow: (modelId: string) => [`workflow/${modelId}`],
  version: (modelId: string, version: string) => [
    ...workflowRows.workflow(modelId),
    workflowLists.group(modelId, "versions"),
    `workflow/${modelId}/version/${version}`,
  ],
  execution: (modelId: string, id: string) => [
    ...workflowRows.workflow(modelId),
    workflowLists.group(modelId, "executions"),
    `workflow/${modelId}/execution/${id}`,
  ],
  trigger: (modelId: string, id: string) => [
    ...workflowRows.workflow(modelId),
    workflowLists.group(modelId, "triggers"),
    `workflow/${modelId}/trigger/${id}`,
  ],
} as const;

export function workflowRow(tenantId: string, workflow: WorkflowEntry): WorkflowRow {
  const { id, name } = workflow;
  return {
    type: "workflow",
    tenantId,
    key: workflowLists.groups(id),
    modelId: id,
    modelName: name,
    workflow,
    resource: { type: "workflow", tenantId, id, name },
  };
}
