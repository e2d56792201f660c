import * as z from "zod/mini";
import {
  accessDomains,
  aliasUpdate,
  authorizationPage,
  commitCreate,
  commitPage,
  commitRequest,
  commitRequestPage,
  historySearch,
  permissionUpdateBody,
  promoteAndSeedRequest,
  promotion,
  promotionPage,
  repository,
  repositoryAccess,
  repositoryPage,
  repositoryPermissions,
  repositorySearch,
  sandboxSettings,
} from "../models/sandbox.ts";
import { defineOperation } from "../operation.ts";

const text = z.string().check(z.minLength(1));
const repositoryId = { repositoryId: text };
const reading = { otherwise: { kind: "sandboxGet" } } as const;
const changing = { otherwise: { kind: "sandboxCrud" } } as const;
const historyPaging = { style: "body", limit: "limit", offset: "offset", pageSize: 100 } as const;

export const listAuthorizations = defineOperation({
  id: "sandbox.authorizations.list",
  section: "4.5",
  summary: "List the instances that are authorized for promotions",
  method: "GET",
  path: "/<sandbox>/authorizations",
  pathParameters: {},
  queryParameters: { limit: z._default(z.int().check(z.minimum(1)), 250) },
  body: z.undefined(),
  answer: authorizationPage,
  credential: "platform",
  effect: "read",
  failure: "Can't list the authorized instances",
  entity: "instances",
  errors: reading,
});

export const updateAlias = defineOperation({
  id: "sandbox.aliases.update",
  section: "4.5",
  summary: "Give an instance an alias",
  method: "POST",
  path: "/<sandbox>/authorizations/aliases",
  pathParameters: {},
  queryParameters: {},
  body: aliasUpdate,
  answer: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't update the alias of an instance",
  entity: "alias",
  errors: changing,
});

export const searchCommitRequests = defineOperation({
  id: "sandbox.commitRequests.search",
  section: "4.5",
  summary: "List or search the commit requests of all repositories, a page at a time",
  method: "POST",
  path: "/<sandbox>/commitRequests/search",
  pathParameters: {},
  queryParameters: {},
  body: z.prefault(historySearch, {}),
  answer: commitRequestPage,
  credential: "platform",
  effect: "read",
  failure: "Can't list the commit requests",
  entity: "commit requests",
  errors: reading,
  paging: historyPaging,
});

export const searchPromotions = defineOperation({
  id: "sandbox.promotions.search",
  section: "4.5",
  summary: "List or search the promotions of all repositories, a page at a time",
  method: "POST",
  path: "/<sandbox>/promotions/search",
  pathParameters: {},
  queryParameters: {},
  body: z.prefault(historySearch, {}),
  answer: promotionPage,
  credential: "platform",
  effect: "read",
  failure: "Can't list the promotions",
  entity: "promotions",
  errors: reading,
  paging: historyPaging,
});

export const searchRepositories = defineOperation({
  id: "sandbox.repositories.search",
  section: "beyond",
  summary: "List repositories, or search them by name, a page at a time",
  method: "POST",
  path: "/<sandbox>/repositories/search",
  pathParameters: {},
  queryParameters: {},
  body: z.prefault(repositorySearch, {}),
  answer: repositoryPage,
  credential: "platform",
  effect: "read",
  failure: "Can't list the repositories",
  entity: "repositories",
  errors: reading,
  paging: { style: "body", within: "query", limit: "limit", offset: "offset", pageSize: 50 },
});

export const getRepository = defineOperation({
  id: "sandbox.repositories.get",
  section: "4.5",
  summary: "Read a repository",
  method: "GET",
  path: "/<sandbox>/repositories/{repositoryId}",
  pathParameters: repositoryId,
  queryParameters: {},
  body: z.undefined(),
  answer: repository,
  credential: "platform",
  effect: "read",
  failure: "Can't read repository {repositoryId}",
  entity: "{repositoryId}",
  errors: reading,
});

export const getRepositoryAccess = defineOperation({
  id: "sandbox.repositories.access.get",
  section: "4.5",
  summary: "List the instances that have access to a repository",
  method: "GET",
  path: "/<sandbox>/repositories/{repositoryId}/access",
  pathParameters: repositoryId,
  queryParameters: {},
  body: z.undefined(),
  answer: repositoryAccess,
  credential: "platform",
  effect: "read",
  failure: "Can't read which instances have access to repository {repositoryId}",
  entity: "{repositoryId}",
  errors: reading,
});

export const updateRepositoryAccess = defineOperation({
  id: "sandbox.repositories.access.update",
  section: "4.5",
  summary: "Replace the list of instances with access to a repository. Omitted instances may lose access.",
  method: "POST",
  path: "/<sandbox>/repositories/{repositoryId}/access",
  pathParameters: repositoryId,
  queryParameters: {},
  body: accessDomains,
  answer: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't change which instances have access to repository {repositoryId}",
  entity: "{repositoryId}",
  errors: changing,
});

