import { LRUCache } from "lru-cache";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { allGroups } from "../../api/families/people.ts";

const retentionMs = 10 * 60_000;
/** Enough for every group of a large tenant. Any other groups are shown with their ids. */
const maxNames = 20_000;

type GroupNames = ReadonlyMap<string, string>;

const groupNamesOfAccount: AccountValue<LRUCache<"all", GroupNames, PlatformClient>> = {
  create: () =>
    new LRUCache({ max: 1, ttl: retentionMs, fetchMethod: (_, __, { context: client }) => readNames(client) }),
};

/** The names of a tenant's groups by id, cached for the account for ten minutes; empty if they can't be listed. */
export async function groupNames(client: PlatformClient): Promise<GroupNames> {
  try {
    return await client.account.get(groupNamesOfAccount).forceFetch("all", { context: client });
  } catch {
    return new Map();
  }
}

async function readNames(client: PlatformClient): Promise<GroupNames> {
  const names = new Map<string, string>();
  for await (const page of allGroups(client)) {
    for (const { id, name } of page) {
      names.set(id, name);
    }
    if (names.size >= maxNames) {
      break;
    }
  }
  return names;
}
