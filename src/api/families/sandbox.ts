import {
  type AuthorizedInstance,
  type Commit,
  type CommitRequest,
  type ContentMapping,
  type HistorySearch,
  listKeys,
  type PageContext,
  type PermissionUpdate,
  type Promotion,
  type Repository,
  type SandboxSettings,
} from "../catalogue/models/sandbox.ts";
import type { AnswerOf, AnyOperation, InputOf } from "../catalogue/operation.ts";
import * as operations from "../catalogue/operations/sandbox.ts";
import { everyPage, type Page, pageSizeOf } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { operationError } from "../client/operation-errors.ts";
import { PlatformError } from "../http/errors.ts";
import { phrase } from "../phrase.ts";

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
  const answer = await client.call(operation, { body: { limit: pageSizeOf(operation), ...query } }, options);
  return pageWithin<CommitRequest>(operation, {}, answer, listKeys.commitRequests);
}

/** A page of the promotions that match a search. */
export async function readPromotionPage(
  client: PlatformClient,
  query: HistoryQuery & PageQuery,
  options: CallOptions = {},
): Promise<Page<Promotion>> {
  const operation = operations.searchPromotions;
  const answer = await client.call(operation, { body: { limit: pageSizeOf(operation), ...query } }, options);
  return pageWithin<Promotion>(operation, {}, answer, listKeys.promotions);
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

/** A search's answer: the list itself, or an object that contains it under a key that differs between platforms. */
type SearchAnswer<Item> = readonly Item[] | Readonly<Record<string, unknown>>;

/**
 * Filters for repositories: part of the name, whether they belong to other instances and are shared with this one, and
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
  const answer = await client.call(operation, { body: { query, shared } }, options);
  return pageWithin<Repository>(operation, {}, answer, listKeys.repositories);
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

/** The instances that are authorized for promotions, at most 250 by default. */
export async function authorizedInstances(
  client: PlatformClient,
  input: InputOf<typeof operations.listAuthorizations> = {},
  options: CallOptions = {},
): Promise<readonly AuthorizedInstance[]> {
  const answer = await client.call(operations.listAuthorizations, input, options);
  return pageWithin<AuthorizedInstance>(operations.listAuthorizations, input, answer, listKeys.authorizations).items;
}

/** The commits of a repository on the platform's first page; `total` shows whether there are more. */
export async function commitsOf(
  client: PlatformClient,
  repositoryId: string,
  options: CallOptions = {},
): Promise<Page<Commit>> {
  const answer = await client.call(operations.listCommits, { repositoryId }, options);
  return pageWithin<Commit>(operations.listCommits, { repositoryId }, answer, listKeys.commits);
}

/** The commit requests of a repository on the platform's first page; `total` shows whether there are more. */
export async function commitRequestsOf(
  client: PlatformClient,
  repositoryId: string,
  options: CallOptions = {},
): Promise<Page<CommitRequest>> {
  const operation = operations.listRepositoryCommitRequests;
  const answer = await client.call(operation, { repositoryId }, options);
  return pageWithin<CommitRequest>(operation, { repositoryId }, answer, listKeys.commitRequests);
}

/**
 * The list of an answer: under the first key that has one, or the bare list. Throws a sandbox GET error if there is
 * none.
 */
function pageWithin<Item>(
  operation: AnyOperation,
  input: object,
  answer: SearchAnswer<Item>,
  keys: readonly string[],
): Page<Item> {
  if (isList<Item>(answer)) {
    return { items: answer };
  }
  const members: Readonly<Record<string, unknown>> = answer;
  const key = keys.find((one) => isList(members[one])) ?? keys.find((one) => members[one] === null);
  if (key === undefined) {
    throw operationError(operation, input, {
      kind: "sandboxGet",
      cause: { type: "unexpectedAnswer", fields: keys },
      reason: phrase`the platform's answer has no list under ${keys.join(", ")}`,
    });
  }
  const found = members[key];
  const context = members.pageContext as PageContext | null | undefined;
  return {
    items: isList<Item>(found) ? found : [],
    total: context?.totalCount ?? undefined,
    offset: context?.offset ?? context?.offSet ?? undefined,
  };
}

function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

/** The body of a commit from typed input, with its own event id (API description, 2.10). */
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

/** The body of a promotion with seeding from typed input, with its own event id (API description, 2.10). */
export function promoteAndSeedBody(input: PromoteAndSeed) {
  return {
    commitId: input.commitId,
    mapping: [...input.mapping],
    approvalId: input.approvalId ?? "",
    ...(input.seedingRepositoryName === undefined ? {} : { seedingRepoName: input.seedingRepositoryName }),
    pusherEventId: crypto.randomUUID(),
  };
}

/** A permission for a user or a group; the other id is the empty text (API description, 2.10). */
export function permissionUpdateFor(
  who: { readonly userId: string | number } | { readonly groupId: string | number },
  permission: string,
): PermissionUpdate {
  return "userId" in who
    ? { userId: String(who.userId), groupId: "", permission }
    : { userId: "", groupId: String(who.groupId), permission };
}

/** Commits the content of a repository; the commit continues after the answer. */
export async function commitRepository(
  client: PlatformClient,
  repositoryId: string,
  input: Parameters<typeof commitCreateBody>[0],
  options: CallOptions = {},
): Promise<AnswerOf<typeof operations.createCommit>> {
  return client.call(operations.createCommit, { repositoryId, body: commitCreateBody(input) }, options);
}

/** Promotes a commit and seeds a repository; the promotion continues after the answer. */
export async function promoteAndSeed(
  client: PlatformClient,
  place: { readonly repositoryId: string; readonly deploymentId: string },
  input: PromoteAndSeed,
  options: CallOptions = {},
): Promise<AnswerOf<typeof operations.startPromotion>> {
  return client.call(operations.startPromotion, { ...place, body: promoteAndSeedBody(input) }, options);
}

/** Allows or forbids promotions within the same instance. Returns the settings, read again afterwards. */
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
            ? phrase`The change was made: promotions within the same instance are allowed now. Only reading the settings again failed.`
            : phrase`The change was made: promotions within the same instance are forbidden now. Only reading the settings again failed.`,
        )
      : error;
  }
}

/**
 * The domains that have access to a repository. Throws a sandbox GET error if the answer does not contain all of them.
 */
export async function domainsWithAccess(
  client: PlatformClient,
  repositoryId: string,
  options: CallOptions = {},
): Promise<readonly string[]> {
  const answer = await client.call(operations.getRepositoryAccess, { repositoryId }, options);
  const list: readonly unknown[] | null | undefined = isList<unknown>(answer) ? answer : answer.accessList;
  const domains = list === null ? [] : list?.map(domainOf);
  if (domains === undefined || domains.some((domain) => domain === undefined)) {
    throw operationError(
      operations.getRepositoryAccess,
      { repositoryId },
      {
        kind: "sandboxGet",
        cause: { type: "unexpectedAnswer", fields: ["accessList"] },
        reason: phrase`the platform's answer does not name the instances`,
      },
    );
  }
  return domains.filter((domain) => domain !== undefined);
}

/**
 * Gives instances access to a repository: reads the current list and sends the whole new list, because omitted
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
