import type { Trigger, WorkflowExecution } from "../../api/catalogue/models/workflows.ts";
import type { UsingWorkflow, VersionOfWorkflow } from "../../api/families/workflow-facts.ts";
import type { WorkflowLock, WorkflowPermission } from "../../api/families/workflows.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import type { TreeRow } from "../../ui/tree/definition.ts";

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
interface OfWorkflow extends TreeRow {
  readonly modelId: string;
  readonly modelName: string;
}

export interface WorkflowRow extends OfWorkflow {
  readonly type: "workflow";
  readonly workflow: WorkflowEntry;
  readonly resource: PlatformResource;
}

export const workflowGroups = ["versions", "executions", "triggers", "locks", "permissions", "usage"] as const;
export type WorkflowGroup = (typeof workflowGroups)[number];

/** A group of rows below a workflow, such as its versions. */
export interface WorkflowGroupRow extends OfWorkflow {
  readonly type: "workflowGroup";
  readonly group: WorkflowGroup;
  /** The workflow's own row. */
  readonly workflowRow: WorkflowRow;
  readonly versions: readonly VersionOfWorkflow[];
  readonly locks: readonly WorkflowLock[];
  readonly runs: number | undefined;
  /** The users whose timers could start it: the owner, and the creators of its versions. */
  readonly userIds: readonly string[];
}

export interface WorkflowVersionRow extends OfWorkflow {
  readonly type: "workflowVersion";
  readonly version: VersionOfWorkflow;
  readonly lock: WorkflowLock | undefined;
  readonly resource: PlatformResource;
}

/** The definition of a version, or its start form. */
interface WorkflowPartRow extends OfWorkflow {
  readonly type: "workflowDefinition" | "workflowForm";
  readonly version: string;
}

export interface ExecutionRow extends OfWorkflow {
  readonly type: "execution";
  readonly execution: WorkflowExecution;
  readonly resource: PlatformResource;
}

export type TriggerState = "active" | "inactive" | "deleted";

export interface TriggerRow extends OfWorkflow {
  readonly type: "trigger";
  readonly trigger: Trigger;
  readonly state: TriggerState;
  /** The next runs of an active timer, at most five. */
  readonly nextRuns: readonly Date[];
  readonly resource: PlatformResource;
}

export interface LockRow extends OfWorkflow {
  readonly type: "lock";
  readonly lock: WorkflowLock;
  /** The name of the user who holds the lock. */
  readonly holder: string;
}

interface PermissionRow extends OfWorkflow {
  readonly type: "permission";
  readonly permission: WorkflowPermission;
}

/** A function that the workflow calls. */
export interface UsedFunctionRow extends OfWorkflow {
  readonly type: "usedFunction";
  readonly packageId: string;
  readonly packageName: string;
  readonly functionName: string;
}

/** Another workflow that calls the same function. */
interface UsingWorkflowRow extends OfWorkflow {
  readonly type: "usingWorkflow";
  readonly using: UsingWorkflow;
  readonly resource: PlatformResource;
}

/** A row of the Workflows view. */
export type WorkflowTreeRow =
  | WorkflowRow
  | WorkflowGroupRow
  | WorkflowVersionRow
  | WorkflowPartRow
  | ExecutionRow
  | TriggerRow
  | LockRow
  | PermissionRow
  | UsedFunctionRow
  | UsingWorkflowRow;

/** Keys of the lists below a workflow, for reading them again after a change. */
export const workflowLists = {
  groups: (modelId: string) => `workflow/${modelId}`,
  group: (modelId: string, group: WorkflowGroup) => `workflow/${modelId}/${group}`,
} as const;

/** Keys of the rows on the path to a row, ending with its own, for selecting it. */
export const workflowRows = {
  workflow: (modelId: string) => [`workflow/${modelId}`],
  version: (modelId: string, version: string) => [
    ...workflowRows.workflow(modelId),
    workflowLists.group(modelId, "versions"),
    `workflow/${modelId}/version/${version}`,
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

/** The versions of a workflow, newest first, from the workflow's response. */
export function versionRows(group: WorkflowGroupRow): readonly WorkflowVersionRow[] {
  const { tenantId, modelId, modelName, versions, locks } = group;
  return versions.map((version) => ({
    type: "workflowVersion",
    tenantId,
    key: `workflow/${modelId}/version/${version.version}`,
    modelId,
    modelName,
    version,
    lock: locks.find((lock) => lock.version === version.version),
    resource: {
      type: "workflowVersion",
      tenantId,
      id: version.version,
      parentId: modelId,
      name: versionName(modelName, version.version),
    },
  }));
}

/** The rows below a version. */
export function versionPartRows(row: WorkflowVersionRow): readonly WorkflowPartRow[] {
  const { tenantId, key, modelId, modelName } = row;
  const { version } = row.version;
  return [
    { type: "workflowDefinition", key: `${key}/definition`, tenantId, modelId, modelName, version },
    { type: "workflowForm", key: `${key}/form`, tenantId, modelId, modelName, version },
  ];
}
