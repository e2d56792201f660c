import * as z from "zod/mini";

// Models of the reads of API description, 4.7. The description names no field of theirs: those below are known from the
// public platform, so each may be absent or null, and ids come as numbers or texts. Times are epoch milliseconds or
// ISO 8601, as the platform's service has them.

const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());
const count = z.nullish(z.number());
const numberOrText = z.union([z.number(), z.string()]);
const id = z.nullish(numberOrText);
const time = z.nullish(numberOrText);
const anything = z.optional(z.unknown());
const someList = z.nullish(z.array(z.unknown()));
const someObject = z.nullish(z.record(z.string(), z.unknown()));

/** Who owns or may see something. */
const principal = z.looseObject({ id, type: text, displayName: text });
const principals = z.nullish(z.array(principal));

/** A stored sign-in to another system; `configurations` may hold that system's secrets. */
export const account = z.looseObject({
  ...{ id: numberOrText, accountId: id, userId: id, name: text, displayName: text, type: text, valid: flag },
  ...{ dataProviderType: text, credentialsType: text, configurations: anything },
  ...{ createdAt: time, createdBy: id, modifiedAt: time, modifiedBy: id },
  ...{ accountTemplateId: id, accountTemplateAuthorizationId: id, allowExternalUse: flag, secretId: id },
});
export type Account = z.output<typeof account>;

export const activityLogType = z.looseObject({ type: z.string(), translation: text });

const aiConnector = z.looseObject({ enabled: flag, modelHostType: text, name: text });
const aiGeneralSetting = z.looseObject({
  name: text,
  displayName: text,
  value: anything,
  updated: time,
  updatedBy: id,
});

/** AI settings, connectors and general settings by their keys. */
export const aiSettings = z.looseObject({
  connectors: z.nullish(z.record(z.string(), aiConnector)),
  generalSettings: z.nullish(z.record(z.string(), aiGeneralSetting)),
});

export const datastore = z.looseObject({
  ...{ id: numberOrText, name: text, owner: id, temporary: flag, createdOn: time, updatedOn: time, updatedBy: id },
});

export const application = z.looseObject({
  ...{
    applicationId: numberOrText,
    customerId: id,
    name: text,
    description: text,
    version: text,
    executionClass: text,
  },
  ...{ authorities: someList, internalAuthorities: someList, imageLocation: text, k8s: flag, resources: anything },
  ...{ strictValidation: flag, verifyOwnership: flag, created: time, updated: time },
});

const cardDatasource = z.looseObject({ dataSourceId: id, displayType: text, providerType: text });

export const card = z.looseObject({
  ...{ id: numberOrText, urn: id, type: text, title: text, description: text, certification: anything },
  ...{ metadata: someObject, datasources: z.nullish(z.array(cardDatasource)), owners: principals },
  ...{ domoapp: anything, isFederated: flag },
});

const codeEngineVersion = z.looseObject({
  ...{ version: text, description: text, released: anything, createdBy: id, functions: someList },
  ...{ configuration: someObject },
});

export const codeEnginePackage = z.looseObject({
  ...{ id: numberOrText, name: text, description: text, language: text, environment: text, availability: text },
  ...{ owner: id, packageSource: text, createdOn: time, updatedOn: time, users: someList },
  versions: z.nullish(z.array(codeEngineVersion)),
});

const dataflowAction = z.looseObject({ id, type: text, name: text, dataSourceId: id });

export const dataflow = z.looseObject({
  ...{ id: numberOrText, dapDataFlowId: id, name: text, description: text, owner: id, responsibleUserId: id },
  ...{ databaseType: text, enabled: flag, draft: flag, deleted: flag, tags: someList, created: time },
  ...{ actions: z.nullish(z.array(dataflowAction)), triggerSettings: anything },
});

const datasetPermission = z.looseObject({ type: text, id, accessLevel: text, name: text });

/** Who has which access to a dataset: an object with `list`, or the bare list. */
export const datasetPermissions = z.union([
  z.array(datasetPermission),
  z.looseObject({ list: z.nullish(z.array(datasetPermission)), totalUserCount: count, totalGroupCount: count }),
]);

const schemaColumn = z.looseObject({
  ...{ id, name: text, type: text, visible: flag, upsertKey: flag, order: count, tags: someList },
});

export const datasetSchema = z.looseObject({
  tables: z.nullish(z.array(z.looseObject({ columns: z.nullish(z.array(schemaColumn)) }))),
});

