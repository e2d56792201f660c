import type { Trigger, WorkflowModel } from "../catalogue/models/workflows.ts";
import { getSignedInUser } from "../catalogue/operations/users.ts";
import { listWorkflowTriggers } from "../catalogue/operations/workflow-runs.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { isMissingOperation } from "../client/missing-operation.ts";
import { newestFirst, readTriggersOf, versionsOf } from "./workflow-facts.ts";

/** Why triggers of a workflow may be missing from a list. */
export type TriggerGap =
  /** The platform doesn't return the signed-in user, so that user's timers can't be listed. */
  | { readonly type: "unknownUser" }
  /** The list of a user or of the workflow can't be read. */
  | { readonly type: "unreadList"; readonly error: unknown };

/** The triggers of a workflow that could be read, and why others may be missing. */
export interface WorkflowTriggers {
  readonly triggers: readonly Trigger[];
  readonly gaps: readonly TriggerGap[];
}

/**
 * The users, other than the signed-in user, whose timers can start a workflow: its owner and its versions' creators.
 */
export function timerHoldersOf(model: Pick<WorkflowModel, "owner" | "versions">): readonly string[] {
  const ids = [String(model.owner ?? ""), ...versionsOf(model).map(({ createdBy }) => createdBy)];
  return [...new Set(ids)].filter((id) => id !== "");
}

/**
 * All triggers of a workflow. On a platform that is known to list them, with the workflow's own deleted ones. Otherwise
 * the workflow's own, and the timers of the signed-in user and of these users (see `timerHoldersOf`). The API description
 * has no operation that returns the signed-in user. Throws if no list can be read.
 */
export async function readWorkflowTriggers(
  client: PlatformClient,
  modelId: string,
  holders: readonly string[],
  options: CallOptions = {},
): Promise<WorkflowTriggers> {
  const all = await readAllTriggers(client, modelId, options);
  if (all !== undefined) {
    return { triggers: all, gaps: [] };
  }
  const gaps: TriggerGap[] = [];
  const own = await client.signedInUserId(getSignedInUser, options).then(
    (id) => [id],
    (error: unknown) => {
      options.signal?.throwIfAborted();
      gaps.push(isMissingOperation(getSignedInUser, error) ? { type: "unknownUser" } : { type: "unreadList", error });
      return [];
    },
  );
  const onHolderFailure = (error: unknown): void => void gaps.push({ type: "unreadList", error });
  const triggers = await readTriggersOf(client, modelId, [...own, ...holders], { ...options, onHolderFailure });
  return { triggers, gaps };
}

/** All triggers of a workflow in one list; undefined if the platform isn't known to have it, or doesn't. */
async function readAllTriggers(
  client: PlatformClient,
  modelId: string,
  options: CallOptions,
): Promise<readonly Trigger[] | undefined> {
  if (!client.dialect.undescribedOperations) {
    return undefined;
  }
  try {
    const [all, own] = await Promise.all([
      client.call(listWorkflowTriggers, { modelId }, options),
      readTriggersOf(client, modelId, [], options),
    ]);
    const ids = new Set(all.map(({ id }) => id));
    return newestFirst([...all, ...own.filter(({ id }) => !ids.has(id))]);
  } catch (error) {
    if (isMissingOperation(listWorkflowTriggers, error)) {
      return undefined;
    }
    throw error;
  }
}
