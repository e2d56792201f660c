import * as z from "zod/mini";
import {
  account,
  activityLogType,
  aiSettings,
  application,
  card,
  codeEnginePackage,
  dataflow,
  dataPolicy,
  datasetPermissions,
  datasetSchema,
  datastore,
  fileset,
  grant,
  group,
  page,
  publication,
  role,
  sandboxConfig,
  stream,
  user,
  workflowListEntry,
} from "../models/reads.ts";
import { instanceSettings } from "../models/workspaces.ts";
import { defineOperation } from "../operation.ts";

// The reads of API description, 4.7.

const id = { id: z.string().check(z.minLength(1)) };
const retrieval = { otherwise: { kind: "retrieval" } } as const;
const retrievalById = { 404: { kind: "notFound" }, otherwise: { kind: "retrieval" } } as const;
const workflowGet = { otherwise: { kind: "workflowGet" } } as const;
const route = { otherwise: { kind: "route" } } as const;
/** Not described; the public platform takes both. */
const pageOfList = {
  limit: z.optional(z.int().check(z.minimum(1))),
  offset: z.optional(z.int().check(z.minimum(0))),
};
const common = { section: "4.7", method: "GET", body: z.undefined(), credential: "platform", effect: "read" } as const;

export const listAccounts = defineOperation({
  ...common,
  id: "accounts.list",
  summary: "List the stored accounts of other systems",
  path: "/api/data/v1/accounts",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(account),
  failure: "Cannot list the accounts",
  entity: "accounts",
  errors: retrieval,
  confidential: ["configurations"],
});

export const listActivityLogTypes = defineOperation({
  ...common,
  id: "activityLog.types.list",
  summary: "List the types of things that the activity log knows",
  path: "/api/audit/v1/activity-log/types",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(activityLogType),
  failure: "Cannot list the activity log's types",
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
  answer: aiSettings,
  failure: "Cannot read the AI settings",
  entity: "AI settings",
  errors: retrieval,
});

export const listDatastores = defineOperation({
  ...common,
  id: "datastores.list",
  summary: "List the datastores of apps",
  path: "/api/appdb/v1/datastores",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(datastore),
  failure: "Cannot list the datastores",
  entity: "datastores",
  errors: retrieval,
});

export const listApplications = defineOperation({
  ...common,
  id: "applications.list",
  summary: "List the executor's applications",
  path: "/api/executor/v1/applications",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(application),
  failure: "Cannot list the applications",
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
  answer: card,
  failure: "Cannot read card {id}",
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
  answer: z.array(codeEnginePackage),
  failure: "Cannot list the code engine packages",
  entity: "code engine packages",
  errors: retrieval,
});

export const listDatasetDataflows = defineOperation({
  ...common,
  id: "datasets.dataflows.list",
  summary: "List the dataflows that a dataset takes part in",
  path: "/api/data/v3/datasources/{id}/dataflows",
  pathParameters: id,
  queryParameters: {},
  answer: z.array(dataflow),
  failure: "Cannot list the dataflows of dataset {id}",
  entity: "{id}",
  errors: retrievalById,
});

export const getDatasetPermissions = defineOperation({
  ...common,
  id: "datasets.permissions.get",
  summary: "Read who has which access to a dataset",
  path: "/api/data/v2/datasources/{id}/permissions",
  pathParameters: id,
  queryParameters: {},
  answer: datasetPermissions,
  failure: "Cannot read the permissions of dataset {id}",
  entity: "{id}",
  errors: retrievalById,
});

export const getDatasetSchema = defineOperation({
  ...common,
  id: "datasets.schema.get",
  summary: "Read a dataset's tables and columns",
  path: "/api/data/v2/datasources/{id}/schemas",
  pathParameters: id,
  queryParameters: {},
  answer: datasetSchema,
  failure: "Cannot read the schema of dataset {id}",
  entity: "{id}",
  errors: retrievalById,
});

