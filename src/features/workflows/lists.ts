import * as vscode from "vscode";
import { getVersionDefinition, getWorkflow, listWorkflows } from "../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { readDesign } from "../../api/families/workflow-definition.ts";
import { beganOf, packageNames, readUsingWorkflows, versionsOf } from "../../api/families/workflow-facts.ts";
import { readWorkflowTriggers, timerHoldersOf } from "../../api/families/workflow-triggers.ts";
import { parsedDate, readExecutions, readLocks, readPermissions, readTimer } from "../../api/families/workflows.ts";
import { isoDate } from "../../ui/format/dates.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { type Branch, type PageRequest, singlePageBranch } from "../../ui/tree/definition.ts";
import type { ListPart, WholeLists } from "../../ui/tree/listing.ts";
import { remarkedBranch } from "../../ui/tree/remarked-branch.ts";
import {
  type ExecutionRow,
  type TriggerRow,
  type UsedFunctionRow,
  versionRows,
  type WorkflowEntry,
  type WorkflowGroupRow,
  type WorkflowRow,
  type WorkflowTreeRow,
  workflowGroups,
  workflowLists,
  workflowRow,
} from "./rows.ts";
import { gapText } from "./trigger-gaps.ts";
import { executionName, timerOf, triggerState } from "./words.ts";

export const workflowsPageSize = 50;
export const executionsPageSize = 30;
const runsShown = 5;

/** The workflows of a tenant. The platform returns all of them, so they are filtered here. */
export function workflowsBranch(tenantId: string, workflows: WholeLists<WorkflowEntry>): Branch<WorkflowTreeRow> {
  return {
    key: "workflows",
    pageSize: workflowsPageSize,
    words: {
      things: vscode.l10n.t("workflows"),
      empty: vscode.l10n.t("No workflows yet"),
      nothingFits: vscode.l10n.t("No matching workflows"),
    },
    read: async (request) => {
      const text = request.filter.toLocaleLowerCase();
      const read = (): Promise<readonly WorkflowEntry[]> => readWorkflows(request.client, request.signal);
      const fits = ({ name }: WorkflowEntry): boolean => name.toLocaleLowerCase().includes(text);
      const { items, total, hasMore } = await workflows.page(tenantId, request, read, fits);
      return { rows: items.map((entry) => workflowRow(tenantId, entry)), total, hasMore };
    },
  };
}

/** The list below a workflow. */
export function groupsBranch(row: WorkflowRow): Branch<WorkflowTreeRow> {
  return singlePageBranch<WorkflowTreeRow>({
    key: workflowLists.groups(row.modelId),
    things: vscode.l10n.t("the workflow"),
    empty: "",
    read: (request) => readGroups(row, request),
  });
}

/** The list of one kind below a workflow. */
export function groupBranch(row: WorkflowGroupRow, executions: WholeLists<ExecutionRow>): Branch<WorkflowTreeRow> {
  const key = workflowLists.group(row.modelId, row.group);
  const list = (
    things: string,
    empty: string,
    read: (row: WorkflowGroupRow, request: PageRequest) => Promise<readonly WorkflowTreeRow[]>,
  ): Branch<WorkflowTreeRow> => singlePageBranch({ key, things, empty, read: (request) => read(row, request) });
  switch (row.group) {
    case "versions":
      return list(vscode.l10n.t("versions"), vscode.l10n.t("No versions yet"), async () => versionRows(row));
    case "executions":
      return {
        key,
        pageSize: executionsPageSize,
        words: { things: vscode.l10n.t("executions"), empty: vscode.l10n.t("No executions yet") },
        read: async (request) => {
          const { items, total, hasMore } = await readExecutionPage(executions, row, request);
          return { rows: items, total, hasMore };
        },
      };
    case "triggers":
      return remarkedBranch<WorkflowTreeRow>({
        key,
        things: vscode.l10n.t("triggers"),
        empty: vscode.l10n.t("No triggers yet"),
        read: (request) => readTriggerRows(row, request),
      });
    case "locks":
      return list(vscode.l10n.t("locks"), vscode.l10n.t("No versions are locked"), readLockRows);
    case "permissions":
      return list(vscode.l10n.t("permissions"), vscode.l10n.t("No permissions available"), readPermissionRows);
    case "usage":
      return list(vscode.l10n.t("functions"), vscode.l10n.t("No functions"), readUsedFunctions);
  }
}

/** The workflows that call a function. */
export function usingBranch(row: UsedFunctionRow): Branch<WorkflowTreeRow> {
  return singlePageBranch({
    key: row.key,
    things: vscode.l10n.t("workflows"),
    empty: vscode.l10n.t("No workflows use it"),
    read: (request) => readUsingRows(row, request),
  });
}

