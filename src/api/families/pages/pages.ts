import type { PageSummary } from "../../catalogue/models/pages.ts";
import type { AnyOperation, InputOf, ResponseOf } from "../../catalogue/operation.ts";
import { revokePageShare } from "../../catalogue/operations/page-changes.ts";
import {
  getNavigation,
  movePages,
  orderPages,
  removePageOwners,
  removePageShare,
  searchPageSummaries,
} from "../../catalogue/operations/pages.ts";
import type { CallOptions, PlatformClient } from "../../client/client.ts";
import { isList } from "../../client/contained-list.ts";
import { invalidInput } from "../../client/operation-errors.ts";
import { phrase } from "../../phrase.ts";
import { listWithin } from "../wrapped-list.ts";
import { type PageNode, pageTree } from "./page-tree.ts";

/** Maximum nesting of a navigation response, in JSON levels. A page below another page takes two levels. */
const maxNavigationDepth = 50_000;

/** Reads the page tree (API description, 4.4). */
export async function readPageTree(
  client: PlatformClient,
  input: InputOf<typeof getNavigation> = {},
  options: CallOptions = {},
): Promise<readonly PageNode[]> {
  return pageTree(await client.call(getNavigation, input, { ...options, maxDepth: maxNavigationDepth }));
}

/** Filters of the admin summary. Other members are sent unchanged. */
export interface SummaryFilter {
  readonly pageTitleSearchText?: string;
  readonly parentPageIds?: readonly (number | string)[];
  readonly ownerIds?: readonly (number | string)[];
  readonly [member: string]: unknown;
}

/** With more parents, the platform returns an empty list without an error. */
const maxParents = 10;
const summaryPageSize = 100;

/**
 * The admin summary of pages, without duplicates: page by page if the platform is known to support paging, otherwise
 * with one request. More than ten parents are requested in groups of ten.
 */
export async function* allPageSummaries(
  client: PlatformClient,
  filter: SummaryFilter = {},
  options: CallOptions = {},
): AsyncGenerator<readonly PageSummary[]> {
  const seen = new Set<string>();
  const isPaged = client.accepts(searchPageSummaries, "skip");
  for (const body of summaryBodies(filter)) {
    for (let skip: number | undefined = 0; skip !== undefined; ) {
      const position = isPaged ? { limit: summaryPageSize, skip } : {};
      const input: InputOf<typeof searchPageSummaries> = { ...position, body };
      const response: ResponseOf<typeof searchPageSummaries> = await client.call(searchPageSummaries, input, options);
      const found = listWithin<PageSummary>(searchPageSummaries, input, response, ["pageAdminSummaries"]);
      const fresh = found.filter((summary) => !seen.has(keyOf(summary)));
      for (const summary of fresh) {
        seen.add(keyOf(summary));
      }
      if (fresh.length > 0) {
        yield fresh;
      }
      skip =
        !isPaged || fresh.length === 0 ? undefined : nextSkip(skip, found.length, isList(response) ? {} : response);
    }
  }
}

/** The id, or the entire entry if it has none. */
function keyOf(summary: PageSummary): string {
  return String(summary.pageId ?? JSON.stringify(summary));
}

/** Each filter member needs a switch that enables it. */
function summaryBodies(filter: SummaryFilter): readonly Readonly<Record<string, unknown>>[] {
  const { parentPageIds, ...rest } = filter;
  const common = {
    includeAllPages: true,
    includePageTitleClause: filter.pageTitleSearchText !== undefined,
    includePageOwnerClause: filter.ownerIds !== undefined,
    includeParentPageIdsClause: parentPageIds !== undefined,
    ...rest,
  };
  if (parentPageIds === undefined) {
    return [common];
  }
  const groups = Math.ceil(parentPageIds.length / maxParents);
  return Array.from({ length: groups }, (_, group) => ({
    ...common,
    parentPageIds: parentPageIds.slice(group * maxParents, (group + 1) * maxParents),
  }));
}

/**
 * The offset of the next page. If the platform returns neither this offset nor a total, a page that is not full is the
 * last.
 */
function nextSkip(
  skip: number,
  count: number,
  response: { readonly nextOffset?: number | null | undefined; readonly totalPageCount?: number | null | undefined },
): number | undefined {
  const { nextOffset, totalPageCount } = response;
  if (typeof nextOffset === "number") {
    return nextOffset > skip ? nextOffset : undefined;
  }
  const isLast = typeof totalPageCount === "number" ? skip + count >= totalPageCount : count < summaryPageSize;
  return isLast ? undefined : skip + count;
}

export type PageId = number | string;

/** Moves pages below another page, or to the top level if there is no parent. They keep their permissions. */
export async function movePagesTo(
  client: PlatformClient,
  input: { readonly pageIds: readonly PageId[]; readonly parentPageId?: PageId },
  options: CallOptions = {},
): Promise<void> {
  const pageIds = idsOnWire(movePages, input, "pageIds", input.pageIds);
  const parent =
    input.parentPageId === undefined
      ? {}
      : { parentPageId: idOnWire(movePages, input, "parentPageId", input.parentPageId) };
  await client.call(movePages, { body: { pageIds, ...parent, pagePermission: "ORIGINAL" } }, options);
}

