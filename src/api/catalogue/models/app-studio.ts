import * as z from "zod/mini";

const text = z.nullish(z.string());
const numberOrText = z.union([z.number(), z.string()]);
const id = z.nullish(numberOrText);
const count = z.nullish(z.number());

/** A user or group; `type` is USER or GROUP. */
const principal = z.looseObject({ id, type: text, displayName: text, name: text });

/** An app in a list of the apps that an administrator can see. */
const appSummary = z.looseObject({
  dataAppId: id,
  title: text,
  lastUpdated: z.nullish(numberOrText),
  locked: z.nullish(z.boolean()),
  owners: z.nullish(z.array(principal)),
  viewCount: count,
});

export const appSummaries = z.looseObject({
  dataAppAdminSummaries: z.nullish(z.array(appSummary)),
  nextOffset: count,
  totalDataAppCount: count,
});

/** Sorting, and a text that titles contain. */
export const appSearch = z.looseObject({
  orderBy: z.optional(z.string()),
  ascending: z.optional(z.boolean()),
  includeOwnerClause: z.optional(z.boolean()),
  includeTitleClause: z.optional(z.boolean()),
  titleSearchText: z.optional(z.string()),
  type: z.optional(z.string()),
});

const appView = z.looseObject({
  viewId: id,
  viewTitle: text,
  cardTitles: z.nullish(z.array(z.looseObject({ cardId: id, title: text }))),
});

/** The views of an app with their cards. */
export const appContents = z.looseObject({ viewDetails: z.nullish(z.array(appView)) });

/** The users and groups that can see an app. */
export const appAccess = z.looseObject({
  totalUserCount: count,
  users: z.nullish(z.array(principal)),
  groups: z.nullish(z.array(principal)),
});

/** Apps, and the users and groups that get access to them. */
export const appShareBody = z.looseObject({
  dataAppIds: z.array(numberOrText).check(z.minLength(1)),
  recipients: z.array(z.looseObject({ type: z.enum(["user", "group"]), id: numberOrText })).check(z.minLength(1)),
  message: z.optional(z.string()),
});

export type AppSummary = z.output<typeof appSummary>;
export type AppView = z.output<typeof appView>;
export type AppAccess = z.output<typeof appAccess>;
