import { userId } from "../seed/organization.ts";
import type { PageState } from "../seed/pages.ts";
import { ErrorResponse, type Fields, fieldsOf, ok, type PlatformHandler } from "./handler.ts";
import { changePages, idsIn, pageOf } from "./page-lookup.ts";
import { pageShape } from "./page-shapes.ts";
import { changed } from "./pages.ts";

/** The platform's handlers for changes of pages that the API description doesn't have. */
export const pageChangeHandlers = {
  "pages.create": async (call) => {
    const { title, parentPageId } = fieldsOf(call.body);
    const isTop = parentPageId === undefined || String(parentPageId) === "0";
    const parentId = isTop ? null : pageOf(call, parentPageId).id;
    const siblings = call.file.state.pages.pages.filter((page) => page.parentId === parentId);
    if (siblings.some((page) => page.title === title)) {
      throw new ErrorResponse(409, `There is a page ${String(title)} already.`);
    }
    const now = Date.now();
    const page: PageState = {
      id: call.file.state.pages.nextId,
      title: String(title),
      parentId,
      owners: [{ id: userId, type: "USER" }],
      shares: [],
      locked: false,
      cardIds: [],
      created: now,
      updated: now,
    };
    await changePages(call, ({ pages }) => ({ pages: [...pages, page], nextId: page.id + 1 }));
    return ok({ ...pageShape(page), parentPageId: parentId, ownerId: userId });
  },
  "pages.delete": async (call) => {
    const { id } = pageOf(call);
    if (call.file.state.pages.pages.some(({ parentId }) => parentId === id)) {
      throw new ErrorResponse(409, "The page has subpages.");
    }
    await changePages(call, ({ filterViews }) => ({ filterViews: filterViews.filter(({ pageId }) => pageId !== id) }));
    return await changed(call, (pages) => pages.filter((page) => page.id !== id));
  },
  "pages.shares.add": async (call) => {
    const { resources, recipients } = fieldsOf(call.body);
    const shared = entriesOf(resources).map(({ type, id }) => {
      if (type !== "page") {
        throw new ErrorResponse(400, `The sample tenant can't share a ${String(type)}.`);
      }
      return pageOf(call, id).id;
    });
    const added = entriesOf(recipients).map(({ type, id }) => ({ type: String(type), id: String(id) }));
    return await changed(call, (pages) =>
      pages.map((page) => {
        const isNew = (share: { readonly type: string; readonly id: string }) =>
          !page.shares.some(({ type, id }) => type === share.type && id === share.id);
        return shared.includes(page.id) ? { ...page, shares: [...page.shares, ...added.filter(isNew)] } : page;
      }),
    );
  },
  "pages.shares.revoke": async (call) => {
    const { id } = pageOf(call);
    const userId = call.parameters.get("userId");
    return await changed(call, (pages) =>
      pages.map((page) =>
        page.id === id
          ? { ...page, shares: page.shares.filter((share) => share.type !== "user" || share.id !== userId) }
          : page,
      ),
    );
  },
  "pages.owners.add": async (call) => {
    const { owners, pageIds } = fieldsOf(call.body);
    const ids = idsIn(pageIds).map((id) => pageOf(call, id).id);
    const added = entriesOf(owners).map(({ id, type }) => ({
      id: Number(id),
      type: type === "GROUP" ? ("GROUP" as const) : ("USER" as const),
    }));
    return await changed(call, (pages) =>
      pages.map((page) => {
        const isNew = (owner: (typeof added)[number]) =>
          !page.owners.some(({ type, id }) => type === owner.type && id === owner.id);
        return ids.includes(page.id) ? { ...page, owners: [...page.owners, ...added.filter(isNew)] } : page;
      }),
    );
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

function entriesOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
