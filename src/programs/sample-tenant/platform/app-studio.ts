import type { AppShareState, AppState } from "../seed/app-studio.ts";
import { groupEntries, personOf } from "../seed/organization.ts";
import { ErrorResponse, type Fields, fieldsOf, ok, type PlatformCall, type PlatformHandler } from "./handler.ts";

const defaultLimit = 30;

/** The platform's handlers for App Studio apps, which the API description doesn't have. */
export const appStudioHandlers = {
  "appStudio.apps.search": async (call) => {
    const { titleSearchText, ascending } = fieldsOf(call.body);
    const text = String(titleSearchText ?? "").toLowerCase();
    const direction = ascending === false ? -1 : 1;
    const found = call.file.state.apps
      .filter(({ title }) => title.toLowerCase().includes(text))
      .toSorted((a, b) => direction * a.title.localeCompare(b.title));
    const skip = Number(call.query.get("skip") ?? 0);
    const limit = Number(call.query.get("limit") ?? defaultLimit);
    const end = skip + limit;
    return ok({
      dataAppAdminSummaries: found.slice(skip, end).map(summaryEntry),
      nextOffset: end < found.length ? end : null,
      totalDataAppCount: found.length,
    });
  },
  "appStudio.apps.get": async (call) => {
    const app = appOf(call);
    const viewDetails = app.views.map(({ id, title, cards }) => ({
      viewId: id,
      viewTitle: title,
      cardTitles: cards.map((card, index) => ({ cardId: id * 10 + index, title: card })),
    }));
    return ok({ access: accessEntry(app), viewDetails });
  },
  "appStudio.access.get": async (call) => ok(accessEntry(appOf(call))),
  "appStudio.shares.add": async (call) => {
    const { dataAppIds, recipients } = fieldsOf(call.body);
    const ids = (Array.isArray(dataAppIds) ? dataAppIds : []).map((id) => appOf(call, id).id);
    const added = (Array.isArray(recipients) ? recipients : [])
      .map(fieldsOf)
      .map(({ type, id }): AppShareState => ({ type: type === "group" ? "group" : "user", id: String(id) }));
    await call.file.change((state) => ({
      ...state,
      apps: state.apps.map((app) => (ids.includes(app.id) ? { ...app, shares: merged(app.shares, added) } : app)),
    }));
    return { status: 204 };
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

function appOf(call: PlatformCall, id: unknown = call.parameters.get("appId")): AppState {
  const found = call.file.state.apps.find((app) => String(app.id) === String(id));
  if (found === undefined) {
    throw new ErrorResponse(404, `App ${String(id)} not found`);
  }
  return found;
}

function merged(before: readonly AppShareState[], added: readonly AppShareState[]): readonly AppShareState[] {
  const isNew = ({ type, id }: AppShareState): boolean => !before.some((one) => one.type === type && one.id === id);
  return [...before, ...added.filter(isNew)];
}

function summaryEntry({ id, title, ownerId, locked, updated, views }: AppState): Fields {
  return {
    dataAppId: id,
    title,
    lastUpdated: updated,
    locked,
    owners: [{ id: ownerId, type: "USER", displayName: personOf(ownerId).name }],
    viewCount: views.length,
  };
}

function accessEntry({ shares }: AppState): Fields {
  const users = shares.filter(({ type }) => type === "user");
  const groups = shares.filter(({ type }) => type === "group");
  return {
    totalUserCount: users.length,
    users: users.map(({ id }) => ({ id: Number(id), displayName: personOf(Number(id)).name, type: "USER" })),
    groups: groups.map(({ id }) => ({ id: Number(id), name: groupName(id), type: "GROUP" })),
  };
}

function groupName(id: string): string {
  return String(groupEntries().find((group) => String(group.id ?? group.groupId) === id)?.name ?? `Group ${id}`);
}
