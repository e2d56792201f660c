import * as z from "zod/mini";
import { listUnder } from "./list-under.ts";

const numberOrText = z.union([z.number(), z.string()]);
const ids = z.nullish(z.array(numberOrText));
const time = z.nullish(numberOrText);

/** The position of a page within a list; the offset has one of two names. */
const pageContext = z.looseObject({
  count: z.nullish(z.number()),
  totalCount: z.nullish(z.number()),
  offset: z.nullish(z.number()),
  offSet: z.nullish(z.number()),
});
const position = { pageContext: z.nullish(pageContext) };

/** A commit. Times are ISO 8601; the version has one of two names. */
const commit = z.looseObject({
  id: z.nullish(numberOrText),
  repositoryId: z.nullish(z.string()),
  name: z.nullish(z.string()),
  commitName: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  hidden: z.nullish(z.boolean()),
  status: z.nullish(z.string()),
  path: z.nullish(z.string()),
  created: time,
  started: time,
  completed: time,
  pusherEventId: z.nullish(z.string()),
  warning: z.nullish(z.looseObject({ message: z.nullish(z.string()) })),
});
export type Commit = z.output<typeof commit>;

/** A commit request. */
export const commitRequest = z.looseObject({
  id: z.nullish(numberOrText),
  repositoryId: z.nullish(z.string()),
  repositoryName: z.nullish(z.string()),
  commitName: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  hidden: z.nullish(z.boolean()),
  status: z.nullish(z.string()),
  started: time,
  completed: time,
  pusherEventId: z.nullish(z.string()),
});
export type CommitRequest = z.output<typeof commitRequest>;

/** A promotion of a commit to a deployment. */
export const promotion = z.looseObject({
  id: z.nullish(numberOrText),
  deploymentId: z.nullish(z.string()),
  commitId: z.nullish(z.string()),
  repositoryId: z.nullish(z.string()),
  repositoryName: z.nullish(z.string()),
  commitName: z.nullish(z.string()),
  userId: z.nullish(numberOrText),
  status: z.nullish(z.string()),
  started: time,
  completed: time,
  pusherEventId: z.nullish(z.string()),
  promotionRequest: z.nullish(z.looseObject({})),
  promotionResult: z.nullish(z.unknown()),
});
export type Promotion = z.output<typeof promotion>;

/** A repository (API description, 2.10). Its content is a set of id lists. */
export const repository = z.looseObject({
  id: z.nullish(z.string()),
  name: z.nullish(z.string()),
  domain: z.nullish(z.string()),
  type: z.nullish(z.string()),
  userId: z.nullish(numberOrText),
  accessCount: z.nullish(z.number()),
  created: time,
  updated: time,
  seeded: z.nullish(z.boolean()),
  permission: z.nullish(z.string()),
  deployments: z.nullish(z.array(z.looseObject({ id: z.nullish(z.string()), domain: z.nullish(z.string()) }))),
  lastCommit: z.nullish(commit),
  repositoryContent: z.nullish(
    z.looseObject({
      pageIds: ids,
      cardIds: ids,
      dataflowIds: ids,
      viewIds: ids,
      dataAppIds: ids,
      streamIds: ids,
    }),
  ),
});
export type Repository = z.output<typeof repository>;

/** An instance that is authorized for promotions. The API description doesn't specify its fields. */
const authorizedInstance = z.looseObject({
  domain: z.nullish(z.string()),
  aliasedDomain: z.nullish(z.string()),
  alias: z.nullish(z.string()),
});
export type AuthorizedInstance = z.output<typeof authorizedInstance>;

/**
 * The keys under which a response can contain its list, in the order of the API description (4.5). A bare list comes
 * last.
 */
export const listKeys = {
  commitRequests: ["commitRequests", "commits", "results", "items"],
  promotions: ["promotions", "results", "items"],
  repositories: ["repositories", "results", "items"],
  commits: ["commits", "results", "items"],
  authorizations: ["authorizations", "instances", "results", "items"],
} as const;

export const commitRequestPage = listUnder(commitRequest, listKeys.commitRequests, position);
export const promotionPage = listUnder(promotion, listKeys.promotions, position);
export const repositoryPage = listUnder(repository, listKeys.repositories, position);
export const commitPage = listUnder(commit, listKeys.commits, position);
export const authorizationPage = listUnder(authorizedInstance, listKeys.authorizations, position);

