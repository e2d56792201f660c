import type { AnswerOf } from "../catalogue/operation.ts";
import { listGroups, listUsers } from "../catalogue/operations/users.ts";
import { everyPage } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";

/** A user or a group: what access is given to. */
export interface Principal {
  readonly type: "USER" | "GROUP";
  readonly id: string;
  readonly name: string;
  /** The address under which a user signs in. */
  readonly email?: string;
}

/** Asked for at a time; a platform that does not page answers with all. */
const pageSize = 200;

/** All users, a page at a time (API description, 4.7); one without a name is called by the address. */
export async function* allUsers(
  client: PlatformClient,
  options: CallOptions = {},
): AsyncGenerator<readonly Principal[]> {
  const pages = everyPage<AnswerOf<typeof listUsers>[number]>({
    pageSize,
    keyOf: ({ id }) => id,
    fetch: async (offset) => ({ items: await client.call(listUsers, { limit: pageSize, offset }, options) }),
  });
  for await (const page of pages) {
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
    fetch: async (offset) => ({ items: await client.call(listGroups, { limit: pageSize, offset }, options) }),
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
