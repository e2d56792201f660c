import * as z from "zod/mini";
import {
  versionDefinition,
  versionUpdate,
  workflowModel,
  workflowPermissionList,
  workflowUpdate,
  workflowVersion,
} from "../models/workflows.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const ofVersion = { modelId: given, version: given };
const common = {
  section: "beyond",
  queryParameters: {},
  credential: "platform",
  effect: "destroy",
} as const;
const versionEntity = "workflow {modelId}, version {version}";

function changing<Word extends string>(word: Word) {
  return { otherwise: { kind: "workflowCrud", word } } as const;
}

export const releaseVersion = defineOperation({
  ...common,
  id: "workflows.versions.release",
  summary: "Release a draft version of a workflow, whose definition can't be changed afterward",
  method: "POST",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}/release",
  pathParameters: ofVersion,
  body: z.undefined(),
  response: workflowVersion,
  failure: "Can't release version {version} of workflow {modelId}",
  entity: versionEntity,
  errors: changing("release_version"),
});

export const updateVersion = defineOperation({
  ...common,
  id: "workflows.versions.update",
  summary: "Activate or deactivate a version of a workflow, or change its description",
  method: "PUT",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}",
  pathParameters: ofVersion,
  body: versionUpdate,
  response: workflowVersion,
  failure: "Can't change version {version} of workflow {modelId}",
  entity: versionEntity,
  errors: changing("update_version"),
});

export const updateVersionDefinition = defineOperation({
  ...common,
  id: "workflows.versions.definition.update",
  summary: "Replace the definition of a draft version of a workflow",
  method: "PUT",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}/definition",
  pathParameters: ofVersion,
  body: z.record(z.string(), z.unknown()),
  sendsBodyAsGiven: true,
  response: versionDefinition,
  failure: "Can't change the definition of version {version} of workflow {modelId}",
  entity: versionEntity,
  errors: changing("update_version"),
});

export const updateWorkflow = defineOperation({
  ...common,
  id: "workflows.update",
  summary: "Change the owner, name, or description of a workflow",
  method: "PUT",
  path: "/api/workflow/v1/models/{modelId}",
  pathParameters: { modelId: given },
  body: workflowUpdate,
  response: workflowModel,
  failure: "Can't change workflow {modelId}",
  entity: "{modelId}",
  errors: changing("update"),
});

export const updateWorkflowPermissions = defineOperation({
  ...common,
  id: "workflows.permissions.update",
  summary: "Replace the permissions of users and groups on a workflow",
  method: "POST",
  path: "/api/workflow/v1/models/{modelId}/permissions",
  pathParameters: { modelId: given },
  body: workflowPermissionList,
  response: z.unknown(),
  failure: "Can't change the permissions of workflow {modelId}",
  entity: "{modelId}",
  errors: changing("update_permissions"),
});
