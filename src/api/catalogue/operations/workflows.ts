import * as z from "zod/mini";
import {
  execution,
  executionMetrics,
  executionStatus,
  executions,
  firstVersionBody,
  trigger,
  triggerBody,
  triggerForm,
  triggers,
  triggerTypes,
  versionDefinition,
  workflowLocks,
  workflowModel,
  workflowPermissions,
  workflowVersion,
} from "../models/workflows.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const modelId = given;
const version = given;
const executionId = given;
const anyObject = z._default(z.record(z.string(), z.unknown()), {});
const reading = { otherwise: { kind: "workflowGet" } } as const;

function changing<Word extends string>(word: Word) {
  return { otherwise: { kind: "workflowCrud", word } } as const;
}

/** An ISO 8601 time with its zone, as `2025-11-18T16:42:05Z`. */
const isoTime = z.optional(
  z.iso.datetime({ offset: true, error: "it must be an ISO 8601 time with its zone, as 2025-11-18T16:42:05Z" }),
);
const commaList = z.optional(
  z.string().check(z.regex(/^[^,\s]+(?:,[^,\s]+)*$/, { error: "it must be joined with commas" })),
);
const statusList = z.optional(
  z.string().check(
    z.refine((text) => text.split(",").every((status) => z.safeParse(executionStatus, status).success), {
      error: `it must be joined with commas from ${executionStatus.options.join(", ")}`,
    }),
  ),
);
const metricsFilter = {
  modelId,
  modelVersion: z.optional(given),
  status: statusList,
  triggerTypes: commaList,
  startedBy: z.optional(given),
  startedAfter: isoTime,
  finishedBefore: isoTime,
};
/** Not in the API description, which lists all executions; the public platform narrows them by these. */
const executionFilter = {
  modelId: z.optional(given),
  version: z.optional(given),
  status: z.optional(given),
  triggerTypes: commaList,
};
const usageFilter = { entityType: z.optional(given), entityId: z.optional(given), parts: z.optional(given) };

export const createWorkflow = defineOperation({
  id: "workflows.create",
  section: "4.6",
  summary: "Create a workflow",
  method: "POST",
  path: "/api/workflow/v2/models",
  pathParameters: {},
  queryParameters: {},
  body: anyObject,
  answer: workflowModel,
  credential: "platform",
  effect: "change",
  failure: "Cannot create the workflow",
  entity: "new workflow",
  errors: changing("create"),
});

export const getWorkflow = defineOperation({
  id: "workflows.get",
  section: "4.6",
  summary: "Read a workflow with its versions",
  method: "GET",
  path: "/api/workflow/v1/models/{modelId}",
  pathParameters: { modelId },
  queryParameters: { parts: z.optional(given) },
  body: z.undefined(),
  answer: workflowModel,
  credential: "platform",
  effect: "read",
  failure: "Cannot read workflow {modelId}",
  entity: "{modelId}",
  errors: reading,
});

export const deleteWorkflow = defineOperation({
  id: "workflows.delete",
  section: "4.6",
  summary: "Delete a workflow whose versions are all inactive",
  method: "DELETE",
  path: "/api/workflow/v1/models/{modelId}",
  pathParameters: { modelId },
  queryParameters: {},
  body: z.undefined(),
  answer: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Cannot delete workflow {modelId}",
  entity: "{modelId}",
  errors: changing("delete"),
});

export const createWorkflowVersion = defineOperation({
  id: "workflows.versions.create",
  section: "4.6",
  summary: "Create a version of a workflow",
  method: "POST",
  path: "/api/workflow/v2/models/{modelId}/versions",
  pathParameters: { modelId },
  queryParameters: {},
  body: anyObject,
  answer: workflowVersion,
  credential: "platform",
  effect: "change",
  failure: "Cannot create a version of workflow {modelId}",
  entity: "{modelId}",
  errors: changing("create_version"),
});

export const createFirstWorkflowVersion = defineOperation({
  id: "workflows.versions.createFirst",
  section: "4.6",
  summary: "Create the first version of a workflow that has none",
  method: "POST",
  path: "/api/workflow/v1/models/{modelId}/versions",
  pathParameters: { modelId },
  queryParameters: {},
  body: firstVersionBody,
  answer: workflowVersion,
  credential: "platform",
  effect: "change",
  failure: "Cannot create the first version of workflow {modelId}",
  entity: "{modelId}",
  errors: changing("create_version"),
});

export const getWorkflowVersion = defineOperation({
  id: "workflows.versions.get",
  section: "4.6",
  summary: "Read a version of a workflow",
  method: "GET",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}",
  pathParameters: { modelId, version },
  queryParameters: {},
  body: z.undefined(),
  answer: workflowVersion,
  credential: "platform",
  effect: "read",
  failure: "Cannot read version {version} of workflow {modelId}",
  entity: "workflow {modelId}, version {version}",
  errors: reading,
});

export const getVersionDefinition = defineOperation({
  id: "workflows.versions.definition.get",
  section: "4.6",
  summary: "Read what a version of a workflow does",
  method: "GET",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}/definition",
  pathParameters: { modelId, version },
  queryParameters: {},
  body: z.undefined(),
  answer: versionDefinition,
  credential: "platform",
  effect: "read",
  failure: "Cannot read the definition of version {version} of workflow {modelId}",
  entity: "workflow {modelId}, version {version}",
  errors: reading,
});

