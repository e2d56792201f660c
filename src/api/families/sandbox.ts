import {
  type AuthorizedInstance,
  type Commit,
  type CommitRequest,
  type ContentMapping,
  type HistorySearch,
  listKeys,
  type PermissionUpdate,
  type Promotion,
  type Repository,
  type SandboxSettings,
} from "../catalogue/models/sandbox.ts";
import type { InputOf } from "../catalogue/operation.ts";
import * as operations from "../catalogue/operations/sandbox.ts";
import { everyPage, type Page, pageSizeOf } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { isList } from "../client/contained-list.ts";
import { operationError } from "../client/operation-errors.ts";
import type { Dialect } from "../http/dialects.ts";
import { PlatformError } from "../http/errors.ts";
import { phrase } from "../phrase.ts";
import { pageWithin } from "./wrapped-list.ts";

/** Filters for commit requests or promotions; the defaults are those of the API description, 2.10. */
export type HistoryQuery = Omit<HistorySearch, "limit" | "offset">;

/** A page of a list: the 0-based offset and the maximum number of items. */
export interface PageQuery {
  readonly limit?: number;
  readonly offset: number;
}

/** A page of the commit requests that match a search. */
async function readCommitRequestPage(
  client: PlatformClient,
  query: HistoryQuery & PageQuery,
  options: CallOptions = {},
): Promise<Page<CommitRequest>> {
  const operation = operations.searchCommitRequests;
  const response = await client.call(operation, { body: { limit: pageSizeOf(operation), ...query } }, options);
  return pageWithin<CommitRequest>(operation, {}, response, listKeys.commitRequests);
}

/** A page of the promotions that match a search. */
export async function readPromotionPage(
  client: PlatformClient,
  query: HistoryQuery & PageQuery,
  options: CallOptions = {},
): Promise<Page<Promotion>> {
  const operation = operations.searchPromotions;
  const response = await client.call(operation, { body: { limit: pageSizeOf(operation), ...query } }, options);
  return pageWithin<Promotion>(operation, {}, response, listKeys.promotions);
}

/** All commit requests that match a search, page by page, without duplicates. */
export function allCommitRequests(
  client: PlatformClient,
  query: HistoryQuery = {},
  options: CallOptions = {},
): AsyncGenerator<readonly CommitRequest[]> {
  return everyPage({
    pageSize: pageSizeOf(operations.searchCommitRequests),
    keyOf: ({ id }) => id,
    fetch: (offset) => readCommitRequestPage(client, { ...query, offset }, options),
  });
}

/** All promotions that match a search, page by page, without duplicates. */
export function allPromotions(
  client: PlatformClient,
  query: HistoryQuery = {},
  options: CallOptions = {},
): AsyncGenerator<readonly Promotion[]> {
  return everyPage({
    pageSize: pageSizeOf(operations.searchPromotions),
    keyOf: ({ id }) => id,
    fetch: (offset) => readPromotionPage(client, { ...query, offset }, options),
  });
}

/**
 * Filters for repositories: part of the name, whether to list those that other instances share with this one, and
 * owners.
 */
export interface RepositoryQuery {
  readonly name?: string;
  readonly shared?: boolean;
  readonly userIds?: readonly number[];
}

/** A page of the repositories that match a search. */
export async function readRepositoryPage(
  client: PlatformClient,
  { name = "", shared = false, userIds = [], limit, offset }: RepositoryQuery & PageQuery,
  options: CallOptions = {},
): Promise<Page<Repository>> {
  const operation = operations.searchRepositories;
  const query = {
    // Repositories of other instances have no last commit here to sort by.
    sort: shared ? "started" : "lastCommit",
    fieldSearchMap: name === "" ? {} : { repositoryName: name },
    filters: { userId: userIds.length === 0 ? null : [...userIds] },
    limit: limit ?? pageSizeOf(operation),
    offset,
  };
  const response = await client.call(operation, { body: { query, shared } }, options);
  return pageWithin<Repository>(operation, {}, response, listKeys.repositories);
}

