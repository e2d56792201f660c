import assert from "node:assert/strict";
import type { WorkflowExecution } from "../../../src/api/catalogue/models/workflows.ts";
import * as executions from "../../../src/api/catalogue/operations/executions.ts";
import * as triggers from "../../../src/api/catalogue/operations/triggers.ts";
import { getSignedInUser } from "../../../src/api/catalogue/operations/users.ts";
import * as changes from "../../../src/api/catalogue/operations/workflow-changes.ts";
import * as runs from "../../../src/api/catalogue/operations/workflow-runs.ts";
import * as workflows from "../../../src/api/catalogue/operations/workflows.ts";
import { listWorkflows } from "../../../src/api/catalogue/operations/workflows.ts";
import { readTriggersOfVersions } from "../../../src/api/families/workflow-facts.ts";
import { readWorkflowTriggers } from "../../../src/api/families/workflow-triggers.ts";
import {
  createTimerTrigger,
  executionsOf,
  firstVersion,
  isDeleted,
  parsedDate,
  readExecutions,
  readLocks,
  readMetrics,
  readPermissions,
} from "../../../src/api/families/workflows.ts";
import { formInput } from "../../../src/features/workflows/lookup.ts";
import type { ContractTenant } from "../tenant.ts";
import type { Cases } from "./cases.ts";

async function workflowNamed(tenant: ContractTenant, name = "Invoice approval"): Promise<string> {
  const found = (await tenant.platform().call(listWorkflows, {})).find((workflow) => workflow.name === name);
  return String(found?.id ?? assert.fail(`no workflow ${name}`));
}

async function newWorkflow(tenant: ContractTenant, versions: readonly string[] = []): Promise<string> {
  const body = { name: "Contract", versions: versions.map((version) => ({ version })) };
  const { id } = await tenant.platform().call(workflows.createWorkflow, { body });
  return id ?? assert.fail("the new workflow has no id");
}

async function ownTimers(tenant: ContractTenant) {
  const { id } = await tenant.platform().call(getSignedInUser, {});
  return await tenant.platform().call(triggers.listTriggers, { entityType: "USER", entityId: String(id) });
}

async function someExecution(
  tenant: ContractTenant,
  status: string,
): Promise<WorkflowExecution & { readonly id: string }> {
  const found = (await readExecutions(tenant.platform())).find((execution) => execution.status === status);
  return { ...found, id: found?.id ?? assert.fail(`no execution is ${status}`) };
}

const daily = { name: "Täglich", cron: "0 7 * * 1-5", timeZone: "Europe/Berlin" };

