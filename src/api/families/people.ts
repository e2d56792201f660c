import type { AnswerOf } from "../catalogue/operation.ts";
import { listGroups, listUsers } from "../catalogue/operations/users.ts";
import { everyPage, type Page } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";

/** A user or a group: what access is given to. */
export interface Principal {
  readonly type: "USER" | "GROUP";
  readonly id: string;
  readonly name: string;
  /** The address under which a user signs in. */
  readonly email?: string;
}

/** Asked for at a time, where the platform is known to page its lists; others answer with all. */
const pageSize = 200;

type PeopleOperation = typeof listUsers | typeof listGroups;

/** One page of a list, or all of it at once where the API description (4.7) is all that is known of the platform. */
async function readPage<Operation extends PeopleOperation>(
  client: PlatformClient,
  operation: Operation,
  offset: number,
  options: CallOptions,
): Promise<Page<AnswerOf<Operation>[number]>> {
  if (client.takes(operation, "offset")) {
    return { items: await client.call<PeopleOperation>(operation, { limit: pageSize, offset }, options) };
  }
  const items = await client.call<PeopleOperation>(operation, {}, options);
  return { items, total: items.length };
}

/** The users as the platform lists them, a page at a time (API description, 4.7). */
export function userEntries(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly AnswerOf<typeof listUsers>[number][]> {
  return everyPage<AnswerOf<typeof listUsers>[number]>({
    pageSize,
    keyOf: ({ id }) => id,
    fetch: (offset) => readPage(client, listUsers, offset, options),
  });
}

/** All users, a page at a time (API description, 4.7); one without a name is called by the address. */
export async function* allUsers(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly Principal[]> {
  for await (const page of userEntries(client, options)) {
    yield page.map(({ id, displayName, userName, emailAddress, detail }): Principal => {
      const email = textOf(emailAddress) ?? textOf(detail?.email) ?? textOf(userName);
      const name = textOf(displayName) ?? email ?? String(id);
      return { type: "USER", id: String(id), name, ...(email === undefined ? {} : { email }) };
    });
  }
}

/** All groups, a page at a time (API description, 4.7). */
export async function* allGroups(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly Principal[]> {
  const pages = everyPage<AnswerOf<typeof listGroups>[number]>({
    pageSize,
    keyOf: ({ id, groupId }) => id ?? groupId,
    fetch: (offset) => readPage(client, listGroups, offset, options),
  });
  for await (const page of pages) {
    yield page.flatMap(({ id, groupId, name }): readonly Principal[] => {
      const known = id ?? groupId ?? undefined;
      return known === undefined ? [] : [{ type: "GROUP", id: String(known), name: textOf(name) ?? String(known) }];
    });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
