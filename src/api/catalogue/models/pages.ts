import * as z from "zod/mini";
import { listUnder } from "./list-under.ts";

const numberOrText = z.union([z.number(), z.string()]);
const numberTextOrNone = z.nullish(numberOrText);

/** An owner of a page: `type` is USER or GROUP. */
const pageOwner = z.looseObject({
  id: numberTextOrNone,
  type: z.nullish(z.string()),
  displayName: z.nullish(z.string()),
});

/** A single page; `metadata` is a JSON string. */
export const page = z.looseObject({
  pageId: numberTextOrNone,
  id: numberTextOrNone,
  pageName: z.nullish(z.string()),
  title: z.nullish(z.string()),
  type: z.nullish(z.string()),
  locked: z.nullish(z.boolean()),
  isOwner: z.nullish(z.boolean()),
  owners: z.nullish(z.array(pageOwner)),
  created: numberTextOrNone,
  updated: numberTextOrNone,
  metadata: z.optional(z.unknown()),
  mobileEnabled: z.nullish(z.boolean()),
  sharedViewPage: z.nullish(z.boolean()),
  virtualPage: z.nullish(z.boolean()),
});

/** A user or group that a page is shared with. */
const pageShare = z.looseObject({
  id: numberTextOrNone,
  displayName: z.nullish(z.string()),
  name: z.nullish(z.string()),
});

/** The users and groups that a page is shared with, in the format of the public platform. */
export const pageShares = z.looseObject({
  users: z.nullish(z.array(pageShare)),
  groups: z.nullish(z.array(pageShare)),
});

/** A page in the admin summary (API description, 4.4); `lastModified` is in epoch milliseconds. */
const pageSummary = z.looseObject({
  pageId: numberTextOrNone,
  pageTitle: z.nullish(z.string()),
  parentPageId: numberTextOrNone,
  parentPageTitle: z.nullish(z.string()),
  topPageId: numberTextOrNone,
  topPageTitle: z.nullish(z.string()),
  ownerId: numberTextOrNone,
  ownerName: z.nullish(z.string()),
  owners: z.nullish(z.array(pageOwner)),
  locked: z.nullish(z.boolean()),
  lastModified: z.nullish(numberOrText),
  cardCount: z.nullish(z.number()),
});
export type PageSummary = z.output<typeof pageSummary>;

export const pageSummaries = listUnder(pageSummary, ["pageAdminSummaries"], {
  totalPageCount: z.nullish(z.number()),
  nextOffset: z.nullish(z.number()),
});

/** The page hierarchy in any of its formats: an array of pages, or an object that contains one. */
export const navigation = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** A saved analyzer filter view in the list of a page; `scope` is PAGE or USER. */
const filterView = z.looseObject({
  analyzerId: numberTextOrNone,
  name: z.nullish(z.string()),
  type: z.nullish(z.string()),
  scope: z.nullish(z.string()),
  ownerId: numberTextOrNone,
  isDefault: z.nullish(z.boolean()),
  order: z.nullish(z.number()),
});
export type FilterView = z.output<typeof filterView>;
export const filterViews = z.array(filterView);

/** A condition of a filter view. */
const viewFilter = z.looseObject({
  column: z.nullish(z.string()),
  operand: z.nullish(z.string()),
  values: z.nullish(z.array(z.unknown())),
  dataType: z.nullish(z.string()),
  filterType: z.nullish(z.string()),
  dataSourceId: z.nullish(z.string()),
});

/** A single saved analyzer filter view, with its filters. */
export const wholeFilterView = z.extend(filterView, {
  pageUrn: numberTextOrNone,
  filters: z.nullish(z.array(viewFilter)),
  dateTimeRange: z.nullish(z.looseObject({ overrideDateRange: z.nullish(z.boolean()) })),
});
export type WholeFilterView = z.output<typeof wholeFilterView>;

/**
 * A collection of a page (API description, 4.4). Usually a collection that contains the page, where `id` is the id of
 * the membership. On some platforms, a group of cards on the page.
 */
const pageCollection = z.looseObject({
  id: numberTextOrNone,
  collectionId: numberTextOrNone,
  title: z.nullish(z.string()),
  description: z.nullish(z.string()),
  cardIds: z.nullish(z.array(numberOrText)),
});
export type PageCollection = z.output<typeof pageCollection>;
export const pageCollections = z.array(pageCollection);

/** A body that the API description doesn't specify: any object or array. Defaults to an empty object. */
export const jsonBody = z._default(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]), {});

/** A page to create. Without a parent, it is at the top. Public platforms require the title. */
export const pageBody = z.looseObject({
  title: z.string().check(z.minLength(1)),
  parentPageId: z.optional(numberOrText),
  hasLayout: z.optional(z.boolean()),
});

const sharedResource = z.looseObject({ type: z.string().check(z.minLength(1)), id: numberOrText });

/** What to share, and with whom: recipients have the type `user` or `group`. */
export const shareBody = z.looseObject({
  resources: z.array(sharedResource).check(z.minLength(1)),
  recipients: z.array(z.looseObject({ type: z.enum(["user", "group"]), id: numberOrText })).check(z.minLength(1)),
  message: z.optional(z.string()),
});

/** Owners to add to pages. */
export const ownersBody = z.looseObject({
  owners: z.array(z.looseObject({ id: numberOrText, type: z.enum(["USER", "GROUP"]) })).check(z.minLength(1)),
  pageIds: z.array(numberOrText).check(z.minLength(1)),
});
