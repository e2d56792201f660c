import * as z from "zod/mini";

// The API description doesn't specify the fields of these models. The fields below are known from the public platform,
// so each can be absent or null, and ids can be numbers or strings. Times are epoch milliseconds or ISO 8601, depending
// on the service.

const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());
const numberOrText = z.union([z.number(), z.string()]);
const id = z.nullish(numberOrText);
const time = z.nullish(numberOrText);
const anything = z.optional(z.unknown());
const someList = z.nullish(z.array(z.unknown()));
const someObject = z.nullish(z.record(z.string(), z.unknown()));

/** A principal that owns or can see an item. */
const principal = z.looseObject({ id, type: text, displayName: text });
const principals = z.nullish(z.array(principal));

export const activityLogType = z.looseObject({ type: text, translation: text });

const aiConnector = z.looseObject({ enabled: flag, modelHostType: text, name: text });
const aiGeneralSetting = z.looseObject({
  name: text,
  displayName: text,
  value: anything,
  updated: time,
  updatedBy: id,
});

/** AI settings, connectors, and general settings by key. */
export const aiSettings = z.looseObject({
  connectors: z.nullish(z.record(z.string(), aiConnector)),
  generalSettings: z.nullish(z.record(z.string(), aiGeneralSetting)),
});

export const application = z.looseObject({
  applicationId: id,
  customerId: id,
  name: text,
  description: text,
  version: text,
  executionClass: text,
  authorities: someList,
  internalAuthorities: someList,
  imageLocation: text,
  k8s: flag,
  resources: anything,
  strictValidation: flag,
  verifyOwnership: flag,
  created: time,
  updated: time,
});

const cardDatasource = z.looseObject({ dataSourceId: id, displayType: text, providerType: text });

export const card = z.looseObject({
  id,
  urn: id,
  type: text,
  title: text,
  description: text,
  certification: anything,
  metadata: someObject,
  datasources: z.nullish(z.array(cardDatasource)),
  owners: principals,
  domoapp: anything,
  isFederated: flag,
});

const codeEngineVersion = z.looseObject({
  version: text,
  description: text,
  released: anything,
  createdBy: id,
  functions: someList,
  configuration: someObject,
});

export const codeEnginePackage = z.looseObject({
  id,
  name: text,
  description: text,
  language: text,
  environment: text,
  availability: text,
  owner: id,
  packageSource: text,
  createdOn: time,
  updatedOn: time,
  users: someList,
  versions: z.nullish(z.array(codeEngineVersion)),
});

const publishedContent = z.looseObject({ id, domoObjectId: id, type: text, domain: text, updated: time });
const subscription = z.looseObject({ id, domain: text, publicationId: id, created: time });

export const publication = z.looseObject({
  id,
  name: text,
  description: text,
  domain: text,
  type: text,
  isV2: flag,
  created: time,
  content: z.nullish(z.array(publishedContent)),
  children: someList,
  subscriptionAuthorizations: z.nullish(z.array(subscription)),
  useDirectContent: flag,
});

export const sandboxConfig = z.looseObject({ allowSelfPromotion: flag, domain: text, requireApprovals: flag });
