import type { AccountValue } from "../../api/client/account-scope.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { userEntries } from "../../api/families/people.ts";

/** Maximum number of users that are searched for a name. */
const maxUsers = 5_000;
const retentionMs = 10 * 60_000;

interface UserNames {
  readonly names: Map<string, string>;
  /** Ids that are not in the user list. */
  readonly unknown: Set<string>;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

const userNamesOfAccount: AccountValue<UserNames> = {
  create: () => ({ names: new Map(), unknown: new Set(), expiresAt: Date.now() + retentionMs }),
};

/**
 * The names of users by id, cached for the account for ten minutes. Users who are not in the user list are missing; empty
 * if the list can't be read.
 */
export async function userNames(
  client: PlatformClient,
  ids: Iterable<string | number | null | undefined>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { names, unknown } = current(client.account.get(userNamesOfAccount));
  const missing = new Set([...ids].map((id) => String(id ?? "")).filter((id) => id !== ""));
  const removeKnown = (): void => {
    for (const id of missing) {
      if (names.has(id) || unknown.has(id)) {
        missing.delete(id);
      }
    }
  };
  removeKnown();
  try {
    let looked = 0;
    for await (const users of missing.size === 0 ? [] : userEntries(client, signal === undefined ? {} : { signal })) {
      for (const { id, displayName } of users) {
        if (typeof displayName === "string" && displayName !== "") {
          names.set(String(id), displayName);
        }
      }
      removeKnown();
      looked += users.length;
      if (missing.size === 0 || looked >= maxUsers) {
        break;
      }
    }
    for (const id of missing) {
      unknown.add(id);
    }
  } catch {
    // Without permission to read the user list, users are shown with their ids.
  }
  return names;
}

/** The cache, empty if it has expired. */
function current(cache: UserNames): UserNames {
  if (cache.expiresAt <= Date.now()) {
    cache.names.clear();
    cache.unknown.clear();
    cache.expiresAt = Date.now() + retentionMs;
  }
  return cache;
}
