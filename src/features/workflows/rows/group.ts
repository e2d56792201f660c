import * as vscode from "vscode";
import { getWorkflow } from "../../../api/catalogue/operations/workflows.ts";
import { versionsOf } from "../../../api/families/workflow-facts.ts";
import { timerHoldersOf } from "../../../api/families/workflow-triggers.ts";
import { parsedDate } from "../../../api/families/workflows.ts";
import { type Branch, type PageRequest, singlePageBranch, type TreeRow } from "../../../ui/tree/definition.ts";
import type { RowKind } from "../../../ui/tree/row-kind.ts";
import { listBranch, listItem } from "../../../ui/tree/row-list.ts";
import { locksGroup, permissionsGroup } from "./access.ts";
import { executionsGroup } from "./execution.ts";
import { triggersGroup } from "./trigger.ts";
import { usageGroup } from "./usage.ts";
import { versionsGroup } from "./version.ts";
import {
  type GroupName,
  type WorkflowGroup,
  type WorkflowGroupRow,
  type WorkflowRow,
  workflowGroups,
  workflowLists,
} from "./workflow-row.ts";

const groups: Readonly<Record<GroupName, WorkflowGroup>> = {
  versions: versionsGroup,
  executions: executionsGroup,
  triggers: triggersGroup,
  locks: locksGroup,
  permissions: permissionsGroup,
  usage: usageGroup,
};

export const workflowGroup: RowKind<WorkflowGroupRow> = {
  type: "workflowGroup",
  item: (row) => ({ ...listItem(groups[row.group], row), contextValue: `workflowGroup.${row.group}` }),
  below: (row) => {
    const known = groups[row.group].known?.(row) ?? [];
    return known.length > 0 ? known : groupBranch(row);
  },
};

/** The list of one kind below a workflow. */
export function groupBranch(row: WorkflowGroupRow): Branch<TreeRow> {
  return listBranch(groups[row.group], row);
}

/** The list below a workflow. */
export function groupsBranch(row: WorkflowRow): Branch<TreeRow> {
  return singlePageBranch<TreeRow>({
    key: workflowLists.groups(row.modelId),
    things: vscode.l10n.t("the workflow"),
    empty: "",
    read: (request) => readGroups(row, request),
  });
}

/** The groups below a workflow, with counts from one request. */
async function readGroups(row: WorkflowRow, { client, signal }: PageRequest): Promise<readonly WorkflowGroupRow[]> {
  const { tenantId, modelId, modelName, workflow } = row;
  const model = await client.call(getWorkflow, { modelId }, { signal });
  const versions = versionsOf(model);
  const locks = (model.lockInfo ?? []).flatMap(({ version, lockedBy, lockedOn }) => {
    const holder = String(lockedBy ?? "");
    return holder === ""
      ? []
      : [{ version: version ?? "", lockedBy: holder, lockedOn: parsedDate(lockedOn), isStale: false }];
  });
  const runs = model.totalTimesRun ?? model.totalExecutions ?? undefined;
  const userIds = timerHoldersOf({ ...model, owner: model.owner ?? workflow.owner });
  return workflowGroups.map((group) => ({
    type: "workflowGroup",
    tenantId,
    key: workflowLists.group(modelId, group),
    modelId,
    modelName,
    group,
    workflowRow: row,
    versions,
    locks,
    runs,
    userIds,
  }));
}
