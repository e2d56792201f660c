import type { ResponseOf } from "../catalogue/operation.ts";
import { listGroups, listUsers } from "../catalogue/operations/users.ts";
import { everyPage, type Page } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";

/** A user or group that can be given access. */
export interface Principal {
  readonly type: "USER" | "GROUP";
  readonly id: string;
  readonly name: string;
  /** The email address with which a user signs in. */
  readonly email?: string;
}

/** Items per request if the platform is known to support paging. Other platforms return all items. */
const pageSize = 200;

type PeopleOperation = typeof listUsers | typeof listGroups;

/** A page of a list; the entire list if the platform is not known to support paging (API description, 4.7). */
async function readPage<Operation extends PeopleOperation>(
  client: PlatformClient,
  operation: Operation,
  offset: number,
  options: CallOptions,
): Promise<Page<ResponseOf<Operation>[number]>> {
  if (client.accepts(operation, "offset")) {
    return { items: await client.call<PeopleOperation>(operation, { limit: pageSize, offset }, options) };
  }
  const items = await client.call<PeopleOperation>(operation, {}, options);
  return { items, total: items.length };
}

/** The platform's user entries, page by page (API description, 4.7). */
export function userEntries(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly ResponseOf<typeof listUsers>[number][]> {
  return everyPage<ResponseOf<typeof listUsers>[number]>({
    pageSize,
    keyOf: ({ id }) => id,
    fetch: (offset) => readPage(client, listUsers, offset, options),
  });
}

/** All users with an id, page by page (API description, 4.7). */
export async function* allUsers(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly Principal[]> {
  for await (const page of userEntries(client, options)) {
    yield page.filter(({ id }) => id !== undefined && id !== null).map(principalOf);
  }
}

/** Converts an entry of the platform's user list. The email address replaces a missing name. */
export function principalOf(user: ResponseOf<typeof listUsers>[number]): Principal {
  const { id, displayName, userName, emailAddress, detail } = user;
  const email = optionalText(emailAddress) ?? optionalText(detail?.email) ?? optionalText(userName);
  const name = optionalText(displayName) ?? email ?? String(id);
  return { type: "USER", id: String(id), name, ...(email === undefined ? {} : { email }) };
}

/** All groups, page by page (API description, 4.7). */
export async function* allGroups(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly Principal[]> {
  const pages = everyPage<ResponseOf<typeof listGroups>[number]>({
    pageSize,
    keyOf: ({ id, groupId }) => id ?? groupId,
    fetch: (offset) => readPage(client, listGroups, offset, options),
  });
  for await (const page of pages) {
    yield page.flatMap(({ id, groupId, name }): readonly Principal[] => {
      const known = id ?? groupId ?? undefined;
      return known === undefined
        ? []
        : [{ type: "GROUP", id: String(known), name: optionalText(name) ?? String(known) }];
    });
  }
}

/** All users, then all groups, page by page (API description, 4.7). */
export async function* usersAndGroups(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly Principal[]> {
  yield* allUsers(client, options);
  yield* allGroups(client, options);
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
