import * as z from "zod/mini";
import { jsonBody, navigation, page, pageCollections, pageShares, pageSummaries } from "../models/pages.ts";
import { defineOperation } from "../operation.ts";

const identifier = z.string().check(z.minLength(1));
const pageId = identifier;
const flag = z.optional(z.boolean());
const errors = { otherwise: { kind: "route" } } as const;

/** Entities that a page can be shared with. */
const sharingEntity = z.enum(["user", "group", "domain"]);

const summaryPaging = {
  limit: z.optional(z.int().check(z.minimum(1))),
  skip: z.optional(z.int().check(z.minimum(0))),
};
const duplication = { doNotDuplicateCards: flag };
const hierarchyOptions = { includeStartPage: flag, elevateSharedPage: flag, includeHidden: flag };

export const searchPageSummaries = defineOperation({
  id: "pages.summaries.search",
  section: "4.4",
  summary: "List or search the pages that an administrator can see; `parentPageIds` accepts at most 10",
  method: "POST",
  path: "/api/content/v1/pages/adminsummary",
  pathParameters: {},
  queryParameters: summaryPaging,
  undescribedQuery: ["limit", "skip"],
  body: jsonBody,
  response: pageSummaries,
  credential: "platform",
  effect: "read",
  failure: "Can't list the pages",
  entity: "pages",
  errors,
  paging: { style: "offset", limit: "limit", offset: "skip", pageSize: 100 },
});

export const getPage = defineOperation({
  id: "pages.get",
  section: "4.7",
  summary: "Read a page",
  method: "GET",
  path: "/api/content/v1/pages/{id}",
  pathParameters: { id: identifier },
  queryParameters: {},
  body: z.undefined(),
  response: page,
  credential: "platform",
  effect: "read",
  failure: "Can't read page {id}",
  entity: "{id}",
  errors,
});

export const movePages = defineOperation({
  id: "pages.bulk.move",
  section: "4.4",
  summary: "Move pages below another page or to the top",
  method: "PUT",
  path: "/api/content/v1/pages/bulk/move",
  pathParameters: {},
  queryParameters: {},
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't move the pages",
  entity: "pages",
  errors,
});

export const removePageOwners = defineOperation({
  id: "pages.owners.remove",
  section: "4.4",
  summary: "Remove owners from pages",
  method: "POST",
  path: "/api/content/v1/pages/bulk/owners/remove",
  pathParameters: {},
  queryParameters: {},
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't remove the owners from the pages",
  entity: "pages",
  errors,
});

export const orderPages = defineOperation({
  id: "pages.order.update",
  section: "4.4",
  summary: "Change the order of pages",
  method: "PUT",
  path: "/api/content/v1/pages/pageorder",
  pathParameters: {},
  queryParameters: {},
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't change the order of the pages",
  entity: "pages",
  errors,
});

export const actOnPageCard = defineOperation({
  id: "pages.cards.act",
  section: "4.4",
  summary: "Send a card action to a card of a page",
  method: "POST",
  path: "/api/content/v1/pages/{pageId}/cards/{cardId}",
  pathParameters: { pageId, cardId: identifier },
  queryParameters: {},
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't run the action on card {cardId} of page {pageId}",
  entity: "page {pageId}, card {cardId}",
  errors,
});

export const duplicatePage = defineOperation({
  id: "pages.duplicate",
  section: "4.4",
  summary: "Duplicate a page and wait for the copy",
  method: "PUT",
  path: "/api/content/v1/pages/{pageId}/duplicate",
  pathParameters: { pageId },
  queryParameters: duplication,
  undescribedQuery: ["doNotDuplicateCards"],
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "change",
  failure: "Can't duplicate page {pageId}",
  entity: "{pageId}",
  errors,
});

export const startPageDuplication = defineOperation({
  id: "pages.duplicateAsync",
  section: "4.4",
  summary: "Duplicate a page in the background",
  method: "PUT",
  path: "/api/content/v1/pages/{pageId}/duplicateAsync",
  pathParameters: { pageId },
  queryParameters: duplication,
  undescribedQuery: ["doNotDuplicateCards"],
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "change",
  failure: "Can't start the duplication of page {pageId}",
  entity: "{pageId}",
  errors,
});

export const removePageShare = defineOperation({
  id: "pages.shares.remove",
  section: "4.4",
  summary: "Stop sharing pages with a user, group, or domain",
  method: "DELETE",
  path: "/api/content/v1/share/bulk/page/{type}/{id}",
  pathParameters: { type: sharingEntity, id: identifier },
  queryParameters: { resourceIds: z.optional(identifier) },
  undescribedQuery: ["resourceIds"],
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't stop sharing the pages with {type} {id}",
  entity: "{type} {id}",
  errors,
});

export const listPageShares = defineOperation({
  id: "pages.shares.list",
  section: "beyond",
  summary: "List the users and groups that a page is shared with",
  method: "GET",
  path: "/api/content/v1/share/accesslist/page/{pageId}",
  pathParameters: { pageId },
  queryParameters: {},
  body: z.undefined(),
  response: pageShares,
  credential: "platform",
  effect: "read",
  failure: "Can't list who has access to page {pageId}",
  entity: "{pageId}",
  errors,
});

export const getNavigation = defineOperation({
  id: "pages.navigation.get",
  section: "4.4",
  summary: "Read the page hierarchy",
  method: "GET",
  path: "/api/content/v2/pages/navigation",
  pathParameters: {},
  queryParameters: hierarchyOptions,
  undescribedQuery: ["includeStartPage", "elevateSharedPage", "includeHidden"],
  body: z.undefined(),
  response: navigation,
  credential: "platform",
  effect: "read",
  failure: "Can't read the page hierarchy",
  entity: "page hierarchy",
  errors,
});

export const listPageCollections = defineOperation({
  id: "pages.collections.list",
  section: "4.4",
  summary: "List the collections that a page belongs to",
  method: "GET",
  path: "/<collections>/pages/{pageId}/collections",
  pathParameters: { pageId },
  queryParameters: {},
  body: z.undefined(),
  response: pageCollections,
  credential: "platform",
  effect: "read",
  failure: "Can't list the collections of page {pageId}",
  entity: "{pageId}",
  errors,
});

export const addPageCollection = defineOperation({
  id: "pages.collections.add",
  section: "4.4",
  summary: "Add a page to a collection",
  method: "POST",
  path: "/<collections>/pages/{pageId}/collections",
  pathParameters: { pageId },
  queryParameters: {},
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "change",
  failure: "Can't add page {pageId} to a collection",
  entity: "{pageId}",
  errors,
});

export const updatePageCollection = defineOperation({
  id: "pages.collections.update",
  section: "4.4",
  summary: "Change a page's membership in a collection",
  method: "PUT",
  path: "/<collections>/pages/{pageId}/collections/{pageCollectionId}",
  pathParameters: { pageId, pageCollectionId: identifier },
  queryParameters: {},
  body: jsonBody,
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't change membership {pageCollectionId} of page {pageId}",
  entity: "page {pageId}, collection {pageCollectionId}",
  errors,
});

export const removePageCollection = defineOperation({
  id: "pages.collections.remove",
  section: "4.4",
  summary: "Remove a page from a collection",
  method: "DELETE",
  path: "/<collections>/pages/{pageId}/collections/{pageCollectionId}",
  pathParameters: { pageId, pageCollectionId: identifier },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't remove membership {pageCollectionId} of page {pageId}",
  entity: "page {pageId}, collection {pageCollectionId}",
  errors,
});
