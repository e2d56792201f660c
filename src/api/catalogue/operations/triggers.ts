import * as z from "zod/mini";
import { isTimerBody, trigger, triggerBody, triggerForm, triggers, triggerTypes } from "../models/workflows.ts";
import { defineOperation } from "../operation.ts";
import { getSignedInUser } from "./users.ts";

const given = z.string().check(z.minLength(1));
const reading = { otherwise: { kind: "workflowGet" } } as const;

function changing<Word extends string>(word: Word) {
  return { otherwise: { kind: "workflowCrud", word } } as const;
}

export const listTriggerTypes = defineOperation({
  id: "workflows.triggers.types.list",
  section: "4.6",
  summary: "List the types of triggers",
  method: "GET",
  path: "/api/workflow/v2/triggers/types",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: triggerTypes,
  credential: "platform",
  effect: "read",
  failure: "Can't list the types of triggers",
  entity: "trigger types",
  errors: reading,
});

export const listTriggers = defineOperation({
  id: "workflows.triggers.list",
  section: "4.6",
  summary: "List the triggers attached to an entity, including deleted ones",
  method: "GET",
  path: "/api/workflow/v2/triggers/entity/{entityType}/{entityId}",
  pathParameters: { entityType: given, entityId: given },
  queryParameters: { entityVersions: z.optional(given) },
  body: z.undefined(),
  response: triggers,
  credential: "platform",
  effect: "read",
  failure: "Can't list the triggers of {entityType} {entityId}",
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
  signedInUser: getSignedInUser,
  signedInUserMember: (body) => (isTimerBody(body) ? "entityId" : undefined),
  body: triggerBody,
  response: trigger,
  credential: "platform",
  effect: "change",
  failure: "Can't create the trigger",
  entity: "new trigger",
  errors: changing("create_trigger"),
});

export const deleteTrigger = defineOperation({
  id: "workflows.triggers.delete",
  section: "4.6",
  summary: "Delete a trigger, which stays readable but no longer starts the workflow",
  method: "DELETE",
  path: "/api/workflow/v2/triggers/{triggerId}",
  pathParameters: { triggerId: given },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't delete trigger {triggerId}",
  entity: "{triggerId}",
  errors: changing("delete_trigger"),
});

export const getTriggerForm = defineOperation({
  id: "workflows.versions.form.get",
  section: "4.6",
  summary: "Read the form that starts a version of a workflow",
  method: "GET",
  path: "/api/workflow/v2/models/{modelId}/versions/{version}/form",
  pathParameters: { modelId: given, version: given },
  queryParameters: { triggerId: z.optional(given), deploymentId: z.optional(given) },
  body: z.undefined(),
  response: triggerForm,
  credential: "platform",
  effect: "read",
  failure: "Can't read the form of version {version} of workflow {modelId}",
  entity: "workflow {modelId}, version {version}",
  errors: reading,
});