/** All repositories that match a search, page by page, without duplicates. */
export function allRepositories(
  client: PlatformClient,
  query: RepositoryQuery = {},
  options: CallOptions = {},
): AsyncGenerator<readonly Repository[]> {
  return everyPage({
    pageSize: pageSizeOf(operations.searchRepositories),
    keyOf: ({ id }) => id,
    fetch: (offset) => readRepositoryPage(client, { ...query, offset }, options),
  });
}

/** The platform's default limit (API description, 8), and the increment while the list is truncated. */
const instanceLimit = 250;
const limitGrowth = 4;

/**
 * The instances that are authorized for promotions. If no limit is given, reads the list again with a larger limit
 * while it is truncated and the platform returns more. `total` shows whether it is still truncated.
 */
export async function authorizedInstances(
  client: PlatformClient,
  input: InputOf<typeof operations.listAuthorizations> = {},
  options: CallOptions = {},
): Promise<Page<AuthorizedInstance>> {
  const operation = operations.listAuthorizations;
  const read = async (limit: number): Promise<Page<AuthorizedInstance>> => {
    const response = await client.call(operation, { limit }, options);
    return pageWithin<AuthorizedInstance>(operation, input, response, listKeys.authorizations);
  };
  let limit = input.limit ?? instanceLimit;
  let page = await read(limit);
  while (input.limit === undefined && isCutAt(limit, page)) {
    limit = Math.max(page.total ?? 0, limit * limitGrowth);
    const larger = await read(limit);
    if (larger.items.length <= page.items.length) {
      break;
    }
    page = larger;
  }
  return page;
}

/** Without a total, a full page may be truncated. */
function isCutAt(limit: number, { items, total }: Page<unknown>): boolean {
  return total === undefined ? items.length >= limit : items.length < total;
}

/** The first page of a repository's commits; `total` shows whether there are more. */
export async function commitsOf(
  client: PlatformClient,
  repositoryId: string,
  options: CallOptions = {},
): Promise<Page<Commit>> {
  const response = await client.call(operations.listCommits, { repositoryId }, options);
  return pageWithin<Commit>(operations.listCommits, { repositoryId }, response, listKeys.commits);
}

/** The first page of a repository's commit requests; `total` shows whether there are more. */
export async function commitRequestsOf(
  client: PlatformClient,
  repositoryId: string,
  options: CallOptions = {},
): Promise<Page<CommitRequest>> {
  const operation = operations.listRepositoryCommitRequests;
  const response = await client.call(operation, { repositoryId }, options);
  return pageWithin<CommitRequest>(operation, { repositoryId }, response, listKeys.commitRequests);
}

/** Creates the body of a commit from typed input, with a new event id (API description, 2.10). */
export function commitCreateBody(input: { readonly summary: string; readonly hidden?: boolean }) {
  return { summary: input.summary, hidden: input.hidden ?? false, pusherEventId: crypto.randomUUID() };
}

/** The typed input of a promotion with seeding. */
export interface PromoteAndSeed {
  readonly commitId: string;
  readonly mapping: readonly ContentMapping[];
  /** Name of the repository that is seeded in the other instance. */
  readonly seedingRepositoryName?: string;
  readonly approvalId?: string;
}

/** Creates the body of a promotion with seeding from typed input, with a new event id (API description, 2.10). */
export function promoteAndSeedBody(input: PromoteAndSeed, dialect: Pick<Dialect, "bodyDefaults">) {
  return {
    commitId: input.commitId,
    mapping: [...input.mapping],
    ...dialect.bodyDefaults[operations.startPromotion.id],
    ...(input.approvalId === undefined ? {} : { approvalId: input.approvalId }),
    ...(input.seedingRepositoryName === undefined ? {} : { seedingRepoName: input.seedingRepositoryName }),
    pusherEventId: crypto.randomUUID(),
  };
}

