import * as z from "zod/mini";
import {
  activityLogType,
  aiSettings,
  application,
  card,
  codeEnginePackage,
  publication,
  sandboxConfig,
} from "../models/instance.ts";
import { defineOperation } from "../operation.ts";

// Further content and settings of an instance (API description, 4.7).

const id = { id: z.string().check(z.minLength(1)) };
const retrieval = { otherwise: { kind: "retrieval" } } as const;
const retrievalById = { 404: { kind: "notFound" }, otherwise: { kind: "retrieval" } } as const;
const common = { section: "4.7", method: "GET", body: z.undefined(), credential: "platform", effect: "read" } as const;

export const listActivityLogTypes = defineOperation({
  ...common,
  id: "activityLog.types.list",
  summary: "List the item types of the activity log",
  path: "/api/audit/v1/activity-log/types",
  pathParameters: {},
  queryParameters: {},
  response: z.array(activityLogType),
  failure: "Can't list the activity log's types",
  entity: "activity log types",
  errors: retrieval,
});

export const getAiSettings = defineOperation({
  ...common,
  id: "ai.settings.get",
  summary: "Read the AI settings",
  path: "/api/ai/v1/settings",
  pathParameters: {},
  queryParameters: {},
  response: aiSettings,
  failure: "Can't read the AI settings",
  entity: "AI settings",
  errors: retrieval,
});

export const listApplications = defineOperation({
  ...common,
  id: "applications.list",
  summary: "List the executor's applications",
  path: "/api/executor/v1/applications",
  pathParameters: {},
  queryParameters: {},
  response: z.array(application),
  failure: "Can't list the applications",
  entity: "applications",
  errors: retrieval,
});

export const getCard = defineOperation({
  ...common,
  id: "cards.get",
  summary: "Read a card",
  path: "/api/content/v1/cards/{id}",
  pathParameters: id,
  queryParameters: {},
  response: card,
  failure: "Can't read card {id}",
  entity: "{id}",
  errors: retrievalById,
});

export const listCodeEnginePackages = defineOperation({
  ...common,
  id: "codeEngine.packages.list",
  summary: "List the code engine packages",
  path: "/api/codeengine/v2/packages",
  pathParameters: {},
  queryParameters: {},
  response: z.array(codeEnginePackage),
  failure: "Can't list the code engine packages",
  entity: "code engine packages",
  errors: retrieval,
});

export const listPublications = defineOperation({
  ...common,
  id: "publications.list",
  summary: "List the publications",
  path: "/api/publish/v1/publications",
  pathParameters: {},
  queryParameters: {},
  response: z.array(publication),
  failure: "Can't list the publications",
  entity: "publications",
  errors: retrieval,
});

export const getSandboxConfig = defineOperation({
  ...common,
  id: "sandbox.config.get",
  summary: "Read the instance's sandbox configuration",
  path: "/api/instance/v1/sandbox/config",
  pathParameters: {},
  queryParameters: {},
  response: sandboxConfig,
  failure: "Can't read the sandbox configuration",
  entity: "sandbox configuration",
  errors: retrieval,
});