export const workflowCases = {
  "users.me": async (tenant) => {
    const user = await tenant.platform().call(getSignedInUser, {});
    assert.deepEqual([user.id, user.displayName], [481_516_234, "Ada Example"]);
  },
  "workflows.create": async (tenant) => {
    const body = { name: "Prüfung", description: "", versions: [{ version: "1.0.0" }] };
    const created = await tenant.platform().call(workflows.createWorkflow, { body });
    assert.deepEqual([created.name, created.versions], ["Prüfung", ["1.0.0"]]);
    assert.equal(await workflowNamed(tenant, "Prüfung"), created.id);
    const bare = await tenant.platform().call(workflows.createWorkflow, {});
    assert.deepEqual(bare.versions, []);
  },
  "workflows.get": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const workflow = await tenant.platform().call(workflows.getWorkflow, {
      modelId,
      ...(tenant.dialect === "domo" ? { parts: "users" } : {}),
    });
    assert.deepEqual([workflow.name, workflow.numberOfVersions, workflow.activeVersions], ["Invoice approval", 2, 1]);
    assert.equal((workflow.totalTimesRun ?? 0) > 10, true);
    const [first] = workflow.userPermissions ?? [];
    assert.equal(first?.permissions?.includes("ADMIN"), tenant.dialect === "domo" ? true : undefined);
  },
  "workflows.delete": async (tenant) => {
    const modelId = await newWorkflow(tenant, ["1.0.0"]);
    await tenant.platform().call(workflows.deleteWorkflow, { modelId });
    const failure = await tenant.failure(tenant.platform().call(workflows.getWorkflow, { modelId }));
    assert.deepEqual([failure.kind, failure.status], ["workflowGet", 404]);
  },
  "workflows.versions.create": async (tenant) => {
    const modelId = await newWorkflow(tenant, ["1.0.0"]);
    const source = await workflowNamed(tenant);
    const body = { version: "1.1.0", description: "second", fromModel: [source, "1.0.0"] };
    const version = await tenant.platform().call(workflows.createWorkflowVersion, { modelId, body });
    assert.deepEqual([version.version, version.active, version.releasedAt], ["1.1.0", false, null]);
    const next = await tenant.platform().call(workflows.createWorkflowVersion, { modelId });
    assert.equal(next.version, "1.2.0");
    const [copied, original] = await Promise.all(
      [
        { modelId, version: "1.1.0" },
        { modelId: source, version: "1.0.0" },
      ].map((input) => tenant.platform().call(workflows.getVersionDefinition, input)),
    );
    assert.deepEqual(copied, original);
  },
  "workflows.versions.createFirst": async (tenant) => {
    const modelId = await newWorkflow(tenant);
    const definition = { version: 2, designElements: [{ id: "rootNode", größe: 1 }], dataList: [], schema: {} };
    const body = firstVersion("1.0.0", definition);
    const version = await tenant.platform().call(workflows.createFirstWorkflowVersion, { modelId, body });
    assert.deepEqual([version.modelId, version.version], [modelId, "1.0.0"]);
    const input = { modelId, version: "1.0.0" };
    assert.deepEqual(await tenant.platform().call(workflows.getVersionDefinition, input), definition);
    const again = await tenant.failure(
      tenant.platform().call(workflows.createFirstWorkflowVersion, { modelId, body: { ...body, version: "1.1.0" } }),
    );
    assert.deepEqual([again.kind, again.operationWord, again.status], ["workflowCrud", "create_version", 409]);
  },
  "workflows.versions.get": async (tenant) => {
    const input = { modelId: await workflowNamed(tenant), version: "1.0.0" };
    const version = await tenant.platform().call(workflows.getWorkflowVersion, input);
    assert.deepEqual([version.version, version.active, version.deletedAt], ["1.0.0", true, null]);
    assert.equal(parsedDate(version.releasedAt) instanceof Date && parsedDate(version.updatedAt) instanceof Date, true);
  },
  "workflows.versions.definition.get": async (tenant) => {
    const input = { modelId: await workflowNamed(tenant), version: "1.0.0" };
    const definition = await tenant.platform().call(workflows.getVersionDefinition, input);
    assert.equal((definition.designElements?.length ?? 0) >= 4, true);
  },
  "workflows.versions.form.get": async (tenant) => {
    const input = { modelId: await workflowNamed(tenant), version: "1.0.0" };
    const { manualTriggerId } = await tenant.platform().call(workflows.getWorkflowVersion, input);
    const form = await tenant
      .platform()
      .call(triggers.getTriggerForm, { ...input, triggerId: String(manualTriggerId) });
    assert.deepEqual([form.domainType, form.sections?.[0]?.fields?.[0]?.alias], ["WORKFLOW", "amount"]);
    const failure = await tenant.failure(tenant.platform().call(triggers.getTriggerForm, { ...input, triggerId: "?" }));
    assert.deepEqual([failure.kind, failure.status], ["workflowGet", 404]);
    const [run] = (await readExecutions(tenant.platform())).filter((one) => one.modelId === input.modelId);
    const lookup = { version: input.version, deploymentId: run?.deploymentId ?? "" };
    await tenant.platform().call(triggers.getTriggerForm, formInput(input.modelId, lookup));
    assert.equal(tenant.proxy.requests.at(-1)?.query, `deploymentId=${run?.deploymentId}`);
    const unknown = formInput(input.modelId, { ...lookup, deploymentId: "none" });
    assert.equal((await tenant.failure(tenant.platform().call(triggers.getTriggerForm, unknown))).status, 404);
  },
  "workflows.locks.get": async (tenant) => {
    const all = await tenant.platform().call(listWorkflows, {});
    const locks = (await Promise.all(all.map(({ id }) => readLocks(tenant.platform(), String(id))))).flat();
    assert.equal(locks.length > 0, true);
    assert.equal(
      locks.every(({ version, lockedBy, isStale }) => /^1\.\d\.0$/.test(version) && lockedBy !== "" && isStale),
      true,
    );
  },
  "workflows.permissions.get": async (tenant) => {
    const permissions = await readPermissions(tenant.platform(), await workflowNamed(tenant));
    assert.equal(permissions[0]?.type, "USER");
    assert.equal(permissions[0]?.permissions.includes("EXECUTE"), true);
  },
  "workflows.usage.get": async (tenant) => {
    const filter = { entityType: "CODEENGINE_FUNCTION", entityId: "ce-1" };
    const withItems = await tenant.platform().call(workflows.getWorkflowUsage, { ...filter, parts: "items" });
    const { count, items } = withItems as { readonly count: number; readonly items: readonly unknown[] };
    assert.deepEqual([count > 0, items.length], [true, count]);
    assert.deepEqual(await tenant.platform().call(workflows.getWorkflowUsage, filter), { count });
  },
  "workflows.executions.list": async (tenant) => {
    const all = executionsOf(await tenant.platform().call(executions.listExecutions, {}));
    assert.equal(all.length > 200 && new Set(all.map(({ id }) => id)).size === all.length, true);
    const weeks = all.map(({ createdAt }) => (Date.now() - (parsedDate(createdAt)?.getTime() ?? 0)) / 604_800_000);
    assert.equal(Math.min(...weeks) >= 0 && Math.max(...weeks) < 5, true);
    const modelId = await workflowNamed(tenant);
    const own = await readExecutions(tenant.platform(), { modelId, status: "COMPLETED" });
    assert.equal(own.length > 0 && own.every((one) => one.modelId === modelId && one.status === "COMPLETED"), true);
  },
  "workflows.executions.get": async (tenant) => {
    const { id } = await someExecution(tenant, "FAILED");
    const execution = await tenant.platform().call(executions.getExecution, { executionId: id });
    assert.deepEqual([execution.id, execution.status, typeof execution.processKey], [id, "FAILED", "number"]);
  },
  "workflows.executions.outputs.get": async (tenant) => {
    const { id } = await someExecution(tenant, "COMPLETED");
    const outputs = await tenant.platform().call(executions.getExecutionOutputs, { executionId: id });
    assert.deepEqual(Object.keys(outputs as object), ["approved", "amount", "comment"]);
  },
  "workflows.executions.metrics.get": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const executions = await readExecutions(tenant.platform(), { modelId });
    const metrics = await readMetrics(tenant.platform(), { modelId });
    const { executionCount = {}, triggerCount = {} } = metrics;
    assert.equal(executionCount?.COMPLETED, executions.filter(({ status }) => status === "COMPLETED").length);
    assert.equal(
      Object.values(triggerCount ?? {}).reduce((sum, count) => sum + count, 0),
      executions.length,
    );
    const few = await readMetrics(tenant.platform(), {
      modelId,
      modelVersion: "1.0.0",
      statuses: ["COMPLETED", "FAILED"],
      triggerTypes: ["TIMER", "MANUAL"],
      startedBy: executions[0]?.startedBy ?? "",
      finishedBefore: new Date(),
      startedAfter: new Date(Date.now() - 14 * 86_400_000).toISOString(),
    });
    assert.equal(few.executionCount?.CANCELLED, 0);
    assert.equal((few.executionCount?.COMPLETED ?? 0) < (executionCount?.COMPLETED ?? 0), true);
    const sent = tenant.proxy.requests.filter(({ path }) => path.endsWith("/executions/metrics"));
    assert.equal(sent.length, 2);
  },
  "workflows.triggers.types.list": async (tenant) => {
    const types = await tenant.platform().call(triggers.listTriggerTypes, {});
    assert.equal(
      types.some(({ name }) => name === "TIMER"),
      true,
    );
  },
  "workflows.triggers.list": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const input = { entityType: "ODYSSEY_WORKFLOW_MODEL", entityId: modelId };
    const manual = await tenant.platform().call(triggers.listTriggers, input);
    assert.deepEqual(
      manual.map(({ type }) => type),
      ["MANUAL"],
    );
    assert.equal(tenant.platform().dialect.workflowEntityType, input.entityType);
    const none = await tenant.platform().call(triggers.listTriggers, { ...input, entityVersions: "9.9.9" });
    assert.deepEqual(none, []);
    const version = String(manual[0]?.entityVersion);
    assert.deepEqual(await readTriggersOfVersions(tenant.platform(), modelId, ["9.9.9", version]), manual);
    assert.deepEqual(await readTriggersOfVersions(tenant.platform(), modelId, []), manual);
  },
  // Proves 2.8: a trigger has a name, type, workflow, version; a TIMER's entity ID is the ID of the user who
  "workflows.triggers.create": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const made = await createTimerTrigger(tenant.platform(), { ...daily, modelId, modelVersion: "1.0.0" });
    const sent = tenant.dialect === "domo" ? "0 0 7 ? * MON-FRI" : daily.cron;
    assert.deepEqual(
      [made.type, made.entityType, made.entityId, made.defaultValues, made.metadata],
      ["TIMER", "USER", "481516234", {}, { type: "TIMER", cron: sent, timeZone: "Europe/Berlin" }],
    );
    assert.equal(
      (await ownTimers(tenant)).some(({ id, name }) => id === made.id && name === "Täglich"),
      true,
    );
    const { name, cron, timeZone } = daily;
    const body = {
      name,
      type: "TIMER",
      modelId,
      modelVersion: "1.0.0",
      entityType: "USER",
      entityId: "7",
      metadata: { type: "TIMER", cron, timeZone },
    };
    const failure = await tenant.failure(tenant.platform().call(triggers.createTrigger, { body }));
    assert.deepEqual(failure.failureCause, { type: "input", field: "body.entityId" });
    const novel = { ...body, type: "NOVEL", entityType: "X", metadata: { type: "NOVEL" } };
    assert.equal((await tenant.platform().call(triggers.createTrigger, { body: novel })).type, "NOVEL");
  },
  "workflows.triggers.delete": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const made = await createTimerTrigger(tenant.platform(), {
      ...daily,
      name: "Gone",
      modelId,
      modelVersion: "1.0.0",
    });
    const triggerId = made.id ?? assert.fail("the trigger has no id");
    assert.equal(isDeleted(made), false);
    await tenant.platform().call(triggers.deleteTrigger, { triggerId });
    const found = (await ownTimers(tenant)).find(({ id }) => id === triggerId);
    assert.deepEqual([found?.active, found !== undefined && isDeleted(found)], [false, true]);
    const failure = await tenant.failure(tenant.platform().call(triggers.deleteTrigger, { triggerId }));
    assert.deepEqual([failure.kind, failure.operationWord, failure.status], ["workflowCrud", "delete_trigger", 404]);
  },
  "workflows.triggers.activate": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const before = await readExecutions(tenant.platform(), { modelId });
    const { manualTriggerId } = await tenant
      .platform()
      .call(workflows.getWorkflowVersion, { modelId, version: "1.0.0" });
    const triggerId = manualTriggerId ?? assert.fail("the version has no manual trigger");
    const started = await tenant.platform().call(runs.runTrigger, { triggerId, body: { amount: 250 } });
    assert.deepEqual(
      [started.modelId, started.modelVersion, started.triggerType, started.status, started.finishedAt],
      [modelId, "1.0.0", "MANUAL", "IN_PROGRESS", null],
    );
    const after = await readExecutions(tenant.platform(), { modelId });
    assert.deepEqual([after.length, after[0]?.id], [before.length + 1, started.id]);
    const failure = await tenant.failure(tenant.platform().call(runs.runTrigger, { triggerId: "none" }));
    assert.deepEqual([failure.kind, failure.operationWord, failure.status], ["workflowCrud", "run", 404]);
  },
  "workflows.start": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const body = { messageName: "Start Invoice approval", modelId, version: "1.0.0", data: { amount: 250 } };
    const started = await tenant.platform().call(runs.startWorkflow, { body });
    const executionId = started.id ?? assert.fail("there is no execution");
    const execution = await tenant.platform().call(executions.getExecution, { executionId });
    assert.deepEqual([execution.modelId, execution.modelVersion], [modelId, "1.0.0"]);
    const draft = { ...body, version: "1.1.0" };
    const failure = await tenant.failure(tenant.platform().call(runs.startWorkflow, { body: draft }));
    assert.deepEqual([failure.kind, failure.operationWord, failure.status], ["workflowCrud", "run", 409]);
  },
  "workflows.executions.cancel": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const body = { messageName: "Start Invoice approval", modelId };
    const { id } = await tenant.platform().call(runs.startWorkflow, { body });
    const executionId = id ?? assert.fail("there is no execution");
    const before = await tenant.platform().call(runs.cancelExecution, { executionId });
    assert.deepEqual([before.id, before.status], [executionId, "IN_PROGRESS"]);
    const execution = await tenant.platform().call(executions.getExecution, { executionId });
    assert.equal(execution.status, "CANCELLED");
    assert.equal(parsedDate(execution.finishedAt) instanceof Date, true);
    const completed = await someExecution(tenant, "COMPLETED");
    await tenant.platform().call(runs.cancelExecution, { executionId: completed.id });
    const unchanged = await tenant.platform().call(executions.getExecution, { executionId: completed.id });
    assert.deepEqual([unchanged.status, unchanged.finishedAt], ["COMPLETED", completed.finishedAt]);
  },
  "workflows.versions.release": async (tenant) => {
    const modelId = await newWorkflow(tenant, ["1.0.0"]);
    const input = { modelId, version: "1.0.0" };
    const released = await tenant.platform().call(changes.releaseVersion, input);
    assert.deepEqual([released.active, parsedDate(released.releasedAt) instanceof Date], [true, true]);
    const { manualTriggerId } = await tenant.platform().call(workflows.getWorkflowVersion, input);
    const started = await tenant.platform().call(runs.runTrigger, { triggerId: String(manualTriggerId) });
    assert.equal(started.modelId, modelId);
    const again = await tenant.failure(tenant.platform().call(changes.releaseVersion, input));
    assert.deepEqual([again.kind, again.operationWord, again.status], ["workflowCrud", "release_version", 400]);
  },
  "workflows.versions.update": async (tenant) => {
    const modelId = await newWorkflow(tenant, ["1.0.0"]);
    const input = { modelId, version: "1.0.0" };
    const draft = await tenant.failure(
      tenant.platform().call(changes.updateVersion, { ...input, body: { active: true } }),
    );
    assert.deepEqual([draft.kind, draft.operationWord, draft.status], ["workflowCrud", "update_version", 400]);
    await tenant.platform().call(changes.releaseVersion, input);
    const off = await tenant
      .platform()
      .call(changes.updateVersion, { ...input, body: { active: false, description: "x" } });
    assert.deepEqual([off.active, off.description], [false, "x"]);
    await tenant.platform().call(workflows.deleteWorkflow, { modelId });
  },
  "workflows.versions.definition.update": async (tenant) => {
    const modelId = await newWorkflow(tenant, ["1.0.0"]);
    const input = { modelId, version: "1.0.0" };
    const body = { designElements: [{ id: "rootNode", größe: 1 }], dataList: [], outputs: [] };
    const written = await tenant.platform().call(changes.updateVersionDefinition, { ...input, body });
    assert.deepEqual(written, { version: 2, ...body });
    assert.deepEqual(await tenant.platform().call(workflows.getVersionDefinition, input), written);
    await tenant.platform().call(changes.releaseVersion, input);
    const late = await tenant.failure(tenant.platform().call(changes.updateVersionDefinition, { ...input, body }));
    assert.deepEqual([late.kind, late.operationWord, late.status], ["workflowCrud", "update_version", 400]);
  },
  "workflows.update": async (tenant) => {
    const modelId = await newWorkflow(tenant);
    const body = { id: modelId, owner: "481516235" };
    const updated = await tenant.platform().call(changes.updateWorkflow, { modelId, body });
    assert.deepEqual([updated.owner, updated.name], ["481516235", "Contract"]);
    assert.equal((await tenant.platform().call(workflows.getWorkflow, { modelId })).owner, "481516235");
    const missing = await tenant.failure(tenant.platform().call(changes.updateWorkflow, { modelId: "none", body }));
    assert.deepEqual([missing.kind, missing.operationWord, missing.status], ["workflowCrud", "update", 404]);
  },
  "workflows.permissions.update": async (tenant) => {
    const modelId = await newWorkflow(tenant);
    const body = [
      { type: "USER", id: "481516234", name: "Ada Example", permissions: ["ADMIN"] },
      { type: "GROUP", id: "31", name: "Analysts", permissions: ["READ", "EXECUTE"] },
    ];
    await tenant.platform().call(changes.updateWorkflowPermissions, { modelId, body });
    assert.deepEqual(await readPermissions(tenant.platform(), modelId), body);
  },
  "workflows.triggers.model.list": async (tenant) => {
    const modelId = await workflowNamed(tenant);
    const found = await tenant.platform().call(runs.listWorkflowTriggers, { modelId });
    assert.deepEqual(
      ["MANUAL", "TIMER"].filter((wanted) => !found.some(({ type }) => type === wanted)),
      [],
    );
    assert.equal(
      found.every((trigger) => trigger.modelId === modelId),
      true,
    );
    const manual = await tenant.platform().call(runs.listWorkflowTriggers, { modelId, types: "MANUAL" });
    assert.equal(manual.length > 0 && manual.every(({ type }) => type === "MANUAL"), true);
    const sent = tenant.proxy.requests.length;
    const { triggers: all, gaps } = await readWorkflowTriggers(tenant.platform(), modelId, []);
    const paths = tenant.proxy.requests.slice(sent).map(({ path }) => path);
    assert.equal(
      paths.some((path) => path.includes("/triggers/model/")),
      tenant.dialect === "domo",
    );
    assert.deepEqual(gaps, []);
    assert.equal(
      all.some(({ type }) => type === "TIMER"),
      true,
    );
  },
} satisfies Cases;
