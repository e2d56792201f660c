import type { Trigger, WorkflowExecution, WorkflowModel } from "../catalogue/models/workflows.ts";
import type { InputOf } from "../catalogue/operation.ts";
import { listCodeEnginePackages } from "../catalogue/operations/instance.ts";
import { listTriggers } from "../catalogue/operations/triggers.ts";
import { getWorkflowUsage } from "../catalogue/operations/workflows.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { containedList, isObject } from "../client/contained-list.ts";
import { shortened } from "../text.ts";
import type { WorkflowStep } from "./workflow-definition.ts";
import { isDeleted, parsedDate } from "./workflows.ts";
import { withoutListError } from "./wrapped-list.ts";

/** A version of a workflow: a draft, released, or released and active. */
export interface VersionOfWorkflow {
  readonly version: string;
  readonly state: "draft" | "released" | "active";
  readonly description: string;
  readonly createdOn: Date | undefined;
  readonly createdBy: string;
  readonly deployedOn: Date | undefined;
  readonly runs: number | undefined;
}

/** The versions of a workflow, newest first. Bare version strings have no further information. */
export function versionsOf({ versions }: Pick<WorkflowModel, "versions">): readonly VersionOfWorkflow[] {
  return (versions ?? [])
    .map((entry): VersionOfWorkflow => {
      const { version, active, description, createdOn, createdBy, deployedOn, totalTimesRun } =
        typeof entry === "string" ? { version: entry } : entry;
      const deployed = parsedDate(deployedOn);
      return {
        version: version ?? "",
        state: active === true ? "active" : deployed === undefined ? "draft" : "released",
        description: description ?? "",
        createdOn: parsedDate(createdOn),
        createdBy: String(createdBy ?? ""),
        deployedOn: deployed,
        runs: totalTimesRun ?? undefined,
      };
    })
    .toSorted((left, right) => right.version.localeCompare(left.version, "en", { numeric: true }));
}

/** The start time of an execution; before it starts, the time of the request. */
export function beganOf(execution: WorkflowExecution): Date | undefined {
  return parsedDate(execution.startedAt) ?? parsedDate(execution.createdAt);
}

/** The duration of an execution in milliseconds, up to now if it is still running; undefined if it hasn't started. */
export function lengthOf(execution: WorkflowExecution, now: number = Date.now()): number | undefined {
  const started = parsedDate(execution.startedAt);
  return started === undefined ? undefined : (parsedDate(execution.finishedAt)?.getTime() ?? now) - started.getTime();
}

/** True if the execution has not ended, judged by its status (API description, 3). */
export function isUnderWay({ status }: WorkflowExecution): boolean {
  return status === "IN_PROGRESS" || status === "NOT_STARTED" || status === null || status === undefined;
}

/**
 * All triggers of a workflow (API description, 2.8), including deleted ones, newest first: the workflow's own, and
 * those of the given users that refer to it. Timers belong to the user who created them, and other users' timers can't
 * be listed. If some lists can't be read, returns the triggers of the others. Throws if no list can be read.
 */
export async function readTriggersOf(
  client: PlatformClient,
  modelId: string,
  userIds: readonly string[],
  options: CallOptions & { readonly onHolderFailure?: (error: unknown) => void } = {},
): Promise<readonly Trigger[]> {
  const holders = [
    { entityType: client.dialect.workflowEntityType, entityId: modelId },
    ...[...new Set(userIds)].map((entityId) => ({ entityType: "USER", entityId })),
  ];
  const lists = await Promise.allSettled(holders.map((holder) => client.call(listTriggers, holder, options)));
  const read = lists.flatMap((list) => (list.status === "fulfilled" ? [list.value] : []));
  const failed = lists.find((list) => list.status === "rejected");
  options.signal?.throwIfAborted();
  if (failed !== undefined && read.length === 0) {
    throw failed.reason;
  }
  for (const { reason } of lists.filter((list) => list.status === "rejected")) {
    options.onHolderFailure?.(reason);
  }
  return newestFirst(read.flat().filter((trigger) => trigger.modelId === modelId));
}

