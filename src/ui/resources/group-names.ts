import type { AccountValue } from "../../api/client/account-scope.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { allGroups } from "../../api/families/people.ts";

const retentionMs = 10 * 60_000;
/** Enough for every group of a large tenant. Any other groups are shown with their ids. */
const maxNames = 20_000;

interface GroupNames {
  pending: Promise<ReadonlyMap<string, string>> | undefined;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

const groupNamesOfAccount: AccountValue<GroupNames> = { create: () => ({ pending: undefined, expiresAt: 0 }) };

/** The names of a tenant's groups by id, cached for the account for ten minutes; empty if they can't be listed. */
export function groupNames(client: PlatformClient): Promise<ReadonlyMap<string, string>> {
  const cache = client.account.get(groupNamesOfAccount);
  if (cache.pending !== undefined && cache.expiresAt > Date.now()) {
    return cache.pending;
  }
  const pending = readNames(client).catch((): ReadonlyMap<string, string> => {
    cache.pending = undefined;
    return new Map();
  });
  cache.pending = pending;
  cache.expiresAt = Date.now() + retentionMs;
  return pending;
}

async function readNames(client: PlatformClient): Promise<ReadonlyMap<string, string>> {
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