/** A permission for a user or a group. The other id is the empty string (API description, 2.10). */
export function permissionUpdateFor(
  who: { readonly userId: string | number } | { readonly groupId: string | number },
  permission: string,
): PermissionUpdate {
  return "userId" in who
    ? { userId: String(who.userId), groupId: "", permission }
    : { userId: "", groupId: String(who.groupId), permission };
}

/**
 * The event id that was sent with a request. The platform assigns it to the commit or promotion, even if the response
 * doesn't contain it.
 */
export interface SentEvent {
  readonly sentEventId: string;
}

/** Commits the content of a repository; the commit continues after the response. */
export async function commitRepository(
  client: PlatformClient,
  repositoryId: string,
  input: Parameters<typeof commitCreateBody>[0],
  options: CallOptions = {},
): Promise<CommitRequest & SentEvent> {
  const body = commitCreateBody(input);
  const response = await client.call(operations.createCommit, { repositoryId, body }, options);
  return { ...response, sentEventId: body.pusherEventId };
}

/** Promotes a commit and seeds a repository; the promotion continues after the response. */
export async function promoteAndSeed(
  client: PlatformClient,
  place: { readonly repositoryId: string; readonly deploymentId: string },
  input: PromoteAndSeed,
  options: CallOptions = {},
): Promise<Promotion & SentEvent> {
  const body = promoteAndSeedBody(input, client.dialect);
  const response = await client.call(operations.startPromotion, { ...place, body }, options);
  return { ...response, sentEventId: body.pusherEventId };
}

/** Allows or forbids promotions within the same instance. Returns the updated settings. */
export async function toggleSameInstancePromotion(
  client: PlatformClient,
  isEnabled: boolean,
  options: CallOptions = {},
): Promise<SandboxSettings> {
  await client.call(operations.updateSandboxSettings, { body: { allowSelfPromotion: isEnabled } }, options);
  try {
    return await client.call(operations.getSandboxSettings, {}, options);
  } catch (error) {
    throw error instanceof PlatformError
      ? error.withRemark(
          isEnabled
            ? phrase`Promotions within the same instance are now allowed, but the settings couldn't be read again. Refresh the view.`
            : phrase`Promotions within the same instance are now forbidden, but the settings couldn't be read again. Refresh the view.`,
        )
      : error;
  }
}

/**
 * The domains that have access to a repository. Throws a sandbox GET error if the response does not contain all of
 * them.
 */
export async function domainsWithAccess(
  client: PlatformClient,
  repositoryId: string,
  options: CallOptions = {},
): Promise<readonly string[]> {
  const response = await client.call(operations.getRepositoryAccess, { repositoryId }, options);
  const list: readonly unknown[] | null | undefined = isList<unknown>(response) ? response : response.accessList;
  const domains = list === null ? [] : list?.map(domainOf);
  if (domains === undefined || domains.some((domain) => domain === undefined)) {
    throw operationError(
      operations.getRepositoryAccess,
      { repositoryId },
      {
        kind: "sandboxGet",
        cause: { type: "unexpectedResponse", fields: ["accessList"] },
        reason: phrase`the platform's response doesn't name the instances`,
      },
    );
  }
  return domains.filter((domain) => domain !== undefined);
}

/**
 * Gives instances access to a repository. Reads the current list and sends the complete new list, because omitted
 * instances may lose access. Returns the list that was sent.
 */
export async function addDomainsWithAccess(
  client: PlatformClient,
  repositoryId: string,
  domains: readonly string[],
  options: CallOptions = {},
): Promise<readonly string[]> {
  const before = await domainsWithAccess(client, repositoryId, options);
  const body = [...new Set([...before, ...domains])];
  await client.call(operations.updateRepositoryAccess, { repositoryId, body }, options);
  return body;
}

function domainOf(entry: unknown): string | undefined {
  if (typeof entry === "string") {
    return entry;
  }
  const { invitedDomain, domain } = (entry ?? {}) as { readonly invitedDomain?: unknown; readonly domain?: unknown };
  return [invitedDomain, domain].find((one) => typeof one === "string");
}