/** The triggers that are attached to the given versions of a workflow. An empty list means all versions. */
export async function readTriggersOfVersions(
  client: PlatformClient,
  modelId: string,
  versions: readonly string[],
  options: CallOptions = {},
): Promise<readonly Trigger[]> {
  const holder = { entityType: client.dialect.workflowEntityType, entityId: modelId };
  const entityVersions = versions.length === 0 ? {} : { entityVersions: versions.join(",") };
  return newestFirst(await client.call(listTriggers, { ...holder, ...entityVersions }, options));
}

/** Sorts triggers by creation time, newest first, and deleted ones last. */
export function newestFirst(triggers: readonly Trigger[]): readonly Trigger[] {
  return triggers.toSorted((left, right) => {
    const byState = Number(isDeleted(left)) - Number(isDeleted(right));
    return byState || (parsedDate(right.createdAt)?.getTime() ?? 0) - (parsedDate(left.createdAt)?.getTime() ?? 0);
  });
}

/**
 * The names, by id, of the packages whose functions the steps call. Empty if the packages can't be listed. Sends no
 * request if no step calls a function.
 */
export async function packageNames(
  client: PlatformClient,
  steps: readonly Pick<WorkflowStep, "calls">[],
  options: CallOptions = {},
): Promise<ReadonlyMap<string, string>> {
  if (steps.every(({ calls }) => calls === undefined)) {
    return new Map();
  }
  try {
    const packages = await client.call(listCodeEnginePackages, {}, options);
    return new Map(packages.flatMap(({ id, name }) => (typeof name === "string" ? [[String(id), name]] : [])));
  } catch {
    return new Map();
  }
}

/** Describes the function that a step calls: the package's name and the function. */
export function callText({ calls }: Pick<WorkflowStep, "calls">, names: ReadonlyMap<string, string>): string {
  return calls === undefined
    ? ""
    : [names.get(calls.packageId) ?? calls.packageId, calls.functionName].filter((part) => part !== "").join(" · ");
}

/** A workflow that uses an item, from the usage lookup. */
export interface UsingWorkflow {
  /** Undefined for an entry of an unknown format. */
  readonly modelId: string | undefined;
  /** The workflow's name. For an entry of an unknown format, the entry itself as text. */
  readonly name: string;
  readonly version: string | undefined;
}

/** The query for the workflows that call functions of a package. */
export function usageQuery(packageId: string) {
  return { entityType: "CODEENGINE_FUNCTION", entityId: packageId, parts: "items" };
}

/** The workflows that call functions of a package. Throws a workflow GET error if the response isn't an object. */
export async function readUsingWorkflows(
  client: PlatformClient,
  packageId: string,
  options: CallOptions = {},
): Promise<readonly UsingWorkflow[]> {
  const query = usageQuery(packageId);
  return usingWorkflowsOf(await client.call(getWorkflowUsage, query, options), query);
}

/**
 * The workflows in a response of the usage lookup. The API description (2.11) doesn't specify the format, so entries of
 * unknown formats are included. Throws a workflow GET error for a response that is neither an object nor a list.
 */
export function usingWorkflowsOf(
  response: unknown,
  query: InputOf<typeof getWorkflowUsage> = {},
): readonly UsingWorkflow[] {
  const keys = ["items"];
  const found = containedList(response, keys);
  if (found.type === "other" && !isObject(response)) {
    throw withoutListError(getWorkflowUsage, query, keys);
  }
  return (found.type === "list" ? found.items : found.type === "empty" ? [] : [response]).map(usingWorkflowOf);
}

/** Maximum number of characters of an entry in an unknown format. */
const maxEntryLength = 200;

function usingWorkflowOf(entry: unknown): UsingWorkflow {
  const { modelId, entityId, id, modelName, name, modelVersion, version } = isObject(entry) ? entry : {};
  const known = [modelId, entityId, id].map(textOf).find((text) => text !== undefined);
  const named = [modelName, name].map(textOf).find((text) => text !== undefined);
  return {
    modelId: known,
    name: named ?? known ?? shortened(textOf(entry) ?? JSON.stringify(entry), maxEntryLength),
    version: textOf(modelVersion) ?? textOf(version),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;
}