/** A set of files; many of its texts may be null (API description, 2.11). */
export const fileset = z.looseObject({
  ...{ id: numberOrText, name: text, description: text, aiEnabled: flag, batchType: text, connector: text },
  ...{ connectorContext: anything, created: time, createdBy: id, updated: time, updatedBy: id, owner: id },
  ...{ accountId: id, permission: text, indexStatus: text, size: count },
});

/** A right that a role can grant. */
export const grant = z.looseObject({
  ...{ authority: z.string(), title: text, description: text, authorityUIGroup: text },
  ...{ dependsOnAuthorities: someList, dependsOnFeature: someList, implicitAuthorities: someList },
  ...{ roleIds: z.nullish(z.array(numberOrText)), adminLevel: flag, assignableByCustomer: flag, systemGroup: flag },
  userCount: count,
});

const groupMember = z.looseObject({ type: text, id });

/** A group; id and type come under either of two names. */
export const group = z.looseObject({
  ...{ id, groupId: id, name: text, description: text, type: text, groupType: text },
  ...{ userIds: z.nullish(z.array(numberOrText)), owners: principals, groupMembers: z.nullish(z.array(groupMember)) },
  ...{ memberCount: count, created: time, active: flag, default: flag },
});

/** A page by itself; `metadata` is JSON as a text. */
export const page = z.looseObject({
  ...{ pageId: id, id, pageName: text, title: text, type: text, locked: flag, isOwner: flag, owners: principals },
  ...{ created: time, updated: time, metadata: anything, mobileEnabled: flag },
  ...{ sharedViewPage: flag, virtualPage: flag },
});

const policyParameter = z.looseObject({
  ...{ name: text, type: text, operator: text, values: someList, ignoreCase: flag, not: flag },
});

/** A data policy: which rows of a dataset whom it lets see. */
export const dataPolicy = z.looseObject({
  ...{ filterGroupId: id, name: text, dataSourceId: id, type: text, policySetId: id, order: count },
  ...{ groupIds: someList, userIds: someList, virtualUserIds: someList, dataSourcePermissions: anything },
  parameters: z.nullish(z.array(policyParameter)),
});

const publishedContent = z.looseObject({ id, domoObjectId: id, type: text, domain: text, updated: time });
const subscription = z.looseObject({ id, domain: text, publicationId: id, created: time });

export const publication = z.looseObject({
  ...{ id: numberOrText, name: text, description: text, domain: text, type: text, isV2: flag, created: time },
  ...{ content: z.nullish(z.array(publishedContent)), children: someList },
  ...{ subscriptionAuthorizations: z.nullish(z.array(subscription)), useDirectContent: flag },
});

export const role = z.looseObject({
  ...{ id: numberOrText, name: text, description: text, authorityCount: count, userCount: count },
  ...{ created: time, modified: time },
});

export const sandboxConfig = z.looseObject({ allowSelfPromotion: flag, domain: text, requireApprovals: flag });

const streamSetting = z.looseObject({ category: text, name: text, type: text, value: anything });

/** How a dataset is filled; the values of `configuration` may be secrets of the system that it reads from. */
export const stream = z.looseObject({
  ...{ id: numberOrText, valid: flag, updateMethod: text },
  transport: z.nullish(z.looseObject({ type: text, description: text, version: id })),
  dataProvider: z.nullish(z.looseObject({ id, key: text, name: text })),
  account: z.nullish(z.looseObject({ id, displayName: text, userId: id })),
  dataSource: z.nullish(z.looseObject({ id, name: text, description: text })),
  schemaDefinition: z.nullish(z.looseObject({ columns: z.nullish(z.array(schemaColumn)) })),
  configuration: z.nullish(z.array(streamSetting)),
  ...{ scheduleExpression: text, scheduleState: text, advancedScheduleJson: anything },
  ...{ scheduleStartDate: time, scheduleRetryCount: count },
});

/** A person; the address stands beside the name or in `detail`. */
export const user = z.looseObject({
  ...{ id: numberOrText, displayName: text, userName: text, emailAddress: text, role: text, roleId: id, rights: count },
  ...{ active: flag, pending: flag, accepted: flag, anonymous: flag, systemUser: flag, userType: text, timeZone: text },
  ...{ created: time, modified: time, invitorUserId: id, detail: someObject },
});

/** A workflow in the list; a workflow by itself has more. */
export const workflowListEntry = z.looseObject({
  ...{ id: z.string(), name: text, description: text, owner: id, createdBy: id, createdOn: time },
  ...{ updatedBy: id, updatedOn: time, lastVersionUpdatedOn: time, lastVersionUpdatedBy: id },
  userPermissions: someList,
});
