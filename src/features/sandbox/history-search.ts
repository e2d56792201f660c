import * as z from "zod/mini";
import type { CommitRequest, Promotion } from "../../api/catalogue/models/sandbox.ts";
import type { HistoryQuery } from "../../api/families/sandbox.ts";
import { isWithin, type Period } from "../../ui/quick-input/typed-dates.ts";

export type HistoryKind = "commitRequests" | "promotions";

/** The sort fields of the history; `completed` is the platform's default (API description, 2.10). */
export const historySorts = ["completed", "started", "repositoryName", "commitName", "status"] as const;
export type HistorySort = (typeof historySorts)[number];

/** The times that the history can be filtered by. */
export const historyDates = ["started", "completed"] as const;
export type HistoryDate = (typeof historyDates)[number];

// Zod's own check would be in the code that loads with the extension.
const time = z
  .string()
  .check(z.refine((text) => /^[\d-]{10}T[\d:.]{8,12}Z$/.test(text) && !Number.isNaN(Date.parse(text))));
const period = z.object({ from: z.optional(time), to: z.optional(time) });

/** A search in the history of repositories, as stored in its document's address. */
export const historySearch = z.object({
  kind: z.enum(["commitRequests", "promotions"]),
  filters: z.record(z.string(), z.array(z.string())),
  sort: z._default(z.enum(historySorts), "completed"),
  order: z.enum(["asc", "desc"]),
  dates: z._default(z.object({ started: z.optional(period), completed: z.optional(period) }), {}),
});
export type HistorySearch = Readonly<Omit<z.output<typeof historySearch>, "filters">> & {
  readonly filters: Readonly<Record<string, readonly string[]>>;
};

/** The search without empty filters. */
export function trimmed({ filters, dates, ...rest }: HistorySearch): HistorySearch {
  return {
    ...rest,
    filters: Object.fromEntries(Object.entries(filters).filter(([, values]) => values.length > 0)),
    dates: Object.fromEntries(historyDates.flatMap((name) => (isOpen(dates[name]) ? [] : [[name, dates[name]]]))),
  };
}

/** The body of the search. The API description doesn't show the wire format of dates: see `docs/dialects.md`. */
export function historyQuery(search: HistorySearch): HistoryQuery {
  const { filters, sort, order, dates } = trimmed(search);
  return { filters, sort, order, dateFilters: dates };
}

/** Checks whether an entry is within the dates, because a platform may ignore them. */
export function fitsDates(one: CommitRequest | Promotion, { dates }: HistorySearch): boolean {
  return historyDates.every((name) => isWithin(one[name], dates[name] ?? {}));
}

function isOpen(period: Period | undefined): boolean {
  return period?.from === undefined && period?.to === undefined;
}
