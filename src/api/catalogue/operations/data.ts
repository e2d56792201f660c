import * as z from "zod/mini";
import {
  account,
  dataflow,
  dataPolicy,
  datasetPermissions,
  datasetSchema,
  datastore,
  fileset,
  stream,
} from "../models/data.ts";
import { defineOperation } from "../operation.ts";

// The platform's information about its data (API description, 4.7).

const id = { id: z.string().check(z.minLength(1)) };
const retrieval = { otherwise: { kind: "retrieval" } } as const;
const retrievalById = { 404: { kind: "notFound" }, otherwise: { kind: "retrieval" } } as const;
const common = { section: "4.7", method: "GET", body: z.undefined(), credential: "platform", effect: "read" } as const;

export const listAccounts = defineOperation({
  ...common,
  id: "accounts.list",
  summary: "List the stored accounts of other systems",
  path: "/api/data/v1/accounts",
  pathParameters: {},
  queryParameters: {},
  response: z.array(account),
  failure: "Can't list the accounts",
  entity: "accounts",
  errors: retrieval,
  confidential: ["configurations"],
});

export const listDatastores = defineOperation({
  ...common,
  id: "datastores.list",
  summary: "List the datastores of apps",
  path: "/api/appdb/v1/datastores",
  pathParameters: {},
  queryParameters: {},
  response: z.array(datastore),
  failure: "Can't list the datastores",
  entity: "datastores",
  errors: retrieval,
});

export const listDatasetDataflows = defineOperation({
  ...common,
  id: "datasets.dataflows.list",
  summary: "List the dataflows that a dataset is part of",
  path: "/api/data/v3/datasources/{id}/dataflows",
  pathParameters: id,
  queryParameters: {},
  response: z.array(dataflow),
  failure: "Can't list the dataflows of dataset {id}",
  entity: "{id}",
  errors: retrievalById,
});

export const getDatasetPermissions = defineOperation({
  ...common,
  id: "datasets.permissions.get",
  summary: "Read the permissions of a dataset",
  path: "/api/data/v2/datasources/{id}/permissions",
  pathParameters: id,
  queryParameters: {},
  response: datasetPermissions,
  failure: "Can't read the permissions of dataset {id}",
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
  response: datasetSchema,
  failure: "Can't read the schema of dataset {id}",
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
  response: fileset,
  failure: "Can't read fileset {id}",
  entity: "{id}",
  errors: retrievalById,
});

export const listDataPolicies = defineOperation({
  ...common,
  id: "datasets.policies.list",
  summary: "List the data policies of a dataset",
  path: "/<policies>/data-control/{datasetId}/filter-groups",
  pathParameters: { datasetId: z.string().check(z.minLength(1)) },
  queryParameters: {},
  response: z.array(dataPolicy),
  failure: "Can't list the data policies of dataset {datasetId}",
  entity: "{datasetId}",
  errors: retrievalById,
});

export const getStream = defineOperation({
  ...common,
  id: "streams.get",
  summary: "Read a stream, which fills a dataset",
  path: "/api/data/v1/streams/{id}",
  pathParameters: id,
  queryParameters: {},
  response: stream,
  failure: "Can't read stream {id}",
  entity: "{id}",
  errors: retrievalById,
  confidential: ["configuration.value"],
});
