import { randomUUID } from "node:crypto";
import { triggerTypes } from "../../../api/catalogue/models/known-values.ts";
import { executionEntries, metricsOf, outputsOf } from "../seed/executions.ts";
import { people, userEntries, userId } from "../seed/organization.ts";
import type { ExecutionEntry, TriggerState, VersionState, WorkflowState, WorkflowsState } from "../seed/workflows.ts";
import {
  ErrorResponse,
  fieldsOf,
  ok,
  type PlatformCall,
  type PlatformHandler,
  type PlatformResponse,
} from "./handler.ts";
import {
  createdModelShape,
  definitionShape,
  formShape,
  functionOf,
  locksShape,
  modelShape,
  versionShape,
  wholeModelShape,
} from "./workflow-shapes.ts";

/** The platform's handlers for the operations of API description, 4.6, and for the signed-in user. */
export const workflowHandlers = {
  "users.me": async () => ok(userEntries()[0]),
  "workflows.create": async (call) => {
    const { name, description, versions } = fieldsOf(call.body);
    const wanted = (Array.isArray(versions) ? versions : []).map((one) => versionNameOf(fieldsOf(one).version));
    const now = new Date().toISOString();
    const model: WorkflowState = {
      id: randomUUID(),
      name: typeof name === "string" && name !== "" ? name : "New workflow",
      description: typeof description === "string" ? description : "",
      owner: String(userId),
      createdAt: now,
      updatedAt: now,
      versions: wanted.map((version) => draft(version)),
      permissions: { USER: [{ id: String(userId), name: people[0].name, permissions: ["ADMIN"] }], GROUP: [] },
    };
    await changeWorkflows(call, ({ models }) => ({ models: [...models, model] }));
    return ok(createdModelShape(model));
  },
  "workflows.get": async (call) => {
    const model = modelOf(call);
    return ok(wholeModelShape(model, runsOf(call, model), call.query.get("parts")?.includes("users") ?? false));
  },
  "workflows.delete": async (call) => {
    const { id, versions } = modelOf(call);
    if (versions.some(({ active }) => active)) {
      throw new ErrorResponse(409, "The workflow has an active version. Deactivate it first.");
    }
    await changeWorkflows(call, ({ models, triggers }) => ({
      models: models.filter((model) => model.id !== id),
      triggers: triggers.map((one) => (one.modelId === id ? deleted(one) : one)),
    }));
    return { status: 204 };
  },
  "workflows.versions.create": async (call) => {
    const model = modelOf(call);
    const { version, description, fromModel } = fieldsOf(call.body);
    const name = version === undefined ? nextVersionOf(model) : versionNameOf(version);
    const [fromId, fromVersion] = Array.isArray(fromModel) ? fromModel.map(String) : [];
    const source = call.file.state.workflows.models.find(({ id }) => id === fromId);
    const copied = source?.versions.find((one) => one.version === fromVersion);
    if (Array.isArray(fromModel) && (source === undefined || copied === undefined)) {
      throw new ErrorResponse(404, `Version ${fromVersion} of workflow ${fromId} not found`);
    }
    return await added(call, model, {
      ...draft(name, typeof description === "string" ? description : ""),
      ...(source === undefined || copied === undefined ? {} : { definition: definitionShape(source, copied) }),
    });
  },
  "workflows.versions.createFirst": async (call) => {
    const model = modelOf(call);
    const { version, savedJson } = fieldsOf(call.body);
    if (model.versions.length > 0) {
      throw new ErrorResponse(409, "The workflow has a version already.");
    }
    // The description doesn't specify the format of the strings. The public platform rejects versions that are not
    // semantic.
    const name = call.wire.dialect.id === "documented" ? String(version) : versionNameOf(version);
    return await added(call, model, { ...draft(name), definition: definitionFrom(String(savedJson)) });
  },
  "workflows.versions.get": async (call) => {
    const [model, version] = versionOf(call);
    return ok(versionShape(model, version, runsOf(call, model).get(version.version) ?? 0));
  },
  "workflows.versions.definition.get": async (call) => ok(definitionShape(...versionOf(call))),
  "workflows.versions.form.get": async (call) => {
    const [model, version] = versionOf(call);
    const [triggerId, deploymentId] = [call.query.get("triggerId"), call.query.get("deploymentId")];
    const { workflows } = call.file.state;
    const trigger = workflows.triggers.find(({ id, modelId }) => id === triggerId && modelId === model.id);
    if (triggerId !== null && trigger === undefined) {
      throw new ErrorResponse(404, `Trigger ${triggerId} not found`);
    }
    const isDeployed = executionEntries(workflows).some(
      (one) => one.modelId === model.id && one.deploymentId === deploymentId,
    );
    if (deploymentId !== null && !isDeployed) {
      throw new ErrorResponse(404, `Deployment ${deploymentId} not found`);
    }
    return ok(formShape(model, version, trigger));
  },
  "workflows.locks.get": async (call) => ok(locksShape(modelOf(call))),
  "workflows.permissions.get": async (call) => ok(modelOf(call).permissions),
  "workflows.usage.get": async (call) => {
    const entityId = call.query.get("entityId");
    const items = call.file.state.workflows.models
      .filter((model) => entityId === null || functionOf(model) === entityId)
      .map(({ id, name, versions }) => ({ modelId: id, modelName: name, modelVersion: versions[0]?.version ?? null }));
    const withItems = call.query.get("parts")?.split(",").includes("items") ?? false;
    return ok({ count: items.length, ...(withItems ? { items } : {}) });
  },
  "workflows.executions.list": async (call) => ok(executionsFor(call, "version")),
  "workflows.executions.get": async (call) => ok(executionOf(call)),
  "workflows.executions.outputs.get": async (call) => ok(outputsOf(executionOf(call))),
  "workflows.executions.metrics.get": async (call) => {
    modelOf(call, call.query.get("modelId"));
    return ok(metricsOf(executionsFor(call, "modelVersion")));
  },
  "workflows.triggers.types.list": async () => ok(triggerTypes.map((name) => ({ name, availableFields: [] }))),
  "workflows.triggers.list": async (call) => {
    const [entityType, entityId] = [call.parameters.get("entityType"), call.parameters.get("entityId")];
    const versions = call.query.get("entityVersions")?.split(",");
    return ok(
      call.file.state.workflows.triggers
        .filter((one) => one.entityType === entityType && one.entityId === entityId)
        .filter(({ entityVersion }) => versions === undefined || versions.includes(String(entityVersion))),
    );
  },
  "workflows.triggers.create": async (call) => {
    const body = fieldsOf(call.body) as Pick<
      TriggerState,
      "name" | "type" | "modelId" | "modelVersion" | "entityType" | "entityId"
    >;
    versionOf(call, body.modelId, body.modelVersion);
    if (body.type === "TIMER" && body.entityId !== String(userId)) {
      throw new ErrorResponse(403, "A TIMER belongs to the user who creates it.");
    }
    const now = new Date().toISOString();
    const trigger: TriggerState = {
      entityVersion: null,
      variables: {},
      schema: {},
      ...body,
      id: randomUUID(),
      active: true,
      eventId: randomUUID(),
      createdAt: now,
      createdBy: String(userId),
      updatedAt: now,
      updatedBy: String(userId),
      deletedAt: null,
    };
    await changeWorkflows(call, ({ triggers }) => ({ triggers: [...triggers, trigger] }));
    return ok(trigger);
  },
  "workflows.triggers.delete": async (call) => {
    const triggerId = call.parameters.get("triggerId");
    const found = call.file.state.workflows.triggers.find(({ id }) => id === triggerId);
    if (found === undefined || found.deletedAt !== null) {
      throw new ErrorResponse(404, `Trigger ${triggerId} not found`);
    }
    await changeWorkflows(call, ({ triggers }) => ({
      triggers: triggers.map((one) => (one === found ? deleted(one) : one)),
    }));
    return ok(1);
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

/** The workflows in the lists of API description, 4.7. */
export function modelEntries({ models }: WorkflowsState): readonly unknown[] {
  return models.map(modelShape);
}

function deleted(trigger: TriggerState): TriggerState {
  const now = new Date().toISOString();
  return trigger.deletedAt !== null ? trigger : { ...trigger, active: false, updatedAt: now, deletedAt: now };
}

function draft(version: string, description = ""): VersionState {
  const now = new Date().toISOString();
  return {
    version,
    description,
    active: false,
    createdAt: now,
    createdBy: String(userId),
    updatedAt: now,
    releasedAt: null,
    manualTriggerId: null,
    lock: null,
  };
}

async function added(call: PlatformCall, model: WorkflowState, version: VersionState): Promise<PlatformResponse> {
  if (model.versions.some((one) => one.version === version.version)) {
    throw new ErrorResponse(409, `Version ${version.version} exists already.`);
  }
  const updated = { ...model, updatedAt: version.createdAt, versions: [version, ...model.versions] };
  await changeWorkflows(call, ({ models }) => ({ models: models.map((one) => (one.id === model.id ? updated : one)) }));
  return ok(versionShape(updated, version, 0));
}

function nextVersionOf({ versions: [newest] }: WorkflowState): string {
  const [major = "1", minor = "0"] = newest?.version.split(".") ?? [];
  return newest === undefined ? "1.0.0" : `${major}.${Number(minor) + 1}.0`;
}

/** Parses a definition; returns the text itself if it isn't JSON. */
function definitionFrom(savedJson: string): unknown {
  try {
    return JSON.parse(savedJson);
  } catch {
    return { version: 2, designElements: [], dataList: [], savedJson };
  }
}

function versionNameOf(value: unknown): string {
  if (typeof value !== "string" || !/^\d+\.\d+\.\d+/.test(value)) {
    throw new ErrorResponse(400, "version must be a semantic version");
  }
  return value;
}

/** The executions that match the query. */
function executionsFor({ file, query }: PlatformCall, versionName: string): readonly ExecutionEntry[] {
  const [modelId, version, startedBy] = [query.get("modelId"), query.get(versionName), query.get("startedBy")];
  const [statuses, types] = [query.get("status")?.split(","), query.get("triggerTypes")?.split(",")];
  const after = Date.parse(query.get("startedAfter") ?? "0000-01-01T00:00:00Z");
  const before = Date.parse(query.get("finishedBefore") ?? "9999-01-01T00:00:00Z");
  return executionEntries(file.state.workflows).filter(
    (one) =>
      (modelId === null || one.modelId === modelId) &&
      (version === null || one.modelVersion === version) &&
      (startedBy === null || one.startedBy === startedBy) &&
      (statuses === undefined || statuses.includes(one.status)) &&
      (types === undefined || types.includes(one.triggerType)) &&
      (!query.has("startedAfter") || Date.parse(one.startedAt ?? "") > after) &&
      (!query.has("finishedBefore") || Date.parse(one.finishedAt ?? "") < before),
  );
}

/** The number of executions of each version of a workflow. */
export function runsOf(call: PlatformCall, model: WorkflowState): ReadonlyMap<string, number> {
  const own = executionEntries(call.file.state.workflows).filter(({ modelId }) => modelId === model.id);
  return new Map(
    model.versions.map(({ version }) => [version, own.filter((run) => run.modelVersion === version).length]),
  );
}

/** The execution of a request. Throws an ErrorResponse 404. */
export function executionOf(call: PlatformCall): ExecutionEntry {
  const executionId = call.parameters.get("executionId");
  const found = executionEntries(call.file.state.workflows).find(({ id }) => id === executionId);
  if (found === undefined) {
    throw new ErrorResponse(404, `Execution ${executionId} not found`);
  }
  return found;
}

/** A workflow; by default, that of the request. Throws an ErrorResponse 404. */
export function modelOf(call: PlatformCall, modelId: unknown = call.parameters.get("modelId")): WorkflowState {
  const found = call.file.state.workflows.models.find(({ id }) => id === modelId);
  if (found === undefined) {
    throw new ErrorResponse(404, `Workflow ${String(modelId)} not found`);
  }
  return found;
}

/** A version with its workflow; by default, that of the request. Throws an ErrorResponse 404. */
export function versionOf(
  call: PlatformCall,
  modelId: unknown = call.parameters.get("modelId"),
  version: unknown = call.parameters.get("version"),
): [WorkflowState, VersionState] {
  const model = modelOf(call, modelId);
  const found = model.versions.find((one) => one.version === version);
  if (found === undefined) {
    throw new ErrorResponse(404, `Version ${String(version)} of workflow ${model.id} not found`);
  }
  return [model, found];
}

/** Changes the workflows of the tenant. */
export async function changeWorkflows(
  call: PlatformCall,
  of: (state: WorkflowsState) => Partial<WorkflowsState>,
): Promise<void> {
  await call.file.change((state) => ({ ...state, workflows: { ...state.workflows, ...of(state.workflows) } }));
}
