import * as z from "zod/mini";
import {
  firstVersionBody,
  versionDefinition,
  workflowListEntry,
  workflowLocks,
  workflowModel,
  workflowPermissions,
  workflowVersion,
} from "../models/workflows.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const modelId = given;
const version = given;
const anyObject = z._default(z.record(z.string(), z.unknown()), {});
const reading = { otherwise: { kind: "workflowGet" } } as const;

function changing<Word extends string>(word: Word) {
  return { otherwise: { kind: "workflowCrud", word } } as const;
}

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
  response: workflowModel,
  credential: "platform",
  effect: "change",
  failure: "Can't create the workflow",
  entity: "new workflow",
  errors: changing("create"),
});

export const listWorkflows = defineOperation({
  id: "workflows.list",
  section: "4.7",
  summary: "List the workflows",
  method: "GET",
  path: "/api/workflow/v1/models",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: z.array(workflowListEntry),
  credential: "platform",
  effect: "read",
  failure: "Can't list the workflows",
  entity: "workflows",
  errors: reading,
});

export const getWorkflow = defineOperation({
  id: "workflows.get",
  section: "4.6",
  summary: "Read a workflow with its versions",
  method: "GET",
  path: "/api/workflow/v1/models/{modelId}",
  pathParameters: { modelId },
  queryParameters: { parts: z.optional(given) },
  undescribedQuery: ["parts"],
  body: z.undefined(),
  response: workflowModel,
  credential: "platform",
  effect: "read",
  failure: "Can't read workflow {modelId}",
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
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't delete workflow {modelId}",
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
  response: workflowVersion,
  credential: "platform",
  effect: "change",
  failure: "Can't create a version of workflow {modelId}",
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
  response: workflowVersion,
  credential: "platform",
  effect: "change",
  failure: "Can't create the first version of workflow {modelId}",
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
  response: workflowVersion,
  credential: "platform",
  effect: "read",
  failure: "Can't read version {version} of workflow {modelId}",
  entity: "workflow {modelId}, version {version}",
  errors: reading,
});

export const getVersionDefinition = defineOperation({
  id: "workflows.versions.definition.get",
  section: "4.6",
  summary: "Read the definition of a workflow version",
  method: "GET",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}/definition",
  pathParameters: { modelId, version },
  queryParameters: {},
  body: z.undefined(),
  response: versionDefinition,
  credential: "platform",
  effect: "read",
  failure: "Can't read the definition of version {version} of workflow {modelId}",
  entity: "workflow {modelId}, version {version}",
  errors: reading,
});

export const getWorkflowLocks = defineOperation({
  id: "workflows.locks.get",
  section: "4.6",
  summary: "Read the locks of a workflow's versions",
  method: "GET",
  path: "/api/workflow/v1/models/{modelId}/locks",
  pathParameters: { modelId },
  queryParameters: {},
  body: z.undefined(),
  response: workflowLocks,
  credential: "platform",
  effect: "read",
  failure: "Can't read the locks of workflow {modelId}",
  entity: "{modelId}",
  errors: reading,
});

export const getWorkflowPermissions = defineOperation({
  id: "workflows.permissions.get",
  section: "4.6",
  summary: "Read the permissions of a workflow",
  method: "GET",
  path: "/api/workflow/v1/models/{modelId}/permissions",
  pathParameters: { modelId },
  queryParameters: {},
  body: z.undefined(),
  response: workflowPermissions,
  credential: "platform",
  effect: "read",
  failure: "Can't read the permissions of workflow {modelId}",
  entity: "{modelId}",
  errors: reading,
});

export const getWorkflowUsage = defineOperation({
  id: "workflows.usage.get",
  section: "4.6",
  summary: "List the workflows that use an item",
  method: "GET",
  path: "/api/workflow/v2/models/usage",
  pathParameters: {},
  queryParameters: usageFilter,
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "read",
  failure: "Can't read which workflows use it",
  entity: "workflow usage",
  errors: reading,
});
