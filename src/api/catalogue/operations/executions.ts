import * as z from "zod/mini";
import { execution, executionMetrics, executionStatus, executions } from "../models/workflows.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const modelId = given;
const executionId = given;
const reading = { otherwise: { kind: "workflowGet" } } as const;

/** An ISO 8601 date, optionally with a time and a time zone. Captures the year, the month, and the day. */
const isoTimestamp =
  /^(\d{4})-?(0[1-9]|1[0-2])-?([0-2]\d|3[01])(?:T(?:[01]\d|2[0-4])(?::?[0-5]\d(?::?(?:[0-5]\d|60)(?:[.,]\d{1,9})?)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;
const isoTimeError = { error: "it must be an ISO 8601 time, such as 2025-11-18T16:42:05Z" };
const isoTime = z.optional(
  z.string().check(z.regex(isoTimestamp, isoTimeError), z.refine(isDayOfCalendar, isoTimeError)),
);

/** False for dates that don't exist, such as February 30. */
function isDayOfCalendar(timestamp: string): boolean {
  const [, year, month, day] = (isoTimestamp.exec(timestamp) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) {
    return false;
  }
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const commaList = z.optional(
  z.string().check(z.regex(/^[^,\s]+(?:,[^,\s]+)*$/, { error: "it must be a comma-separated list" })),
);
const statusList = z.optional(
  z.string().check(
    z.refine((text) => text.split(",").every((status) => z.safeParse(executionStatus, status).success), {
      error: `it must be a comma-separated list of ${executionStatus.options.join(", ")}`,
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
/** The API description has no filters. The public platform accepts these. */
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
  response: executions,
  credential: "platform",
  effect: "read",
  failure: "Can't list the executions",
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
  response: execution,
  credential: "platform",
  effect: "read",
  failure: "Can't read execution {executionId}",
  entity: "{executionId}",
  errors: reading,
});

export const getExecutionOutputs = defineOperation({
  id: "workflows.executions.outputs.get",
  section: "4.6",
  summary: "Read the outputs of an execution",
  method: "GET",
  path: "/api/workflow/v2/executions/{executionId}/outputs",
  pathParameters: { executionId },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "read",
  failure: "Can't read the outputs of execution {executionId}",
  entity: "{executionId}",
  errors: reading,
});

export const getExecutionMetrics = defineOperation({
  id: "workflows.executions.metrics.get",
  section: "4.6",
  summary: "Read the metrics of a workflow's executions",
  method: "GET",
  path: "/api/workflow/v2/executions/metrics",
  pathParameters: {},
  queryParameters: metricsFilter,
  body: z.undefined(),
  response: executionMetrics,
  credential: "platform",
  effect: "read",
  failure: "Can't read the metrics of workflow {modelId}",
  entity: "{modelId}",
  errors: reading,
});
