import * as z from "zod/mini";

const numberTextOrNone = z.nullish(z.union([z.number(), z.string()]));
const text = z.nullish(z.string());
const count = z.nullish(z.number());
const fields = z.nullish(z.record(z.string(), z.unknown()));
/** ISO 8601 or epoch milliseconds, depending on the route. */
const time = numberTextOrNone;

/** The statuses that metrics can be asked for (API description, 3). */
export const executionStatus = z.enum(["COMPLETED", "IN_PROGRESS", "CANCELLED", "FAILED"]);
export type ExecutionStatus = z.output<typeof executionStatus>;

const lockFields = { lockedBy: numberTextOrNone, lockedOn: time, success: z.nullish(z.boolean()) };

/** Who holds a version for editing; `lockedOn` in epoch milliseconds. An entry without a holder is not a lock. */
const workflowLock = z.looseObject(lockFields);

/** The locks of a workflow by version, or as a list whose entries name their version. */
export const workflowLocks = z.union([
  z.record(z.string(), z.nullish(workflowLock)),
  z.array(z.looseObject({ version: text, ...lockFields })),
]);

/** What a user or group may do with a workflow: ADMIN, SHARE, DELETE, WRITE, READ, EXPORT, EXECUTE and others. */
const workflowPermission = z.looseObject({
  id: numberTextOrNone,
  name: text,
  permissions: z.nullish(z.array(z.string())),
});

/** The permissions of a workflow by kind of holder: `USER` and `GROUP`. */
export const workflowPermissions = z.record(z.string(), z.nullish(z.array(workflowPermission)));

/** A version of a workflow; draft while `releasedAt` is null. */
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

/** A version as its workflow tells it; draft while `deployedOn` is null. */
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

/** A workflow. Its versions come as version strings after a create and as objects otherwise. */
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

/** What a version does: its design, its data and what it gives back. */
export const versionDefinition = z.looseObject({
  version: numberTextOrNone,
  designElements: z.nullish(z.array(z.unknown())),
  dataList: z.nullish(z.array(z.unknown())),
  outputs: z.nullish(z.array(z.unknown())),
});

/** The form that a trigger asks a person to fill in; `createdOn` in epoch milliseconds. */
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

/** One run of a workflow version. */
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
export type Execution = z.output<typeof execution>;

const someExecutions = z.nullish(z.array(execution));

/** The executions as a list, or as an object that holds it under one of three names. */
export const executions = z.union([
  z.array(execution),
  z.looseObject({ executions: someExecutions, content: someExecutions, items: someExecutions }),
]);

/** Figures over executions; `averageCycleTime` in milliseconds, counts by status and by trigger type. */
export const executionMetrics = z.looseObject({
  averageCycleTime: count,
  executionCount: z.nullish(z.record(z.string(), z.number())),
  triggerCount: z.nullish(z.record(z.string(), z.number())),
});

/** What starts a workflow (API description, 2.8). A deleted one stays readable, with `deletedAt`. */
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
 * A trigger to create (API description, 2.8): `metadata.type` equals `type`; a TIMER belongs to the USER who creates it
 * and carries `cron` and `timeZone` in its metadata.
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
      error: "a TIMER needs it, as text",
    }),
    z.refine(({ metadata }) => metadata.type !== "TIMER" || isText(metadata.timeZone), {
      path: ["metadata", "timeZone"],
      error: "a TIMER needs it, as text",
    }),
  );

/** True for a trigger to create that is a TIMER: it belongs to the user who creates it (API description, 2.8). */
export function isTimerBody(body: unknown): boolean {
  return typeof body === "object" && body !== null && "type" in body && body.type === "TIMER";
}

const semanticVersion =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** A semantic version, as `1.0.0`. */
export const semanticVersionText = z
  .string()
  .check(z.regex(semanticVersion, { error: "it must be a semantic version, as 1.0.0" }));

/** The first version of a workflow (API description, 2.9); public platforms want JSON and a semantic version in the texts. */
export const firstVersionBody = z.strictObject({ savedJson: z.string(), version: z.string() });

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** A workflow in the list; a workflow by itself has more. */
export const workflowListEntry = z.looseObject({
  id: z.string(),
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
