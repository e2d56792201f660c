import { randomUUID } from "node:crypto";
import { userId } from "../seed/organization.ts";
import type { TriggerState, VersionState, WorkflowState } from "../seed/workflows.ts";
import { ErrorResponse, type Fields, fieldsOf, ok, type PlatformCall, type PlatformHandler } from "./handler.ts";
import { versionShape, wholeModelShape } from "./workflow-shapes.ts";
import { changeWorkflows, modelOf, runsOf, versionOf } from "./workflows.ts";

/** The platform's handlers for changes of workflows that the API description doesn't have. */
export const workflowChangeHandlers = {
  "workflows.versions.release": async (call) => {
    const [model, version] = versionOf(call);
    if (version.releasedAt !== null) {
      throw new ErrorResponse(400, `Version ${version.version} is released already.`);
    }
    const now = new Date().toISOString();
    const manualTriggerId = randomUUID();
    const trigger: TriggerState = {
      id: manualTriggerId,
      name: `Start ${model.name}`,
      type: "MANUAL",
      active: true,
      modelId: model.id,
      modelVersion: version.version,
      entityVersion: version.version,
      entityType: call.wire.dialect.workflowEntityType,
      entityId: model.id,
      metadata: { type: "MANUAL", formId: null },
      createdAt: now,
      createdBy: String(userId),
      updatedAt: now,
      updatedBy: String(userId),
      deletedAt: null,
    };
    await changeWorkflows(call, ({ triggers }) => ({ triggers: [...triggers, trigger] }));
    return await changed(call, model, { ...version, active: true, releasedAt: now, manualTriggerId });
  },
  "workflows.versions.update": async (call) => {
    const [model, version] = versionOf(call);
    const { active = version.active, description = version.description } = fieldsOf(call.body);
    if (active === true && version.releasedAt === null) {
      throw new ErrorResponse(400, `Version ${version.version} is a draft.`);
    }
    return await changed(call, model, { ...version, active: active === true, description: String(description) });
  },
  "workflows.versions.definition.update": async (call) => {
    const [model, version] = versionOf(call);
    if (version.releasedAt !== null) {
      throw new ErrorResponse(400, `Version ${version.version} is released. Its definition can't be changed.`);
    }
    const definition = { version: 2, ...fieldsOf(call.body) };
    await changed(call, model, { ...version, definition });
    return ok(definition);
  },
  "workflows.update": async (call) => {
    const model = modelOf(call);
    const { owner = model.owner, name = model.name, description = model.description } = fieldsOf(call.body);
    const updated = { ...model, owner: String(owner), name: String(name), description: String(description ?? "") };
    await changeModel(call, updated);
    return ok(wholeModelShape(updated, runsOf(call, updated), false));
  },
  "workflows.permissions.update": async (call) => {
    const model = modelOf(call);
    const entries = (Array.isArray(call.body) ? call.body : []).map(fieldsOf);
    const ofType = (type: string) => entries.filter((entry) => entry.type === type).map(holderFrom);
    await changeModel(call, { ...model, permissions: { USER: ofType("USER"), GROUP: ofType("GROUP") } });
    return { status: 204 };
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

function holderFrom({ id, name, permissions }: Fields): WorkflowState["permissions"]["USER"][number] {
  return {
    id: String(id),
    name: String(name ?? id),
    permissions: Array.isArray(permissions) ? permissions.map(String) : [],
  };
}

async function changed(call: PlatformCall, model: WorkflowState, version: VersionState) {
  const updatedAt = new Date().toISOString();
  const updated = { ...version, updatedAt };
  const versions = model.versions.map((one) => (one.version === version.version ? updated : one));
  await changeModel(call, { ...model, updatedAt, versions });
  return ok(versionShape(model, updated, runsOf(call, model).get(version.version) ?? 0));
}

async function changeModel(call: PlatformCall, model: WorkflowState): Promise<void> {
  await changeWorkflows(call, ({ models }) => ({ models: models.map((one) => (one.id === model.id ? model : one)) }));
}
