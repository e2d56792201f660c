import type { AppAccess, AppSummary, AppView } from "../catalogue/models/app-studio.ts";
import { getAppAccess, getAppContents, searchApps } from "../catalogue/operations/app-studio.ts";
import { everyPage } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { isMissingOperation } from "../client/missing-operation.ts";
import type { Principal } from "./people.ts";

/** Apps per request. */
export const appPageSize = 30;

/** A part of the list of apps. `hasOperation` is false on a platform that doesn't list apps. */
export interface AppPage {
  readonly apps: readonly AppSummary[];
  readonly hasMore: boolean;
  readonly total: number | undefined;
  readonly hasOperation: boolean;
}

/** Reads apps whose titles contain a text, sorted by title. */
export async function readApps(
  client: PlatformClient,
  { text, offset }: { readonly text: string; readonly offset: number },
  options: CallOptions = {},
): Promise<AppPage> {
  const body = {
    orderBy: "title",
    ascending: true,
    ...(text === "" ? {} : { includeTitleClause: true, titleSearchText: text }),
  };
  try {
    const response = await client.call(searchApps, { limit: appPageSize, skip: offset, body }, options);
    const apps = response.dataAppAdminSummaries ?? [];
    const total = response.totalDataAppCount ?? undefined;
    const end = offset + apps.length;
    const hasMore = apps.length > 0 && (total === undefined ? apps.length === appPageSize : end < total);
    return { apps, hasMore, total, hasOperation: true };
  } catch (error) {
    if (isMissingOperation(searchApps, error)) {
      return { apps: [], hasMore: false, total: undefined, hasOperation: false };
    }
    throw error;
  }
}

/** All apps whose titles contain a text, page by page; none on a platform that doesn't list apps. */
export function allApps(
  client: PlatformClient,
  text: string,
  options: CallOptions = {},
): AsyncGenerator<readonly AppSummary[]> {
  return everyPage<AppSummary>({
    pageSize: appPageSize,
    keyOf: ({ dataAppId }) => dataAppId,
    fetch: async (offset) => {
      const { apps, total } = await readApps(client, { text, offset }, options);
      return { items: apps, ...(total === undefined ? {} : { total }) };
    },
  });
}

/** The views of an app, in its order. */
export async function readAppViews(
  client: PlatformClient,
  appId: string,
  options: CallOptions = {},
): Promise<readonly AppView[]> {
  return (await client.call(getAppContents, { appId }, options)).viewDetails ?? [];
}

/** The users and groups that can see an app, users first. Entries without an id are left out. */
export async function readAppAccess(
  client: PlatformClient,
  appId: string,
  options: CallOptions = {},
): Promise<readonly Principal[]> {
  const { users, groups } = await client.call(getAppAccess, { appId }, options);
  return [...principalsOf("USER", users), ...principalsOf("GROUP", groups)];
}

function principalsOf(type: Principal["type"], entries: AppAccess["users"]): readonly Principal[] {
  return (entries ?? []).flatMap(({ id, displayName, name }) =>
    id === null || id === undefined ? [] : [{ type, id: String(id), name: displayName ?? name ?? String(id) }],
  );
}