export const listRepositoryCommitRequests = defineOperation({
  id: "sandbox.repositories.commitRequests.list",
  section: "4.5",
  summary: "List the commit requests of a repository",
  method: "GET",
  path: "/<sandbox>/repositories/{repositoryId}/commitRequests",
  pathParameters: repositoryId,
  queryParameters: {},
  body: z.undefined(),
  answer: commitRequestPage,
  credential: "platform",
  effect: "read",
  failure: "Can't list the commit requests of repository {repositoryId}",
  entity: "{repositoryId}",
  errors: reading,
});

export const createCommit = defineOperation({
  id: "sandbox.repositories.commitRequests.create",
  section: "4.5",
  summary: "Commit the content of a repository",
  method: "POST",
  path: "/<sandbox>/repositories/{repositoryId}/commitRequests",
  pathParameters: repositoryId,
  queryParameters: {},
  body: commitCreate,
  sendsBodyAsGiven: true,
  answer: z.nullish(commitRequest),
  credential: "platform",
  effect: "change",
  failure: "Can't commit to repository {repositoryId}",
  entity: "{repositoryId}",
  errors: changing,
});

export const listCommits = defineOperation({
  id: "sandbox.repositories.commits.list",
  section: "4.5",
  summary: "List the commits of a repository",
  method: "GET",
  path: "/<sandbox>/repositories/{repositoryId}/commits",
  pathParameters: repositoryId,
  queryParameters: {},
  body: z.undefined(),
  answer: commitPage,
  credential: "platform",
  effect: "read",
  failure: "Can't list the commits of repository {repositoryId}",
  entity: "{repositoryId}",
  errors: reading,
});

export const getRepositoryPermissions = defineOperation({
  id: "sandbox.repositories.permissions.get",
  section: "4.5",
  summary: "Read the user and group permissions of a repository",
  method: "GET",
  path: "/<sandbox>/repositories/{repositoryId}/permissions",
  pathParameters: repositoryId,
  queryParameters: {},
  body: z.undefined(),
  answer: repositoryPermissions,
  credential: "platform",
  effect: "read",
  failure: "Can't read the permissions of repository {repositoryId}",
  entity: "{repositoryId}",
  errors: reading,
});

export const updateRepositoryPermissions = defineOperation({
  id: "sandbox.repositories.permissions.update",
  section: "4.5",
  summary: "Change user and group permissions of a repository",
  method: "POST",
  path: "/<sandbox>/repositories/{repositoryId}/permissions",
  pathParameters: repositoryId,
  queryParameters: {},
  body: permissionUpdateBody,
  answer: z.unknown(),
  credential: "platform",
  effect: "destroy",
  failure: "Can't change the permissions of repository {repositoryId}",
  entity: "{repositoryId}",
  errors: changing,
});

/**
 * Some platforms need the repository id in the address. It is always given, so that the operation works on all
 * platforms.
 */
export const startPromotion = defineOperation({
  id: "sandbox.promotions.promoteAndSeed",
  section: "4.5",
  summary: "Promote a commit to a deployment and seed a repository there",
  method: "POST",
  path: "/<sandbox>/deployments/{deploymentId}/promoteAndSeed",
  pathParameters: { deploymentId: text, repositoryId: z.optional(text) },
  queryParameters: {},
  body: promoteAndSeedRequest,
  sendsBodyAsGiven: true,
  answer: z.nullish(promotion),
  credential: "platform",
  effect: "destroy",
  failure: "Can't promote to deployment {deploymentId}",
  entity: "{deploymentId}",
  errors: changing,
});

export const getSandboxSettings = defineOperation({
  id: "sandbox.settings.get",
  section: "beyond",
  summary: "Read the sandbox settings of the instance",
  method: "GET",
  path: "/<sandbox>/settings",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  answer: sandboxSettings,
  credential: "platform",
  effect: "read",
  failure: "Can't read the sandbox settings",
  entity: "sandbox settings",
  errors: reading,
});

export const updateSandboxSettings = defineOperation({
  id: "sandbox.settings.update",
  section: "beyond",
  summary: "Allow or forbid promotions within the same instance",
  method: "POST",
  path: "/<sandbox>/settings",
  pathParameters: {},
  queryParameters: {},
  body: z.looseObject({ allowSelfPromotion: z.boolean() }),
  answer: z.nullish(z.unknown()),
  credential: "platform",
  effect: "destroy",
  failure: "Can't change whether promotions within the same instance are allowed",
  entity: "same-instance promotion",
  errors: changing,
});
