import * as vscode from "vscode";
import { getSignedInUser } from "../../api/catalogue/operations/users.ts";
import {
  getVersionDefinition,
  getWorkflow,
  getWorkflowUsage,
  listWorkflows,
} from "../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { readDesign } from "../../api/families/workflow-definition.ts";
import {
  beganOf,
  packageNames,
  readTriggersOf,
  usingWorkflowsOf,
  versionsOf,
} from "../../api/families/workflow-facts.ts";
import { readExecutions, readLocks, readPermissions, readTimer, timeOf } from "../../api/families/workflows.ts";
import { versionName } from "../../ui/format/version-name.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import type { PageRequest } from "../../ui/tree/definition.ts";
import type { ListPart, WholeLists } from "../../ui/tree/whole-lists.ts";
import {
  type ExecutionRow,
  type TriggerRow,
  type UsedFunctionRow,
  type WorkflowEntry,
  type WorkflowGroupRow,
  type WorkflowRow,
  type WorkflowTreeRow,
  workflowGroups,
  workflowLists,
} from "./rows.ts";
import { executionName, timerOf, triggerState } from "./words.ts";

const runsShown = 5;

/** All workflows of the tenant; the platform lists them in one answer. */
export async function readWorkflows(client: PlatformClient, signal: AbortSignal): Promise<readonly WorkflowEntry[]> {
  const listed = await client.call(listWorkflows, {}, { signal });
  return listed.map(({ id, name, description, owner, updatedOn, createdOn, lastVersionUpdatedOn }) => ({
    id,
    name: name?.trim() || vscode.l10n.t("Unnamed workflow"),
    description: description ?? "",
    owner: String(owner ?? ""),
    updatedOn: isoOf(lastVersionUpdatedOn ?? updatedOn),
    createdOn: isoOf(createdOn),
  }));
}

/** A time of the platform as ISO 8601. */
export function isoOf(time: string | number | null | undefined): string | undefined {
  return timeOf(time)?.toISOString();
}

export function workflowRow(tenantId: string, workflow: WorkflowEntry): WorkflowRow {
  const { id, name } = workflow;
  return {
    type: "workflow",
    ...{ tenantId, key: workflowLists.groups(id), modelId: id, modelName: name, workflow },
    resource: { type: "workflow", tenantId, id, name },
  };
}

/** What belongs to a workflow, kind by kind: one request tells how much there is of each. */
export async function readGroups(
  row: WorkflowRow,
  { client, signal }: PageRequest,
): Promise<readonly WorkflowGroupRow[]> {
  const { tenantId, modelId, modelName, workflow } = row;
  const model = await client.call(getWorkflow, { modelId }, { signal });
  const versions = versionsOf(model);
  const locks = (model.lockInfo ?? []).flatMap(({ version, lockedBy, lockedOn }) => {
    const holder = String(lockedBy ?? "");
    return holder === ""
      ? []
      : [{ version: version ?? "", lockedBy: holder, lockedOn: timeOf(lockedOn), isStale: false }];
  });
  const runs = model.totalTimesRun ?? model.totalExecutions ?? undefined;
  const userIds = [String(model.owner ?? workflow.owner), ...versions.map(({ createdBy }) => createdBy)];
  return workflowGroups.map((group) => ({
    type: "workflowGroup",
    ...{ tenantId, key: workflowLists.group(modelId, group), modelId, modelName },
    ...{ group, workflowRow: row, versions, locks, runs, userIds: [...new Set(userIds)].filter((id) => id !== "") },
  }));
}

/** The versions of a workflow, the newest first; the workflow's own answer told them. */
export function versionRows({
  tenantId,
  modelId,
  modelName,
  versions,
  locks,
}: WorkflowGroupRow): readonly WorkflowTreeRow[] {
  return versions.map((version) => ({
    type: "workflowVersion",
    ...{ tenantId, key: `workflow/${modelId}/version/${version.version}`, modelId, modelName, version },
    lock: locks.find((lock) => lock.version === version.version),
    resource: {
      type: "workflowVersion",
      ...{ tenantId, id: version.version, parentId: modelId, name: versionName(modelName, version.version) },
    },
  }));
}

/** The executions of a workflow, the newest first. */
export async function readExecutionPage(
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
            ...{ tenantId, key: `workflow/${modelId}/execution/${id}`, modelId, modelName, execution },
            resource: { type: "execution", tenantId, id, parentId: modelId, name },
          },
        ];
      });
  });
}

/** What starts a workflow, deleted triggers last. */
export async function readTriggerRows(
  { tenantId, modelId, modelName, userIds }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly TriggerRow[]> {
  const me = await client.call(getSignedInUser, {}, { signal });
  const triggers = await readTriggersOf(client, modelId, [String(me.id), ...userIds], { signal });
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
          ...{ tenantId, key: `workflow/${modelId}/trigger/${id}`, modelId, modelName, trigger, state },
          nextRuns: reading?.valid === true ? reading.schedule.nextRuns(runsShown) : [],
          resource: { type: "trigger", tenantId, id, parentId: modelId, name },
        },
      ];
    }),
  );
  return rows.flat();
}

/** Who holds which version for editing. */
export async function readLockRows(
  { tenantId, modelId, modelName }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly WorkflowTreeRow[]> {
  const locks = await readLocks(client, modelId, { signal });
  const holders = locks.map(({ lockedBy }) => lockedBy);
  const names = locks.length === 0 ? new Map<string, string>() : await userNames(client, tenantId, holders, signal);
  return locks.map((lock) => ({
    type: "lock",
    ...{ tenantId, key: `workflow/${modelId}/lock/${lock.version}`, modelId, modelName, lock },
    holder: names.get(lock.lockedBy) ?? vscode.l10n.t("User {0}", lock.lockedBy),
  }));
}

/** Who may do what with a workflow. */
export async function readPermissionRows(
  { tenantId, modelId, modelName }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly WorkflowTreeRow[]> {
  const permissions = await readPermissions(client, modelId, { signal });
  return permissions.map((permission) => ({
    type: "permission",
    key: `workflow/${modelId}/permission/${permission.type}/${permission.id}`,
    ...{ tenantId, modelId, modelName, permission },
  }));
}

/** The functions that the active version calls, or the newest where none is active. */
export async function readUsedFunctions(
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
    ...{ tenantId, key: `workflow/${modelId}/function/${packageId}`, modelId, modelName, packageId, functionName },
    packageName: names.get(packageId) ?? packageId,
  }));
}

/** The workflows that call a function. */
export async function readUsingRows(
  { tenantId, modelId, modelName, packageId, key }: UsedFunctionRow,
  { client, signal }: PageRequest,
): Promise<readonly WorkflowTreeRow[]> {
  const query = { entityType: "CODEENGINE_FUNCTION", entityId: packageId, parts: "items" };
  const using = usingWorkflowsOf(await client.call(getWorkflowUsage, query, { signal }));
  return using.map((one) => ({
    type: "usingWorkflow",
    ...{ tenantId, key: `${key}/${one.modelId}`, modelId, modelName, using: one },
    resource: { type: "workflow", tenantId, id: one.modelId, name: one.name },
  }));
}