/** The permissions of a repository: permissions by user id and by group id. */
export const repositoryPermissions = z.looseObject({
  subjectId: z.nullish(z.string()),
  userPermissions: z.nullish(z.record(z.string(), z.unknown())),
  groupPermissions: z.nullish(z.record(z.string(), z.unknown())),
});

/** The instances that have access to a repository. */
export const repositoryAccess = z.union([
  z.array(z.union([z.string(), z.looseObject({})])),
  z.looseObject({
    accessList: z.nullish(z.array(z.looseObject({ invitedDomain: z.nullish(z.string()) }))),
  }),
]);

/** The sandbox settings of an instance. */
export const sandboxSettings = z.looseObject({
  allowSelfPromotion: z.nullish(z.boolean()),
  domain: z.nullish(z.string()),
  requireApprovals: z.nullish(z.boolean()),
});
export type SandboxSettings = z.output<typeof sandboxSettings>;

const limit = z._default(z.int().check(z.minimum(1)), 100);
const offset = z._default(z.int().check(z.minimum(0)), 0);
const object = z.record(z.string(), z.unknown());
const order = z._default(z.enum(["asc", "desc"]), "desc");

/** The body of a search for commit requests or promotions (API description, 2.10): 0-based offset. */
export const historySearch = z.strictObject({
  limit,
  offset,
  filters: z._default(object, {}),
  fieldSearchMap: z.optional(object),
  sort: z._default(z.string().check(z.minLength(1)), "completed"),
  order,
  searchDistinct: z.optional(z.boolean()),
  dateFilters: z._default(object, {}),
});
export type HistorySearch = z.input<typeof historySearch>;

/** The body of a search for repositories; `query` contains the paging members. */
export const repositorySearch = z.strictObject({
  query: z.prefault(
    z.strictObject({
      limit: z._default(z.int().check(z.minimum(1)), 50),
      offset,
      fieldSearchMap: z._default(object, {}),
      sort: z._default(z.string().check(z.minLength(1)), "lastCommit"),
      order,
      filters: z._default(object, {}),
      dateFilters: z._default(object, {}),
    }),
    {},
  ),
  shared: z._default(z.boolean(), false),
});

/** The body of a commit (API description, 2.10). A raw object in another format is sent unchanged. */
export const commitCreate = z.union([
  z.looseObject({
    summary: z.string(),
    hidden: z.optional(z.boolean()),
    pusherEventId: z.optional(z.string()),
  }),
  z.record(z.string(), z.unknown()),
]);

/** Maps content of the repository to content of the deployment. */
const contentMapping = z.looseObject({
  mappingId: z.optional(numberOrText),
  contentType: z.optional(z.string()),
  repositoryObjectId: z.optional(numberOrText),
  deployObjectId: z.nullish(numberOrText),
  link: z.optional(z.boolean()),
});
export type ContentMapping = z.input<typeof contentMapping>;

/** The body of a promotion with seeding (API description, 2.10). A raw object in another format is sent unchanged. */
export const promoteAndSeedRequest = z.union([
  z.looseObject({
    commitId: z.string().check(z.minLength(1)),
    mapping: z.array(contentMapping),
    seedingRepoName: z.optional(z.string()),
    approvalId: z.optional(z.string()),
    pusherEventId: z.optional(z.string()),
  }),
  z.record(z.string(), z.unknown()),
]);

/** A permission change (API description, 2.10). One of the two ids is the empty string. */
const permissionUpdate = z
  .strictObject({ userId: z.string(), groupId: z.string(), permission: z.string().check(z.minLength(1)) })
  .check(
    z.refine(({ userId, groupId }) => (userId === "") !== (groupId === ""), {
      error: "exactly one of userId and groupId must be empty",
      path: ["userId"],
    }),
  );
export type PermissionUpdate = z.input<typeof permissionUpdate>;

const permissionUpdates = z.array(permissionUpdate).check(z.minLength(1));

/** The body of a permission update: the bare list, or an object that contains it, which some platforms require. */
export const permissionUpdateBody = z.union([
  permissionUpdates,
  z.strictObject({ repositoryPermissionUpdates: permissionUpdates }),
]);

/** The body of an alias update (API description, 2.10). A raw object in another format is sent unchanged. */
export const aliasUpdate = z.union([
  z.looseObject({ aliasedDomain: z.string().check(z.minLength(1)), alias: z.string() }),
  z.record(z.string(), z.unknown()),
]);

/** All domains that have access to a repository after the update. */
export const accessDomains = z.array(z.string().check(z.minLength(1)));
