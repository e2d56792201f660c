import * as z from "zod/mini";
import { grant, group, role, signedInUser, user } from "../models/users.ts";
import { defineOperation } from "../operation.ts";

const retrieval = { otherwise: { kind: "retrieval" } } as const;
/** Not in the API description; the public platform accepts both. */
const pageOfList = {
  limit: z.optional(z.int().check(z.minimum(1))),
  offset: z.optional(z.int().check(z.minimum(0))),
};
const common = { section: "4.7", method: "GET", body: z.undefined(), credential: "platform", effect: "read" } as const;

export const getSignedInUser = defineOperation({
  id: "users.me",
  section: "beyond",
  summary: "Read the signed-in user",
  method: "GET",
  path: "/api/content/v2/users/me",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: signedInUser,
  credential: "platform",
  effect: "read",
  failure: "Can't read the signed-in user",
  entity: "signed-in user",
  errors: retrieval,
});

export const listUsers = defineOperation({
  ...common,
  id: "users.list",
  summary: "List the users",
  path: "/api/content/v1/users",
  pathParameters: {},
  queryParameters: pageOfList,
  undescribedQuery: ["limit", "offset"],
  response: z.array(user),
  failure: "Can't list the users",
  entity: "users",
  errors: retrieval,
});

export const listGroups = defineOperation({
  ...common,
  id: "groups.list",
  summary: "List the groups",
  path: "/api/content/v1/groups",
  pathParameters: {},
  queryParameters: pageOfList,
  undescribedQuery: ["limit", "offset"],
  response: z.array(group),
  failure: "Can't list the groups",
  entity: "groups",
  errors: retrieval,
});

export const listRoles = defineOperation({
  ...common,
  id: "roles.list",
  summary: "List the roles",
  path: "/api/content/v1/roles",
  pathParameters: {},
  queryParameters: {},
  response: z.array(role),
  failure: "Can't list the roles",
  entity: "roles",
  errors: retrieval,
});

export const listGrants = defineOperation({
  ...common,
  id: "grants.list",
  summary: "List the rights that roles can grant",
  path: "/api/authorization/v1/authorities",
  pathParameters: {},
  queryParameters: {},
  response: z.array(grant),
  failure: "Can't list the grants",
  entity: "grants",
  errors: retrieval,
});
