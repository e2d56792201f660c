import * as z from "zod/mini";
import { ownersBody, page, pageBody, shareBody } from "../models/pages.ts";
import { defineOperation } from "../operation.ts";

const given = z.string().check(z.minLength(1));
const errors = { otherwise: { kind: "route" } } as const;

export const createPage = defineOperation({
  id: "pages.create",
  section: "beyond",
  summary: "Create a page, at the top or below another page",
  method: "POST",
  path: "/api/content/v1/pages",
  pathParameters: {},
  queryParameters: {},
  body: pageBody,
  response: page,
  credential: "platform",
  effect: "change",
  failure: "Can't create the page",
  entity: "new page",
  errors,
});

export const deletePage = defineOperation({
  id: "pages.delete",
  section: "beyond",
  summary: "Delete a page",
  method: "DELETE",
  path: "/api/content/v1/pages/{pageId}",
  pathParameters: { pageId: given },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't delete page {pageId}",
  entity: "{pageId}",
  errors,
});

export const sharePages = defineOperation({
  id: "pages.shares.add",
  section: "beyond",
  summary: "Give users and groups access to pages; resources have the type page, recipients the type user or group",
  method: "POST",
  path: "/api/content/v1/share",
  pathParameters: {},
  queryParameters: { sendEmail: z.optional(z.boolean()) },
  body: shareBody,
  response: z.unknown(),
  credential: "platform",
  effect: "grant",
  failure: "Can't share the pages",
  entity: "pages",
  errors,
});

export const revokePageShare = defineOperation({
  id: "pages.shares.revoke",
  section: "beyond",
  summary: "Remove a user's access to one page",
  method: "DELETE",
  path: "/api/content/v1/share/page/{pageId}/user/{userId}",
  pathParameters: { pageId: given, userId: given },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't remove the access of user {userId} to page {pageId}",
  entity: "page {pageId}, user {userId}",
  errors,
});

export const addPageOwners = defineOperation({
  id: "pages.owners.add",
  section: "beyond",
  summary: "Add owners to pages; their types are USER and GROUP",
  method: "PUT",
  path: "/api/content/v1/pages/bulk/owners",
  pathParameters: {},
  queryParameters: {},
  body: ownersBody,
  response: z.unknown(),
  credential: "platform",
  effect: "grant",
  failure: "Can't add the owners to the pages",
  entity: "pages",
  errors,
});