/** Sets the order of the pages below each parent; the top level has the id 0. */
export async function setPageOrder(
  client: PlatformClient,
  orders: readonly { readonly parentPageId: PageId; readonly pageIds: readonly PageId[] }[],
  options: CallOptions = {},
): Promise<void> {
  const input = { orders };
  const pageOrderMap = Object.fromEntries(
    orders.map(({ parentPageId, pageIds }) => [
      idOnWire(orderPages, input, "parentPageId", parentPageId),
      joinedIds(orderPages, input, pageIds).join(", "),
    ]),
  );
  await client.call(orderPages, { body: { pageOrderMap } }, options);
}

export interface OwnerReference {
  readonly id: PageId;
  readonly type: "USER" | "GROUP";
}

/** Removes owners from pages. */
export async function removeOwners(
  client: PlatformClient,
  input: { readonly pageIds: readonly PageId[]; readonly owners: readonly OwnerReference[] },
  options: CallOptions = {},
): Promise<void> {
  const pageIds = idsOnWire(removePageOwners, input, "pageIds", input.pageIds);
  if (input.owners.length === 0) {
    throw invalidInput(removePageOwners, input, "owners", phrase`it is empty`);
  }
  const owners = input.owners.map(({ id, type }) => {
    if (type !== "USER" && type !== "GROUP") {
      throw invalidInput(removePageOwners, input, "owners.type", phrase`it must be USER or GROUP`);
    }
    return { id: idOnWire(removePageOwners, input, "owners.id", id), type };
  });
  await client.call(removePageOwners, { body: { owners, pageIds } }, options);
}

/**
 * The pages that removing a share affects: exactly the named pages, the named pages if the platform respects the list,
 * or the pages that the platform chooses.
 */
export type ShareScope = "eachPage" | "namedPages" | "undescribed";

/**
 * Returns which pages removing a share affects. The API description (4.4) has no way to name pages, so the request may
 * affect every page that is shared with the user, group, or domain.
 */
export function shareScopeOf(client: PlatformClient, types: readonly ("user" | "group" | "domain")[]): ShareScope {
  if (client.dialect.undescribedOperations && types.every((type) => type === "user")) {
    return "eachPage";
  }
  return client.accepts(removePageShare, "resourceIds") ? "namedPages" : "undescribed";
}

/**
 * Stops sharing pages with a user, group, or domain. Requires at least one page. Sends the pages only to platforms that
 * are known to accept them (see `shareScopeOf`), and one request for each page of a user.
 */
export async function removeShare(
  client: PlatformClient,
  input: {
    readonly type: "user" | "group" | "domain";
    readonly id: PageId;
    readonly pageIds: readonly PageId[];
  },
  options: CallOptions = {},
): Promise<void> {
  const pageIds = joinedIds(removePageShare, input, input.pageIds);
  const how = shareScopeOf(client, [input.type]);
  if (how === "eachPage") {
    for (const pageId of pageIds) {
      await client.call(revokePageShare, { pageId: String(pageId), userId: String(input.id) }, options);
    }
    return;
  }
  const scope = how === "namedPages" ? { resourceIds: pageIds.join(",") } : {};
  await client.call(removePageShare, { type: input.type, id: String(input.id), ...scope }, options);
}

/** An id in a body. Public platforms expect a number, so a numeric string is converted; other strings are not. */
export function pageIdOnWire(id: PageId): PageId {
  const number = typeof id === "string" && /^(?:0|-?[1-9]\d{0,15})$/.test(id) ? Number(id) : id;
  return typeof number === "number" && !Number.isSafeInteger(number) ? String(id) : number;
}

function idsOnWire(
  operation: AnyOperation,
  input: object,
  field: string,
  values: readonly PageId[],
): readonly [PageId, ...PageId[]] {
  const [first, ...others] = values.map((value) => idOnWire(operation, input, field, value));
  if (first === undefined) {
    throw invalidInput(operation, input, field, phrase`it is empty`);
  }
  return [first, ...others.filter((value, index) => value !== first && others.indexOf(value) === index)];
}

/** Joins ids with commas. Rejects an id that contains a comma, which would become two. */
function joinedIds(operation: AnyOperation, input: object, values: readonly PageId[]): readonly PageId[] {
  const ids = idsOnWire(operation, input, "pageIds", values);
  const wrong = ids.find((id) => /[,\s]/.test(String(id)));
  if (wrong !== undefined) {
    throw invalidInput(operation, input, "pageIds", phrase`"${wrong}" contains a comma or a space`);
  }
  return ids;
}

function idOnWire(operation: AnyOperation, input: object, field: string, value: PageId): PageId {
  const id = pageIdOnWire(typeof value === "string" ? value.trim() : value);
  if (id === "" || (typeof value === "number" && !Number.isSafeInteger(value))) {
    throw invalidInput(operation, input, field, phrase`"${value}" isn't an ID`);
  }
  return id;
}