/** All workflows of a tenant; the platform returns them in one response. */
async function readWorkflows(client: PlatformClient, signal: AbortSignal): Promise<readonly WorkflowEntry[]> {
  const listed = await client.call(listWorkflows, {}, { signal });
  return listed.map(({ id, name, description, owner, updatedOn, createdOn, lastVersionUpdatedOn }) => ({
    id,
    name: name?.trim() || vscode.l10n.t("Unnamed workflow"),
    description: description ?? "",
    owner: String(owner ?? ""),
    updatedOn: isoDate(lastVersionUpdatedOn ?? updatedOn),
    createdOn: isoDate(createdOn),
  }));
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

/** The executions of a workflow, newest first. */
async function readExecutionPage(
  lists: WholeLists<ExecutionRow>,
  group: WorkflowGroupRow,
  request: PageRequest,
): Promise<ListPart<ExecutionRow>> {
  const { tenantId, modelId, modelName } = group;
  return lists.page(`${tenantId}/${modelId}`, request, async () => {
    const all = await readExecutions(request.client, { modelId }, { signal: request.signal });
    return all
      .filter((execution) => execution.modelId === modelId)
      .toSorted((left, right) => Number(beganOf(right) ?? 0) - Number(beganOf(left) ?? 0))
      .flatMap((execution): readonly ExecutionRow[] => {
        const { id } = execution;
        if (id === null || id === undefined) {
          return [];
        }
        const name = executionName(modelName, execution, vscode.env.language);
        return [
          {
            type: "execution",
            tenantId,
            key: `workflow/${modelId}/execution/${id}`,
            modelId,
            modelName,
            execution,
            resource: { type: "execution", tenantId, id, parentId: modelId, name },
          },
        ];
      });
  });
}

/** The triggers of a workflow, deleted ones last. */
async function readTriggerRows(
  { tenantId, modelId, modelName, userIds }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<{ readonly rows: readonly TriggerRow[]; readonly remark: string | undefined }> {
  const { triggers, gaps } = await readWorkflowTriggers(client, modelId, userIds, { signal });
  const rows = await Promise.all(
    triggers.map(async (trigger): Promise<readonly TriggerRow[]> => {
      const { id } = trigger;
      if (id === null || id === undefined) {
        return [];
      }
      const name = trigger.name?.trim() || vscode.l10n.t("Unnamed trigger");
      const state = triggerState(trigger);
      const timer = state === "active" ? timerOf(trigger) : undefined;
      const reading = timer === undefined ? undefined : await readTimer(timer.cron, timer.timeZone);
      return [
        {
          type: "trigger",
          tenantId,
          key: `workflow/${modelId}/trigger/${id}`,
          modelId,
          modelName,
          trigger,
          state,
          nextRuns: reading?.valid === true ? reading.schedule.nextRuns(runsShown) : [],
          resource: { type: "trigger", tenantId, id, parentId: modelId, name },
        },
      ];
    }),
  );
  return { rows: rows.flat(), remark: gapText(gaps) };
}

/** The versions that users have locked for editing. */
async function readLockRows(
  { tenantId, modelId, modelName }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly WorkflowTreeRow[]> {
  const locks = await readLocks(client, modelId, { signal });
  const holders = locks.map(({ lockedBy }) => lockedBy);
  const names = locks.length === 0 ? new Map<string, string>() : await userNames(client, holders, signal);
  return locks.map((lock) => ({
    type: "lock",
    tenantId,
    key: `workflow/${modelId}/lock/${lock.version}`,
    modelId,
    modelName,
    lock,
    holder: names.get(lock.lockedBy) ?? vscode.l10n.t("User {0}", lock.lockedBy),
  }));
}

/** The permissions on a workflow. */
async function readPermissionRows(
  { tenantId, modelId, modelName }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly WorkflowTreeRow[]> {
  const permissions = await readPermissions(client, modelId, { signal });
  return permissions.map((permission) => ({
    type: "permission",
    key: `workflow/${modelId}/permission/${permission.type}/${permission.id}`,
    tenantId,
    modelId,
    modelName,
    permission,
  }));
}

/** The functions that the active version calls, or the newest version if none is active. */
async function readUsedFunctions(
  { tenantId, modelId, modelName, versions }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly UsedFunctionRow[]> {
  const version = (versions.find(({ state }) => state === "active") ?? versions[0])?.version;
  if (version === undefined) {
    return [];
  }
  const { steps } = readDesign(await client.call(getVersionDefinition, { modelId, version }, { signal }));
  const called = new Map(steps.flatMap(({ calls }) => (calls === undefined ? [] : [[calls.packageId, calls]])));
  const names = await packageNames(client, steps, { signal });
  return [...called.values()].map(({ packageId, functionName }) => ({
    type: "usedFunction",
    tenantId,
    key: `workflow/${modelId}/function/${packageId}`,
    modelId,
    modelName,
    packageId,
    functionName,
    packageName: names.get(packageId) ?? packageId,
  }));
}

/** The workflows that call a function. */
async function readUsingRows(
  { tenantId, modelId, modelName, packageId, key }: UsedFunctionRow,
  { client, signal }: PageRequest,
): Promise<readonly WorkflowTreeRow[]> {
  const using = await readUsingWorkflows(client, packageId, { signal });
  return using.map((one) => ({
    type: "usingWorkflow",
    tenantId,
    key: `${key}/${one.modelId}`,
    modelId,
    modelName,
    using: one,
    resource: { type: "workflow", tenantId, id: one.modelId, name: one.name },
  }));
}
