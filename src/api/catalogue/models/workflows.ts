import * as z from "zod/mini";

const numberTextOrNone = z.nullish(z.union([z.number(), z.string()]));
const text = z.nullish(z.string());
const count = z.nullish(z.number());
const fields = z.nullish(z.record(z.string(), z.unknown()));
/** ISO 8601 or epoch milliseconds, depending on the route. */
const time = numberTextOrNone;

/** The statuses that metrics can be filtered by (API description, 3). */
export const executionStatus = z.enum(["COMPLETED", "IN_PROGRESS", "CANCELLED", "FAILED"]);
export type ExecutionStatus = z.output<typeof executionStatus>;

const lockFields = { lockedBy: numberTextOrNone, lockedOn: time, success: z.nullish(z.boolean()) };

/**
 * The user who locked a version for editing; `lockedOn` is in epoch milliseconds. An entry without a holder is not a
 * lock.
 */
const workflowLock = z.looseObject(lockFields);

/** The locks of a workflow by version, or as a list with the version in each entry. */
export const workflowLocks = z.union([
  z.record(z.string(), z.nullish(workflowLock)),
  z.array(z.looseObject({ version: text, ...lockFields })),
]);

/** A user's or group's permission for a workflow: ADMIN, SHARE, DELETE, WRITE, READ, EXPORT, EXECUTE, and others. */
const workflowPermission = z.looseObject({
  id: numberTextOrNone,
  name: text,
  permissions: z.nullish(z.array(z.string())),
});

/** The permissions of a workflow, grouped by type of principal: `USER` and `GROUP`. */
export const workflowPermissions = z.record(z.string(), z.nullish(z.array(workflowPermission)));

/** A version of a workflow; it is a draft if `releasedAt` is null. */
export const workflowVersion = z.looseObject({
  modelId: text,
  version: text,
  description: text,
  active: z.nullish(z.boolean()),
  owner: numberTextOrNone,
  createdAt: time,
  createdBy: numberTextOrNone,
  updatedAt: time,
  updatedBy: numberTextOrNone,
  releasedAt: time,
  deletedAt: time,
  manualTriggerId: text,
  startEventId: text,
  totalExecutions: count,
});

/** A version in the list of its workflow; it is a draft if `deployedOn` is null. */
const versionOfModel = z.looseObject({
  version: text,
  active: z.nullish(z.boolean()),
  description: text,
  deployedOn: time,
  totalTimesRun: count,
  createdOn: time,
  createdBy: numberTextOrNone,
  updatedOn: time,
  updatedBy: numberTextOrNone,
});

/** A workflow. Its versions are strings in the response to a create, and objects in all other responses. */
export const workflowModel = z.looseObject({
  id: text,
  name: text,
  description: text,
  owner: numberTextOrNone,
  createdBy: numberTextOrNone,
  createdOn: time,
  createdAt: time,
  updatedBy: numberTextOrNone,
  updatedOn: time,
  updatedAt: time,
  lastVersionUpdatedOn: time,
  lastVersionUpdatedBy: numberTextOrNone,
  activeVersions: count,
  numberOfVersions: count,
  totalTimesRun: count,
  totalExecutions: count,
  versions: z.nullish(z.array(z.union([z.string(), versionOfModel]))),
  lockInfo: z.nullish(z.array(z.looseObject({ version: text, ...lockFields }))),
  userPermissions: z.nullish(z.array(workflowPermission)),
});
export type WorkflowModel = z.output<typeof workflowModel>;

/** The definition of a version: its design, its data, and its result. */
export const versionDefinition = z.looseObject({
  version: numberTextOrNone,
  designElements: z.nullish(z.array(z.unknown())),
  dataList: z.nullish(z.array(z.unknown())),
  outputs: z.nullish(z.array(z.unknown())),
});

/** The form that a user fills in to start a workflow; `createdOn` is in epoch milliseconds. */
export const triggerForm = z.looseObject({
  id: text,
  name: text,
  description: text,
  domainId: text,
  domainType: text,
  sections: z.nullish(
    z.array(z.looseObject({ id: text, title: text, fields: z.nullish(z.array(z.looseObject({ id: text }))) })),
  ),
  createdBy: numberTextOrNone,
  createdOn: time,
});

/** A run of a workflow version. */
export const execution = z.looseObject({
  id: text,
  modelId: text,
  modelName: text,
  modelVersion: text,
  modelOwner: numberTextOrNone,
  deploymentId: text,
  status: text,
  triggerId: text,
  triggerName: text,
  triggerType: text,
  triggerDeletedAt: time,
  startedBy: numberTextOrNone,
  startedAt: time,
  finishedAt: time,
  createdAt: time,
  updatedAt: time,
  updatedBy: numberTextOrNone,
  eventId: text,
  linkedExecutions: z.nullish(z.array(z.unknown())),
});
export type WorkflowExecution = z.output<typeof execution>;

