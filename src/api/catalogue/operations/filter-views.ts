import * as z from "zod/mini";
import { filterViews, jsonBody, wholeFilterView } from "../models/pages.ts";
import { defineOperation } from "../operation.ts";

const identifier = z.string().check(z.minLength(1));
const pageId = identifier;
const errors = { otherwise: { kind: "route" } } as const;

export const getFilterView = defineOperation({
  id: "pages.filterViews.get",
  section: "4.4",
  summary: "Read a saved analyzer filter view",
  method: "GET",
  path: "/api/content/v3/pages/analyzer/{filterViewId}",
  pathParameters: { filterViewId: identifier },
  queryParameters: {},
  body: z.undefined(),
  response: wholeFilterView,
  credential: "platform",
  effect: "read",
  failure: "Can't read filter view {filterViewId}",
  entity: "{filterViewId}",
  errors,
});

export const deleteFilterView = defineOperation({
  id: "pages.filterViews.delete",
  section: "4.4",
  summary: "Delete a saved analyzer filter view",
  method: "DELETE",
  path: "/api/content/v3/pages/analyzer/{filterViewId}",
  pathParameters: { filterViewId: identifier },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't delete filter view {filterViewId}",
  entity: "{filterViewId}",
  errors,
});

export const listFilterViews = defineOperation({
  id: "pages.filterViews.list",
  section: "4.4",
  summary: "List the saved analyzer filter views of a page",
  method: "GET",
  path: "/api/content/v3/pages/{pageId}/analyzer/named",
  pathParameters: { pageId },
  queryParameters: {},
  body: z.undefined(),
  response: filterViews,
  credential: "platform",
  effect: "read",
  failure: "Can't list the filter views of page {pageId}",
  entity: "{pageId}",
  errors,
});

export const updateAnalyzer = defineOperation({
  id: "pages.analyzer.update",
  section: "4.4",
  summary: "Update the analyzer settings of a page",
  method: "PUT",
  path: "/api/content/v3/pages/{pageId}/analyzer",
  pathParameters: { pageId },
  queryParameters: {},
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't update the analyzer settings of page {pageId}",
  entity: "{pageId}",
  errors,
});
