import { randomUUID } from "node:crypto";
import { executionEntries, startedLengthMs } from "../seed/executions.ts";
import { userId } from "../seed/organization.ts";
import type { ExecutionEntry, TriggerState, VersionState, WorkflowState } from "../seed/workflows.ts";
import { ErrorResponse, fieldsOf, ok, type PlatformCall, type PlatformHandler } from "./handler.ts";
import { changeWorkflows, executionOf, modelOf, versionOf } from "./workflows.ts";

/** The platform's handlers for running workflows, which the API description doesn't have. */
export const workflowRunHandlers = {
  "workflows.triggers.activate": async (call) => {
    const triggerId = call.parameters.get("triggerId");
    const trigger = call.file.state.workflows.triggers.find(({ id }) => id === triggerId);
    if (trigger === undefined || trigger.deletedAt !== null) {
      throw new ErrorResponse(404, `Trigger ${triggerId} not found`);
    }
    const [model, version] = versionOf(call, trigger.modelId, trigger.modelVersion);
    return ok(await started(call, model, version, trigger));
  },
  "workflows.start": async (call) => {
    const { messageName, modelId, version } = fieldsOf(call.body);
    const model = modelOf(call, modelId);
    if (messageName !== `Start ${model.name}`) {
      throw new ErrorResponse(404, `No version of workflow ${model.id} waits for the message ${String(messageName)}`);
    }
    const wanted = version ?? model.versions.find(({ active }) => active)?.version;
    return ok(instanceOf(await started(call, ...versionOf(call, model.id, wanted), undefined)));
  },
  "workflows.executions.cancel": async (call) => {
    const execution = executionOf(call);
    if (execution.finishedAt === null) {
      const { id } = execution;
      const now = new Date().toISOString();
      await changeWorkflows(call, ({ canceled = {} }) => ({ canceled: { ...canceled, [id]: now } }));
    }
    return ok(instanceOf(execution));
  },
  "workflows.triggers.model.list": async (call) => {
    const { id } = modelOf(call);
    const types = call.query.get("types")?.split(",");
    return ok(
      call.file.state.workflows.triggers.filter(
        ({ modelId, type, deletedAt }) =>
          modelId === id && deletedAt === null && (types === undefined || types.includes(type)),
      ),
    );
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

async function started(
  call: PlatformCall,
  model: WorkflowState,
  version: VersionState,
  trigger: TriggerState | undefined,
): Promise<ExecutionEntry> {
  if (version.releasedAt === null || !version.active) {
    throw new ErrorResponse(409, `Version ${version.version} of ${model.name} is not active.`);
  }
  const now = new Date();
  const execution: ExecutionEntry = {
    id: randomUUID(),
    modelId: model.id,
    modelName: model.name,
    modelVersion: version.version,
    modelOwner: model.owner,
    deploymentId: randomUUID(),
    status: "IN_PROGRESS",
    triggerId: trigger?.id ?? null,
    triggerName: trigger?.name ?? null,
    triggerType: trigger?.type ?? "API",
    triggerDeletedAt: null,
    startedBy: String(userId),
    startedAt: now.toISOString(),
    finishedAt: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    updatedBy: String(userId),
    eventId: randomUUID(),
    linkedExecutions: [],
    processKey: null,
    workflowCluster: "cluster01",
    endsAt: new Date(now.getTime() + startedLengthMs).toISOString(),
  };
  await changeWorkflows(call, ({ started: before = [] }) => ({ started: [execution, ...before] }));
  return executionEntries(call.file.state.workflows).find(({ id }) => id === execution.id) ?? execution;
}

/** An execution in the format of the older version of the API. */
function instanceOf(execution: ExecutionEntry): Readonly<Record<string, unknown>> {
  const { id, modelId, modelName, modelVersion, deploymentId, startedBy, createdAt, updatedAt, status } = execution;
  return {
    id,
    modelId,
    modelName,
    modelVersion,
    deploymentId,
    createdBy: startedBy,
    createdOn: createdAt,
    updatedBy: startedBy,
    updatedOn: updatedAt,
    status: status === "NOT_STARTED" ? null : status === "CANCELLED" ? "CANCELED" : status,
  };
}