/** A run of a workflow as the older version of the API returns it. Its status is null until it has started. */
export const workflowInstance = z.looseObject({
  id: text,
  modelId: text,
  modelName: text,
  modelVersion: text,
  status: text,
  createdBy: numberTextOrNone,
  createdOn: time,
  updatedBy: numberTextOrNone,
  updatedOn: time,
});

const someExecutions = z.nullish(z.array(execution));

/** A list of executions, or an object that contains it under one of three names. */
export const executions = z.union([
  z.array(execution),
  z.looseObject({ executions: someExecutions, content: someExecutions, items: someExecutions }),
]);

/** Metrics of executions; `averageCycleTime` is in milliseconds. Counts are by status and by trigger type. */
export const executionMetrics = z.looseObject({
  averageCycleTime: count,
  executionCount: z.nullish(z.record(z.string(), z.number())),
  triggerCount: z.nullish(z.record(z.string(), z.number())),
});

/** A trigger of a workflow (API description, 2.8). Deleted triggers remain readable and have `deletedAt`. */
export const trigger = z.looseObject({
  id: text,
  name: text,
  type: text,
  active: z.nullish(z.boolean()),
  modelId: text,
  modelVersion: text,
  entityId: numberTextOrNone,
  entityType: text,
  entityVersion: text,
  eventId: text,
  defaultValues: fields,
  variables: fields,
  schema: fields,
  metadata: fields,
  createdAt: time,
  createdBy: numberTextOrNone,
  updatedAt: time,
  updatedBy: numberTextOrNone,
  deletedAt: time,
});
export type Trigger = z.output<typeof trigger>;
export const triggers = z.array(trigger);

export const triggerTypes = z.array(z.looseObject({ name: text, availableFields: z.nullish(z.array(z.unknown())) }));

const given = z.string().check(z.minLength(1));

/**
 * A trigger to create (API description, 2.8). `metadata.type` equals `type`. A TIMER belongs to the USER who creates it
 * and has `cron` and `timeZone` in its metadata.
 */
export const triggerBody = z
  .looseObject({
    name: given,
    type: given,
    modelId: given,
    modelVersion: given,
    entityType: given,
    entityId: given,
    defaultValues: z._default(z.record(z.string(), z.unknown()), {}),
    metadata: z.looseObject({ type: given }),
  })
  .check(
    z.refine(({ type, metadata }) => metadata.type === type, {
      path: ["metadata", "type"],
      error: "it must be equal to the trigger's type",
    }),
    z.refine(({ type, entityType }) => type !== "TIMER" || entityType === "USER", {
      path: ["entityType"],
      error: "it must be USER for a TIMER",
    }),
    z.refine(({ metadata }) => metadata.type !== "TIMER" || isText(metadata.cron), {
      path: ["metadata", "cron"],
      error: "a TIMER requires it, as a string",
    }),
    z.refine(({ metadata }) => metadata.type !== "TIMER" || isText(metadata.timeZone), {
      path: ["metadata", "timeZone"],
      error: "a TIMER requires it, as a string",
    }),
  );

/** True if the trigger to create is a TIMER, which belongs to the user who creates it (API description, 2.8). */
export function isTimerBody(body: unknown): boolean {
  return typeof body === "object" && body !== null && "type" in body && body.type === "TIMER";
}

const semanticVersion =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** A semantic version, such as `1.0.0`. */
export const semanticVersionText = z
  .string()
  .check(z.regex(semanticVersion, { error: "it must be a semantic version, such as 1.0.0" }));

/**
 * The first version of a workflow (API description, 2.9). Public platforms expect JSON and a semantic version in these
 * strings.
 */
export const firstVersionBody = z.strictObject({ savedJson: z.string(), version: z.string() });

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** A workflow in the list; a single workflow has more fields. */
export const workflowListEntry = z.looseObject({
  id: text,
  name: text,
  description: text,
  owner: numberTextOrNone,
  createdBy: numberTextOrNone,
  createdOn: time,
  updatedBy: numberTextOrNone,
  updatedOn: time,
  lastVersionUpdatedOn: time,
  lastVersionUpdatedBy: numberTextOrNone,
  userPermissions: z.nullish(z.array(z.unknown())),
});

/** Changes of a version. A version without `active` keeps its state. */
export const versionUpdate = z.looseObject({
  active: z.optional(z.boolean()),
  description: z.optional(z.string()),
});

/** Changes of a workflow; `owner` is the id of a user. */
export const workflowUpdate = z.looseObject({
  id: z.optional(given),
  owner: z.optional(given),
  name: z.optional(given),
  description: z.optional(z.string()),
});

/** Permissions of users and groups on a workflow. */
export const workflowPermissionList = z.array(
  z.looseObject({
    type: given,
    id: given,
    name: z.optional(z.string()),
    permissions: z.array(z.string()),
  }),
);
