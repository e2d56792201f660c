import * as z from "zod/mini";
import { execution, triggers, workflowInstance } from "../models/workflows.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const values = z._default(z.record(z.string(), z.unknown()), {});

/** Values for the start of a workflow by its message, which is `Start` and the workflow's name on public platforms. */
const startMessage = z.looseObject({
  messageName: given,
  modelId: given,
  version: z.optional(given),
  data: values,
});

export const runTrigger = defineOperation({
  id: "workflows.triggers.activate",
  section: "beyond",
  summary: "Run a workflow by a trigger, such as the manual trigger of a version",
  method: "POST",
  path: "/api/workflow/v2/triggers/{triggerId}/activate",
  pathParameters: { triggerId: given },
  queryParameters: {},
  body: values,
  response: execution,
  credential: "platform",
  effect: "run",
  failure: "Can't run the workflow of trigger {triggerId}",
  entity: "{triggerId}",
  errors: { otherwise: { kind: "workflowCrud", word: "run" } },
});

export const startWorkflow = defineOperation({
  id: "workflows.start",
  section: "beyond",
  summary: "Run a workflow by its start message",
  method: "POST",
  path: "/api/workflow/v1/instances/message",
  pathParameters: {},
  queryParameters: {},
  body: startMessage,
  response: workflowInstance,
  credential: "platform",
  effect: "run",
  failure: "Can't run the workflow",
  entity: "new execution",
  errors: { otherwise: { kind: "workflowCrud", word: "run" } },
});

export const cancelExecution = defineOperation({
  id: "workflows.executions.cancel",
  section: "beyond",
  summary: "Cancel an execution; the response has its state before the platform has canceled it",
  method: "POST",
  path: "/api/workflow/v1/instances/{executionId}/cancel",
  pathParameters: { executionId: given },
  queryParameters: {},
  body: z.undefined(),
  response: workflowInstance,
  credential: "platform",
  effect: "destroy",
  failure: "Can't cancel execution {executionId}",
  entity: "{executionId}",
  errors: { otherwise: { kind: "workflowCrud", word: "cancel" } },
});

export const listWorkflowTriggers = defineOperation({
  id: "workflows.triggers.model.list",
  section: "beyond",
  summary: "List all triggers of a workflow, including the timers of other users",
  method: "GET",
  path: "/api/workflow/v2/triggers/model/{modelId}",
  pathParameters: { modelId: given },
  queryParameters: { types: z.optional(given) },
  body: z.undefined(),
  response: triggers,
  credential: "platform",
  effect: "read",
  failure: "Can't list the triggers of workflow {modelId}",
  entity: "{modelId}",
  errors: { otherwise: { kind: "workflowGet" } },
});
