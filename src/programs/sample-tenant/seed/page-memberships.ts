import type { PagesState } from "./pages.ts";

/** A page's membership in a collection; `fields` has the other sent members. */
export interface PageMembershipState {
  readonly id: number;
  readonly pageId: number;
  readonly collectionId: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The memberships of all pages. */
export interface PageMembershipsState {
  readonly memberships: readonly PageMembershipState[];
  /** The id of the next membership. */
  readonly nextId: number;
}

/** The collections that have a title; other ids are collections without one. */
export const collectionTitles: ReadonlyMap<string, string> = new Map([
  ["9001", "Quarterly review"],
  ["9002", "Board pack"],
  ["9003", "Onboarding"],
]);

const firstMembershipId = 51;

/** Every fourth page belongs to a collection, and each of these collections to several pages. */
export function samplePageMemberships({ pages }: PagesState): PageMembershipsState {
  const ids = [...collectionTitles.keys()];
  const memberships = pages
    .filter((_, index) => index % 4 === 1)
    .map(({ id }, index) => ({
      id: firstMembershipId + index,
      pageId: id,
      collectionId: ids[index % ids.length] ?? null,
      fields: {},
    }));
  return { memberships, nextId: 7001 };
}
