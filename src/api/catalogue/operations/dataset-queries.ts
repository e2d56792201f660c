import * as z from "zod/mini";
import { datasetQuery, datasetRows } from "../models/data.ts";
import { defineOperation } from "../operation.ts";

export const queryDataset = defineOperation({
  id: "datasets.query",
  section: "beyond",
  summary: "Read rows of a dataset with a SQL query, in which the dataset is called table",
  method: "POST",
  path: "/<policies>/execute/{datasetId}",
  pathParameters: { datasetId: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: datasetQuery,
  response: datasetRows,
  credential: "platform",
  effect: "read",
  failure: "Can't query dataset {datasetId}",
  entity: "{datasetId}",
  errors: { 404: { kind: "notFound" }, otherwise: { kind: "retrieval" } },
});
