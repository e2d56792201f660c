import * as z from "zod/mini";
import { execution, executionMetrics, executionStatus, executions } from "../models/workflows.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const modelId = given;
const executionId = given;
const reading = { otherwise: { kind: "workflowGet" } } as const;

/** A date, or a date and a time, with or without a zone, in ISO 8601. */
const isoTimestamp =
  /^\d{4}-?\d{2}-?\d{2}(?:T\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const isoTime = z.optional(
  z.string().check(z.regex(isoTimestamp, { error: "it must be an ISO 8601 time, as 2025-11-18T16:42:05Z" })),
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
/** Not in the API description, which lists all executions. The public platform accepts these filters. */
const executionFilter = {
  modelId: z.optional(given),
  version: z.optional(given),
  status: z.optional(given),
  triggerTypes: commaList,
};

export const listExecutions = defineOperation({
  id: "workflows.executions.list",
  section: "4.6",
  summary: "List executions",
  method: "GET",
  path: "/api/workflow/v2/executions",
  pathParameters: {},
  queryParameters: executionFilter,
  undescribedQuery: ["modelId", "version", "status", "triggerTypes"],
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
