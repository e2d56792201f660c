import { userId } from "../seed/organization.ts";
import type { FilterViewState, OwnerState, PageState, PagesState } from "../seed/pages.ts";
import {
  ErrorResponse,
  type Fields,
  fieldsOf,
  ok,
  type PlatformCall,
  type PlatformHandler,
  type PlatformResponse,
} from "./handler.ts";
import { collectionsInHierarchy, pageCollectionHandlers } from "./page-collections.ts";
import { changePages, idFrom, idsIn, pageOf } from "./page-lookup.ts";
import { navigationJson, pageShape, sharesShape, summaryShapes, viewShape, wholeViewShape } from "./page-shapes.ts";

/** The platform's handlers for the operations of API description, 4.4. */
export const pageHandlers = {
  ...pageCollectionHandlers,
  "pages.summaries.search": async (call) => {
    const all = call.file.state.pages.pages.length;
    const limit = wholeNumber(call.query.get("limit") ?? String(all));
    const skip = wholeNumber(call.query.get("skip") ?? "0");
    const found = searched(call.file.state.pages, fieldsOf(call.body));
    const pageAdminSummaries = summaryShapes(found.slice(skip, skip + limit), call.file.state.pages);
    const nextOffset = skip + limit < found.length ? skip + limit : null;
    return ok({ pageAdminSummaries, totalPageCount: found.length, nextOffset });
  },
  "pages.bulk.move": async (call) => {
    const body = fieldsOf(call.body);
    const moved = idsIn(body.pageIds).map((id) => pageOf(call, id).id);
    const parentId = parentIn(call, body.parentPageId);
    for (let above = parentId; above !== null; above = pageOf(call, above).parentId) {
      if (moved.includes(above)) {
        throw new ErrorResponse(409, "A page cannot be moved below itself.");
      }
    }
    return await changed(call, (pages) =>
      pages.map((page) => (moved.includes(page.id) ? { ...page, parentId, updated: Date.now() } : page)),
    );
  },
  "pages.owners.remove": async (call) => {
    const body = fieldsOf(call.body);
    const pageIds = idsIn(body.pageIds).map((id) => pageOf(call, id).id);
    const removed = listIn(body.owners).map(fieldsOf);
    const isRemoved = (owner: OwnerState) =>
      removed.some(({ id, type }) => String(id) === String(owner.id) && (type ?? "USER") === owner.type);
    return await changed(call, (pages) =>
      pages.map((page) =>
        pageIds.includes(page.id) ? { ...page, owners: page.owners.filter((owner) => !isRemoved(owner)) } : page,
      ),
    );
  },
  "pages.order.update": async (call) => {
    const orders = Object.entries(fieldsOf(fieldsOf(call.body).pageOrderMap)).map(([parent, ids]) => {
      const order = String(ids)
        .split(",")
        .map((id) => pageOf(call, id.trim()).id);
      return { parentId: parent === "0" ? null : pageOf(call, parent).id, order };
    });
    return await changed(call, (pages) => orders.reduce(ordered, pages));
  },
  "pages.cards.act": async (call) => {
    const page = pageOf(call);
    const cardId = idFrom(call.parameters.get("cardId") ?? "");
    await changed(call, (pages) =>
      pages.map((one) =>
        one.id === page.id && !one.cardIds.includes(cardId) ? { ...one, cardIds: [...one.cardIds, cardId] } : one,
      ),
    );
    return plain(200, "OK");
  },
  "pages.duplicate": async (call) => {
    const copy = await duplicated(call);
    const density = { compact: 8, standard: 8 };
    return ok({ id: String(copy.id), height: "DYNAMIC", isDynamic: true, density });
  },
  "pages.duplicateAsync": async (call) => {
    await duplicated(call);
    return plain(202, "");
  },
  "pages.shares.remove": async (call) => {
    const [type, id] = [call.parameters.get("type"), call.parameters.get("id")];
    const named = call.query
      .get("resourceIds")
      ?.split(",")
      .map((pageId) => pageOf(call, pageId.trim()).id);
    return await changed(call, (pages) =>
      pages.map((page) =>
        named === undefined || named.includes(page.id)
          ? { ...page, shares: page.shares.filter((share) => share.type !== type || share.id !== id) }
          : page,
      ),
    );
  },
  "pages.shares.list": async (call) => ok(sharesShape(pageOf(call))),
  "pages.navigation.get": async (call) => ({
    status: 200,
    contentType: "application/json",
    bytes: Buffer.from(navigationJson(call.file.state.pages, collectionsInHierarchy(call))),
  }),
  "pages.filterViews.get": async (call) => ok(wholeViewShape(viewOf(call))),
  "pages.filterViews.delete": async (call) => {
    const { id } = viewOf(call);
    await changePages(call, (state) => ({ filterViews: state.filterViews.filter((view) => view.id !== id) }));
    return plain(200, "");
  },
  "pages.filterViews.list": async (call) => {
    const { id } = pageOf(call);
    return ok(call.file.state.pages.filterViews.filter(({ pageId }) => pageId === id).map(viewShape));
  },
  "pages.analyzer.update": async (call) => {
    const page = pageOf(call);
    const views: FilterViewState[] = [];
    for (const body of Array.isArray(call.body) ? call.body : [call.body]) {
      views.push(await savedView(call, page.id, fieldsOf(body)));
    }
    const shapes = views.map(wholeViewShape);
    return ok(Array.isArray(call.body) ? shapes : shapes[0]);
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

/** A page by its id, for the reads of API description, 4.7. */
export function pageById(state: PagesState, id: string): unknown {
  const found = state.pages.find((page) => String(page.id) === id);
  return found === undefined ? undefined : pageShape(found);
}

/** With more than ten parents, returns nothing, like the real platform. */
function searched({ pages }: PagesState, body: Fields): readonly PageState[] {
  const parents = Array.isArray(body.parentPageIds) && body.includeParentPageIdsClause !== false;
  const parentIds = parents ? listIn(body.parentPageIds).map(String) : undefined;
  const owners = Array.isArray(body.ownerIds) && body.ownerIds.length > 0 ? body.ownerIds.map(String) : undefined;
  const text = String(body.pageTitleSearchText ?? "").toLowerCase();
  const order = body.ascending === false ? -1 : 1;
  if ((parentIds?.length ?? 0) > 10) {
    return [];
  }
  return pages
    .filter(({ title }) => title.toLowerCase().includes(text))
    .filter(({ parentId }) => parentIds === undefined || parentIds.includes(String(parentId)))
    .filter((page) => owners === undefined || page.owners.some(({ id }) => owners.includes(String(id))))
    .toSorted((left, right) => {
      switch (body.orderBy) {
        case "lastModified":
          return order * (left.updated - right.updated);
        case "createdTime":
          return order * (left.created - right.created);
        default:
          return order * left.title.localeCompare(right.title);
      }
    });
}

interface Order {
  readonly parentId: number | null;
  readonly order: readonly number[];
}

/** Changes the order of a parent's pages. Pages that are not in the order come last. */
function ordered(pages: readonly PageState[], { parentId, order }: Order): readonly PageState[] {
  const rank = ({ id }: PageState) => (order.includes(id) ? order.indexOf(id) : order.length);
  const children = pages
    .filter((page) => page.parentId === parentId)
    .toSorted((left, right) => rank(left) - rank(right));
  return [...pages.filter((page) => page.parentId !== parentId), ...children];
}

async function duplicated(call: PlatformCall): Promise<PageState> {
  const page = pageOf(call);
  const { pageTitle, parentPageId } = fieldsOf(call.body);
  const id = call.file.state.pages.nextId;
  const copy: PageState = {
    ...page,
    id,
    title: typeof pageTitle === "string" && pageTitle !== "" ? pageTitle : `Copy of ${page.title}`,
    parentId: parentPageId === undefined ? page.parentId : parentIn(call, parentPageId),
    owners: [{ id: userId, type: "USER" }],
    shares: [],
    cardIds: call.query.get("doNotDuplicateCards") === "true" ? [] : page.cardIds.map((_, index) => id + 1 + index),
    created: Date.now(),
    updated: Date.now(),
  };
  await changePages(call, (state) => ({ pages: [...state.pages, copy], nextId: id + 1 + page.cardIds.length }));
  return copy;
}

/** Changes the list of pages. */
export async function changed(
  call: PlatformCall,
  of: (pages: readonly PageState[]) => readonly PageState[],
): Promise<PlatformResponse> {
  await changePages(call, ({ pages }) => ({ pages: of(pages) }));
  return plain(200, "");
}

function plain(status: number, text: string): PlatformResponse {
  return { status, contentType: "text/plain", bytes: Buffer.from(text) };
}

function viewOf(call: PlatformCall): FilterViewState {
  const id = call.parameters.get("filterViewId");
  const found = call.file.state.pages.filterViews.find((view) => String(view.id) === id);
  if (found === undefined) {
    throw new ErrorResponse(404, `Filter view ${id} not found`);
  }
  return found;
}

/** The parent page in a body; the top level by default. */
function parentIn(call: PlatformCall, id: unknown): number | null {
  return id === undefined || id === null ? null : pageOf(call, id).id;
}

/** Saves a filter view: replaces the one with its id, or creates one. */
async function savedView(call: PlatformCall, pageId: number, body: Fields): Promise<FilterViewState> {
  const { analyzerId, name, scope, isDefault, ...settings } = body;
  const { filterViews, nextId } = call.file.state.pages;
  const known = filterViews.find(({ id }) => String(id) === String(analyzerId));
  const view: FilterViewState = {
    id: known?.id ?? nextId,
    pageId,
    name: typeof name === "string" ? name : (known?.name ?? "Page filters"),
    scope: scope === "USER" ? "USER" : (known?.scope ?? "PAGE"),
    isDefault: typeof isDefault === "boolean" ? isDefault : (known?.isDefault ?? false),
    settings: { ...known?.settings, ...settings },
  };
  await changePages(call, (state) => ({
    filterViews: [...state.filterViews.filter(({ id }) => id !== view.id), view],
    nextId: Math.max(state.nextId, view.id + 1),
  }));
  return view;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function wholeNumber(value: unknown): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) {
    throw new ErrorResponse(400, `${String(value)} is not a number`);
  }
  return number;
}
