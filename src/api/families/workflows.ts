import * as z from "zod/mini";
import {
  type ExecutionStatus,
  executionStatus,
  type firstVersionBody,
  type Trigger,
  triggerBody,
  type WorkflowExecution,
} from "../catalogue/models/workflows.ts";
import type { InputOf, ResponseOf } from "../catalogue/operation.ts";
import { getExecutionMetrics, listExecutions } from "../catalogue/operations/executions.ts";
import { createTrigger } from "../catalogue/operations/triggers.ts";
import { getSignedInUser } from "../catalogue/operations/users.ts";
import { getWorkflowLocks, getWorkflowPermissions } from "../catalogue/operations/workflows.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { invalidInput } from "../client/operation-errors.ts";
import type { Dialect } from "../http/dialects.ts";
import { phrase } from "../phrase.ts";
import type { ParsedSchedule, Schedule } from "./schedule.ts";
import { listWithin } from "./wrapped-list.ts";

/** Converts a time of the workflow endpoints, which is ISO 8601 or epoch milliseconds; undefined if there is none. */
export function parsedDate(value: string | number | null | undefined): Date | undefined {
  if (value === undefined || value === null || value === "") {
    return undefined;
  }
  const text = typeof value === "string" && /^\d{11,}$/.test(value) ? Number(value) : value;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Filters for metrics (API description, 4.6); omitted members are not sent. */
export interface MetricsQuery {
  readonly modelId: string;
  readonly modelVersion?: string;
  readonly statuses?: readonly ExecutionStatus[];
  readonly triggerTypes?: readonly string[];
  readonly startedBy?: string | number;
  readonly startedAfter?: Date | string;
  readonly finishedBefore?: Date | string;
}

/** Reads the metrics of a workflow's executions. Throws a PlatformError of kind `request` for an unknown status. */
export async function readMetrics(
  client: PlatformClient,
  query: MetricsQuery,
  options: CallOptions = {},
): Promise<ResponseOf<typeof getExecutionMetrics>> {
  for (const status of query.statuses ?? []) {
    if (!z.safeParse(executionStatus, status).success) {
      const reason = phrase`"${status}" isn't one of ${executionStatus.options.join(", ")}`;
      throw invalidInput(getExecutionMetrics, query, "statuses", reason);
    }
  }
  for (const type of query.triggerTypes ?? []) {
    if (!/^[^,\s]+$/.test(type)) {
      throw invalidInput(getExecutionMetrics, query, "triggerTypes", phrase`"${type}" isn't a trigger type`);
    }
  }
  const [startedAfter, finishedBefore] = [isoOf(query.startedAfter), isoOf(query.finishedBefore)];
  const input = {
    modelId: query.modelId,
    ...present("modelVersion", query.modelVersion),
    ...present("status", joined(query.statuses)),
    ...present("triggerTypes", joined(query.triggerTypes)),
    ...present("startedBy", query.startedBy === undefined ? undefined : String(query.startedBy)),
    ...present("startedAfter", startedAfter),
    ...present("finishedBefore", finishedBefore),
  };
  return await client.call(getExecutionMetrics, input, options);
}

function present<Name extends string>(name: Name, value: string | undefined): { readonly [Key in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}

function joined(list: readonly string[] | undefined): string | undefined {
  return list === undefined || list.length === 0 ? undefined : list.join(",");
}

function isoOf(time: Date | string | undefined): string | undefined {
  return time instanceof Date && !Number.isNaN(time.getTime())
    ? time.toISOString()
    : time === undefined
      ? undefined
      : String(time);
}

/**
 * The executions in a response: a list, or an object that contains it as `executions`, `content`, or `items`. Throws a
 * workflow GET error if there is none.
 */
export function executionsOf(
  response: ResponseOf<typeof listExecutions>,
  input: InputOf<typeof listExecutions> = {},
): readonly WorkflowExecution[] {
  return listWithin<WorkflowExecution>(listExecutions, input, response, ["executions", "content", "items"]);
}

/** Lists executions (API description, 4.6). Filters the result here if the platform is not known to support filters. */
export async function readExecutions(
  client: PlatformClient,
  filter: InputOf<typeof listExecutions> = {},
  options: CallOptions = {},
): Promise<readonly WorkflowExecution[]> {
  if (client.accepts(listExecutions, "modelId")) {
    return executionsOf(await client.call(listExecutions, filter, options), filter);
  }
  const { modelId, version, status, triggerTypes } = filter;
  const types = triggerTypes?.split(",");
  return executionsOf(await client.call(listExecutions, {}, options)).filter(
    (one) =>
      (modelId === undefined || one.modelId === modelId) &&
      (version === undefined || one.modelVersion === version) &&
      (status === undefined || one.status === status) &&
      (types === undefined || types.includes(one.triggerType ?? "")),
  );
}

/** The user who locked a version for editing; `isStale` is true after 24 hours. */
export interface WorkflowLock {
  readonly version: string;
  readonly lockedBy: string;
  readonly lockedOn: Date | undefined;
  readonly isStale: boolean;
}

const staleAfterMs = 24 * 60 * 60 * 1000;

/** The locked versions of a workflow; an entry without a holder is not a lock. */
export async function readLocks(
  client: PlatformClient,
  modelId: string,
  options: CallOptions = {},
): Promise<readonly WorkflowLock[]> {
  const response = await client.call(getWorkflowLocks, { modelId }, options);
  const entries = Array.isArray(response)
    ? response.map((lock) => [lock.version ?? "", lock] as const)
    : Object.entries(response);
  return entries.flatMap(([version, lock]) => {
    const holder = lock?.lockedBy ?? "";
    if (holder === "") {
      return [];
    }
    const lockedOn = parsedDate(lock?.lockedOn);
    const isStale = lockedOn !== undefined && Date.now() - lockedOn.getTime() > staleAfterMs;
    return [{ version, lockedBy: String(holder), lockedOn, isStale }];
  });
}

/** The permissions of a user or group for a workflow. */
export interface WorkflowPermission {
  /** USER or GROUP. */
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** The permissions of a workflow as one list of users and groups. */
export async function readPermissions(
  client: PlatformClient,
  modelId: string,
  options: CallOptions = {},
): Promise<readonly WorkflowPermission[]> {
  const response = await client.call(getWorkflowPermissions, { modelId }, options);
  return Object.entries(response).flatMap(([type, holders]) =>
    (holders ?? []).map(({ id, name, permissions }) => ({
      type,
      id: String(id ?? ""),
      name: name ?? String(id ?? ""),
      permissions: permissions ?? [],
    })),
  );
}

/** True for a deleted trigger, which remains readable. */
export function isDeleted(trigger: Trigger): boolean {
  return parsedDate(trigger.deletedAt) !== undefined;
}

/** The body that creates a workflow's first version (API description, 2.9), from a definition as an object. */
export function firstVersion(version: string, definition: object): z.input<typeof firstVersionBody> {
  return { version, savedJson: JSON.stringify(definition) };
}

/** Parses a cron expression in a time zone and computes its next runs. Loads the parser on first use. */
export async function readTimer(cron: string, timeZone: string): Promise<ParsedSchedule> {
  const { readSchedule } = await import("./schedule.ts");
  return readSchedule(cron, timeZone);
}

/** A TIMER trigger to create. */
export interface TimerInput {
  readonly name: string;
  readonly modelId: string;
  readonly modelVersion: string;
  /** Quartz with six or seven fields, seconds first, or five fields without seconds. */
  readonly cron: string;
  /** An IANA time zone, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly defaultValues?: Readonly<Record<string, unknown>>;
  /** The id of the user who creates it, for a platform that doesn't return the signed-in user. */
  readonly userId?: string;
  /** Other members of the metadata, such as `interval`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A valid cron expression as it is sent: as typed, or in the format that the platform expects. */
export function cronOnWire(typed: string, { cron }: Schedule, { cronFormat }: Pick<Dialect, "cronFormat">): string {
  return cronFormat === "quartz" ? cron : typed;
}

/**
 * Creates a TIMER trigger that belongs to the signed-in user (API description, 2.8), or to the given user. Validates everything before the first request: a PlatformError of kind
 * `request` names the invalid field.
 */
export async function createTimerTrigger(
  client: PlatformClient,
  input: TimerInput,
  options: CallOptions = {},
): Promise<Trigger> {
  const reading = await readTimer(input.cron, input.timeZone);
  if (!reading.valid) {
    throw invalidInput(createTrigger, input, reading.field, reading.reason);
  }
  const { timeZone } = reading.schedule;
  const cron = cronOnWire(input.cron, reading.schedule, client.dialect);
  const body = {
    name: input.name,
    type: "TIMER",
    modelId: input.modelId,
    modelVersion: input.modelVersion,
    entityType: "USER",
    entityId: "?",
    defaultValues: { ...input.defaultValues },
    metadata: { ...input.metadata, type: "TIMER", cron, timeZone },
  };
  const issue = z.safeParse(triggerBody, body).error?.issues[0];
  if (issue !== undefined) {
    throw invalidInput(createTrigger, input, issue.path.map(String).join("."), phrase`it is missing or invalid`);
  }
  const entityId = input.userId ?? (await client.signedInUserId(getSignedInUser, options));
  return await client.call(createTrigger, { body: { ...body, entityId } }, options);
}
