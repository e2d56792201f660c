import { collectionTitles, type PageMembershipState, type PageMembershipsState } from "../seed/page-memberships.ts";
import type { CollectionState } from "../seed/pages.ts";
import { ErrorResponse, type Fields, fieldsOf, ok, type PlatformCall, type PlatformHandler } from "./handler.ts";
import { changePages, idsIn, pageOf } from "./page-lookup.ts";

/**
 * The platform's handlers for a page's collections (API description, 4.4): memberships, or the page's groups of cards.
 */
export const pageCollectionHandlers = {
  "pages.collections.list": async (call) => {
    const { id } = pageOf(call);
    return ok(
      hasMemberships(call)
        ? membershipsOf(call)
            .filter(({ pageId }) => pageId === id)
            .map(membershipShape)
        : call.file.state.pages.collections.filter(({ pageId }) => pageId === id).map(collectionShape),
    );
  },
  "pages.collections.add": async (call) => {
    const page = pageOf(call);
    if (hasMemberships(call)) {
      const bodies = Array.isArray(call.body) ? call.body : [call.body];
      const { nextId } = call.file.state.pageMemberships;
      const added = bodies.map((body: unknown, index) =>
        withFields({ id: nextId + index, pageId: page.id, collectionId: null, fields: {} }, fieldsOf(body)),
      );
      await changeMemberships(call, ({ memberships }) => ({
        memberships: [...memberships, ...added],
        nextId: nextId + added.length,
      }));
      const shapes = added.map(membershipShape);
      return ok(Array.isArray(call.body) ? shapes : shapes[0]);
    }
    const collection = { title: "Collection", description: "", cardIds: [], ...collectionFields(call) };
    const id = call.file.state.pages.nextId;
    const added = { ...collection, id, pageId: page.id };
    await changePages(call, (state) => ({ collections: [...state.collections, added], nextId: id + 1 }));
    return ok(collectionShape(added));
  },
  "pages.collections.update": async (call) => {
    if (hasMemberships(call)) {
      const updated = withFields(membershipOf(call), fieldsOf(call.body));
      await changeMemberships(call, ({ memberships }) => ({
        memberships: memberships.map((one) => (one.id === updated.id ? updated : one)),
      }));
      return ok(membershipShape(updated));
    }
    const updated = { ...collectionOf(call), ...collectionFields(call) };
    await changePages(call, (state) => ({
      collections: state.collections.map((one) => (one.id === updated.id ? updated : one)),
    }));
    return ok(collectionShape(updated));
  },
  "pages.collections.remove": async (call) => {
    if (hasMemberships(call)) {
      const { id } = membershipOf(call);
      await changeMemberships(call, ({ memberships }) => ({ memberships: memberships.filter((one) => one.id !== id) }));
    } else {
      const { id } = collectionOf(call);
      await changePages(call, (state) => ({ collections: state.collections.filter((one) => one.id !== id) }));
    }
    return { status: 204 };
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

/** The collections of each page as the hierarchy lists them. */
export function collectionsInHierarchy(
  call: PlatformCall,
): (pageId: number) => readonly { readonly collectionId: unknown; readonly collectionTitle: string | null }[] {
  const entries: readonly { readonly pageId: number; readonly id: unknown; readonly title: string | null }[] =
    hasMemberships(call)
      ? membershipsOf(call).map(({ pageId, collectionId }) => ({
          pageId,
          id: collectionId,
          title: titleOf(collectionId),
        }))
      : call.file.state.pages.collections.map(({ pageId, id, title }) => ({ pageId, id, title }));
  const byPage = Map.groupBy(entries, ({ pageId }) => pageId);
  return (pageId) =>
    (byPage.get(pageId) ?? []).map(({ id, title }) => ({ collectionId: id, collectionTitle: title, pageId }));
}

function hasMemberships({ wire }: PlatformCall): boolean {
  return wire.dialect.pageCollections === "memberships";
}

function membershipsOf({ file }: PlatformCall): readonly PageMembershipState[] {
  return file.state.pageMemberships.memberships;
}

/** Replaces the membership's fields, except for the ids that the platform assigns. */
function withFields(membership: PageMembershipState, body: Fields): PageMembershipState {
  const { id: _id, pageId: _pageId, title: _title, collectionId, ...fields } = body;
  const isNamed = typeof collectionId === "string" || typeof collectionId === "number";
  return {
    ...membership,
    collectionId: isNamed ? String(collectionId) : membership.collectionId,
    fields: { ...membership.fields, ...fields },
  };
}

function titleOf(collectionId: string | null): string | null {
  return collectionTitles.get(collectionId ?? "") ?? null;
}

function membershipShape({ id, pageId, collectionId, fields }: PageMembershipState): Fields {
  return { ...fields, id, pageId, collectionId, title: titleOf(collectionId) };
}

function collectionShape({ id, title, description, cardIds }: CollectionState): Fields {
  return { id, title, description, cardIds };
}

function membershipOf(call: PlatformCall): PageMembershipState {
  const { id: pageId } = pageOf(call);
  return found(
    call,
    membershipsOf(call).filter((one) => one.pageId === pageId),
  );
}

function collectionOf(call: PlatformCall): CollectionState {
  const { id: pageId } = pageOf(call);
  return found(
    call,
    call.file.state.pages.collections.filter((one) => one.pageId === pageId),
  );
}

function found<Item extends { readonly id: number }>(call: PlatformCall, items: readonly Item[]): Item {
  const id = call.parameters.get("pageCollectionId");
  const item = items.find((one) => String(one.id) === id);
  if (item === undefined) {
    throw new ErrorResponse(404, `Collection ${id} not found`);
  }
  return item;
}

function collectionFields(call: PlatformCall): Partial<CollectionState> {
  const { title, description, cardIds } = fieldsOf(call.body);
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(cardIds === undefined ? {} : { cardIds: idsIn(cardIds) }),
  };
}

async function changeMemberships(
  call: PlatformCall,
  of: (state: PageMembershipsState) => Partial<PageMembershipsState>,
): Promise<void> {
  await call.file.change((state) => ({
    ...state,
    pageMemberships: { ...state.pageMemberships, ...of(state.pageMemberships) },
  }));
}