export const getTriggerForm = defineOperation({
  id: "workflows.versions.form.get",
  section: "4.6",
  summary: "Read the form that starts a version of a workflow",
  method: "GET",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}/form",
  pathParameters: { modelId, version },
  queryParameters: { triggerId: z.optional(given), deploymentId: z.optional(given) },
  body: z.undefined(),
  answer: triggerForm,
  credential: "platform",
  effect: "read",
  failure: "Cannot read the form of version {version} of workflow {modelId}",
  entity: "workflow {modelId}, version {version}",
  errors: reading,
});

export const getWorkflowLocks = defineOperation({
  id: "workflows.locks.get",
  section: "4.6",
  summary: "Read who holds which version of a workflow",
  method: "GET",
  path: "/api/workflow/v1/models/{modelId}/locks",
  pathParameters: { modelId },
  queryParameters: {},
  body: z.undefined(),
  answer: workflowLocks,
  credential: "platform",
  effect: "read",
  failure: "Cannot read the locks of workflow {modelId}",
  entity: "{modelId}",
  errors: reading,
});

export const getWorkflowPermissions = defineOperation({
  id: "workflows.permissions.get",
  section: "4.6",
  summary: "Read who may do what with a workflow",
  method: "GET",
  path: "/api/workflow/v1/models/{modelId}/permissions",
  pathParameters: { modelId },
  queryParameters: {},
  body: z.undefined(),
  answer: workflowPermissions,
  credential: "platform",
  effect: "read",
  failure: "Cannot read the permissions of workflow {modelId}",
  entity: "{modelId}",
  errors: reading,
});

export const getWorkflowUsage = defineOperation({
  id: "workflows.usage.get",
  section: "4.6",
  summary: "Read which workflows use a thing",
  method: "GET",
  path: "/api/workflow/v2/models/usage",
  pathParameters: {},
  queryParameters: usageFilter,
  body: z.undefined(),
  answer: z.unknown(),
  credential: "platform",
  effect: "read",
  failure: "Cannot read which workflows use it",
  entity: "workflow usage",
  errors: reading,
});

export const listExecutions = defineOperation({
  id: "workflows.executions.list",
  section: "4.6",
  summary: "List executions",
  method: "GET",
  path: "/api/workflow/v2/executions",
  pathParameters: {},
  queryParameters: executionFilter,
  body: z.undefined(),
  answer: executions,
  credential: "platform",
  effect: "read",
  failure: "Cannot list the executions",
  entity: "executions",
  errors: reading,
});

export const getExecution = defineOperation({
  id: "workflows.executions.get",
  section: "4.6",
  summary: "Read an execution",
  method: "GET",
  path: "/api/workflow/v2/executions/{executionId}",
  pathParameters: { executionId },
  queryParameters: {},
  body: z.undefined(),
  answer: execution,
  credential: "platform",
  effect: "read",
  failure: "Cannot read execution {executionId}",
  entity: "{executionId}",
  errors: reading,
});

export const getExecutionOutputs = defineOperation({
  id: "workflows.executions.outputs.get",
  section: "4.6",
  summary: "Read what an execution gave back",
  method: "GET",
  path: "/api/workflow/v2/executions/{executionId}/outputs",
  pathParameters: { executionId },
  queryParameters: {},
  body: z.undefined(),
  answer: z.unknown(),
  credential: "platform",
  effect: "read",
  failure: "Cannot read the outputs of execution {executionId}",
  entity: "{executionId}",
  errors: reading,
});

export const getExecutionMetrics = defineOperation({
  id: "workflows.executions.metrics.get",
  section: "4.6",
  summary: "Read figures over the executions of a workflow",
  method: "GET",
  path: "/api/workflow/v2/executions/metrics",
  pathParameters: {},
  queryParameters: metricsFilter,
  body: z.undefined(),
  answer: executionMetrics,
  credential: "platform",
  effect: "read",
  failure: "Cannot read the metrics of workflow {modelId}",
  entity: "{modelId}",
  errors: reading,
});

export const listTriggerTypes = defineOperation({
  id: "workflows.triggers.types.list",
  section: "4.6",
  summary: "List the types of triggers",
  method: "GET",
  path: "/api/workflow/v2/triggers/types",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  answer: triggerTypes,
  credential: "platform",
  effect: "read",
  failure: "Cannot list the types of triggers",
  entity: "trigger types",
  errors: reading,
});

export const listTriggers = defineOperation({
  id: "workflows.triggers.list",
  section: "4.6",
  summary: "List the triggers attached to an entity, deleted ones included",
  method: "GET",
  path: "/api/workflow/v2/triggers/entity/{entityType}/{entityId}",
  pathParameters: { entityType: given, entityId: given },
  queryParameters: { entityVersions: z.optional(given) },
  body: z.undefined(),
  answer: triggers,
  credential: "platform",
  effect: "read",
  failure: "Cannot list the triggers of {entityType} {entityId}",
  entity: "{entityType} {entityId}",
  errors: reading,
});

export const createTrigger = defineOperation({
  id: "workflows.triggers.create",
  section: "4.6",
  summary: "Create a trigger",
  method: "POST",
  path: "/api/workflow/v2/triggers",
  pathParameters: {},
  queryParameters: {},
  body: triggerBody,
  answer: trigger,
  credential: "platform",
  effect: "change",
  failure: "Cannot create the trigger",
  entity: "new trigger",
  errors: changing("create_trigger"),
});

export const deleteTrigger = defineOperation({
  id: "workflows.triggers.delete",
  section: "4.6",
  summary: "Delete a trigger; it stays readable, and starts nothing any more",
  method: "DELETE",
  path: "/api/workflow/v2/triggers/{triggerId}",
  pathParameters: { triggerId: given },
  queryParameters: {},
  body: z.undefined(),
  answer: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Cannot delete trigger {triggerId}",
  entity: "{triggerId}",
  errors: changing("delete_trigger"),
});
