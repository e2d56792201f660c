import * as z from "zod/mini";

// The API description doesn't specify the fields of these models. The fields below are known from the public platform,
// so each can be absent or null, and ids can be numbers or strings. Times are epoch milliseconds or ISO 8601, depending
// on the service.

const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());
const count = z.nullish(z.number());
const numberOrText = z.union([z.number(), z.string()]);
const id = z.nullish(numberOrText);
const time = z.nullish(numberOrText);
const anything = z.optional(z.unknown());
const someList = z.nullish(z.array(z.unknown()));

/** Stored credentials for another system; `configurations` may contain that system's secrets. */
export const account = z.looseObject({
  id,
  accountId: id,
  userId: id,
  name: text,
  displayName: text,
  type: text,
  valid: flag,
  dataProviderType: text,
  credentialsType: text,
  configurations: anything,
  createdAt: time,
  createdBy: id,
  modifiedAt: time,
  modifiedBy: id,
  accountTemplateId: id,
  accountTemplateAuthorizationId: id,
  allowExternalUse: flag,
  secretId: id,
});

export const datastore = z.looseObject({
  id,
  name: text,
  owner: id,
  temporary: flag,
  createdOn: time,
  updatedOn: time,
  updatedBy: id,
});

const dataflowAction = z.looseObject({ id, type: text, name: text, dataSourceId: id });

export const dataflow = z.looseObject({
  id,
  dapDataFlowId: id,
  name: text,
  description: text,
  owner: id,
  responsibleUserId: id,
  databaseType: text,
  enabled: flag,
  draft: flag,
  deleted: flag,
  tags: someList,
  created: time,
  actions: z.nullish(z.array(dataflowAction)),
  triggerSettings: anything,
});

const datasetPermission = z.looseObject({ type: text, id, accessLevel: text, name: text });

/** The permissions of a dataset: an object with `list`, or the bare list. */
export const datasetPermissions = z.union([
  z.array(datasetPermission),
  z.looseObject({ list: z.nullish(z.array(datasetPermission)), totalUserCount: count, totalGroupCount: count }),
]);

const schemaColumn = z.looseObject({
  id,
  name: text,
  type: text,
  visible: flag,
  upsertKey: flag,
  order: count,
  tags: someList,
});

export const datasetSchema = z.looseObject({
  tables: z.nullish(z.array(z.looseObject({ columns: z.nullish(z.array(schemaColumn)) }))),
});

/** A set of files; many of its strings can be null (API description, 2.11). */
export const fileset = z.looseObject({
  id,
  name: text,
  description: text,
  aiEnabled: flag,
  batchType: text,
  connector: text,
  connectorContext: anything,
  created: time,
  createdBy: id,
  updated: time,
  updatedBy: id,
  owner: id,
  accountId: id,
  permission: text,
  indexStatus: text,
  size: count,
});

const policyParameter = z.looseObject({
  name: text,
  type: text,
  operator: text,
  values: someList,
  ignoreCase: flag,
  not: flag,
});

/** A data policy, which limits the rows of a dataset that users can see. */
export const dataPolicy = z.looseObject({
  filterGroupId: id,
  name: text,
  dataSourceId: id,
  type: text,
  policySetId: id,
  order: count,
  groupIds: someList,
  userIds: someList,
  virtualUserIds: someList,
  dataSourcePermissions: anything,
  parameters: z.nullish(z.array(policyParameter)),
});

const streamSetting = z.looseObject({ category: text, name: text, type: text, value: anything });

/** The configuration that fills a dataset; the values of `configuration` may be secrets of the source system. */
export const stream = z.looseObject({
  id,
  valid: flag,
  updateMethod: text,
  transport: z.nullish(z.looseObject({ type: text, description: text, version: id })),
  dataProvider: z.nullish(z.looseObject({ id, key: text, name: text })),
  account: z.nullish(z.looseObject({ id, displayName: text, userId: id })),
  dataSource: z.nullish(z.looseObject({ id, name: text, description: text })),
  schemaDefinition: z.nullish(z.looseObject({ columns: z.nullish(z.array(schemaColumn)) })),
  configuration: z.nullish(z.array(streamSetting)),
  scheduleExpression: text,
  scheduleState: text,
  advancedScheduleJson: anything,
  scheduleStartDate: time,
  scheduleRetryCount: count,
});

/** A query of a dataset, which is called `table` in it. */
export const datasetQuery = z.looseObject({ sql: z.string().check(z.minLength(1)) });

/** Rows of a dataset: the names of the columns and lists of values, or a list of objects. */
export const datasetRows = z.union([
  z.looseObject({
    columns: z.nullish(z.array(z.unknown())),
    rows: z.nullish(z.array(z.array(z.unknown()))),
    metadata: z.nullish(z.array(z.looseObject({ type: z.nullish(z.string()) }))),
    numRows: z.nullish(z.number()),
    numColumns: z.nullish(z.number()),
  }),
  z.array(z.record(z.string(), z.unknown())),
]);