export const getFileset = defineOperation({
  ...common,
  id: "filesets.get",
  summary: "Read a fileset",
  path: "/api/files/v1/filesets/{id}",
  pathParameters: id,
  queryParameters: {},
  answer: fileset,
  failure: "Cannot read fileset {id}",
  entity: "{id}",
  errors: retrievalById,
});

export const listGrants = defineOperation({
  ...common,
  id: "grants.list",
  summary: "List the rights that roles can grant",
  path: "/api/authorization/v1/authorities",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(grant),
  failure: "Cannot list the grants",
  entity: "grants",
  errors: retrieval,
});

export const listGroups = defineOperation({
  ...common,
  id: "groups.list",
  summary: "List the groups",
  path: "/api/content/v1/groups",
  pathParameters: {},
  queryParameters: pageOfList,
  answer: z.array(group),
  failure: "Cannot list the groups",
  entity: "groups",
  errors: retrieval,
});

export const getNotebookSettings = defineOperation({
  ...common,
  id: "notebooks.settings.get",
  summary: "Read the settings of the notebook service",
  path: "/api/notebook/v1/settings",
  pathParameters: {},
  queryParameters: {},
  answer: instanceSettings,
  failure: "Cannot read the notebook service's settings",
  entity: "notebook settings",
  errors: retrieval,
});

export const getPage = defineOperation({
  ...common,
  id: "pages.get",
  summary: "Read a page",
  path: "/api/content/v1/pages/{id}",
  pathParameters: id,
  queryParameters: {},
  answer: page,
  failure: "Cannot read page {id}",
  entity: "{id}",
  errors: route,
});

export const listDataPolicies = defineOperation({
  ...common,
  id: "datasets.policies.list",
  summary: "List the data policies of a dataset",
  path: "/<policies>/data-control/{datasetId}/filter-groups",
  pathParameters: { datasetId: z.string().check(z.minLength(1)) },
  queryParameters: {},
  answer: z.array(dataPolicy),
  failure: "Cannot list the data policies of dataset {datasetId}",
  entity: "{datasetId}",
  errors: retrievalById,
});

export const listPublications = defineOperation({
  ...common,
  id: "publications.list",
  summary: "List the publications",
  path: "/api/publish/v1/publications",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(publication),
  failure: "Cannot list the publications",
  entity: "publications",
  errors: retrieval,
});

export const listRoles = defineOperation({
  ...common,
  id: "roles.list",
  summary: "List the roles",
  path: "/api/content/v1/roles",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(role),
  failure: "Cannot list the roles",
  entity: "roles",
  errors: retrieval,
});

export const getSandboxConfig = defineOperation({
  ...common,
  id: "sandbox.config.get",
  summary: "Read the instance's sandbox configuration",
  path: "/api/instance/v1/sandbox/config",
  pathParameters: {},
  queryParameters: {},
  answer: sandboxConfig,
  failure: "Cannot read the sandbox configuration",
  entity: "sandbox configuration",
  errors: retrieval,
});

export const getStream = defineOperation({
  ...common,
  id: "streams.get",
  summary: "Read how a dataset is filled",
  path: "/api/data/v1/streams/{id}",
  pathParameters: id,
  queryParameters: {},
  answer: stream,
  failure: "Cannot read stream {id}",
  entity: "{id}",
  errors: retrievalById,
  confidential: ["configuration.value"],
});

export const listUsers = defineOperation({
  ...common,
  id: "users.list",
  summary: "List the users",
  path: "/api/content/v1/users",
  pathParameters: {},
  queryParameters: pageOfList,
  answer: z.array(user),
  failure: "Cannot list the users",
  entity: "users",
  errors: retrieval,
});

export const listWorkflows = defineOperation({
  ...common,
  id: "workflows.list",
  summary: "List the workflows",
  path: "/api/workflow/v1/models",
  pathParameters: {},
  queryParameters: {},
  answer: z.array(workflowListEntry),
  failure: "Cannot list the workflows",
  entity: "workflows",
  errors: workflowGet,
});
