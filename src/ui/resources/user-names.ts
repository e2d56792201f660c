import type { PlatformClient } from "../../api/client/client.ts";
import { userEntries } from "../../api/families/people.ts";

/** Maximum number of users that are searched for a name. */
const mostUsers = 5_000;
const keptFor = 10 * 60 * 1000;

interface Known {
  readonly names: Map<string, string>;
  readonly until: number;
  /** Ids that are not in the user list. */
  readonly unknown: Set<string>;
}

const known = new Map<string, Known>();

/**
 * The names of users by id, cached for ten minutes. Users who are not in the user list are missing; empty if the list
 * can't be read.
 */
export async function userNames(
  client: PlatformClient,
  tenantId: string,
  ids: Iterable<string | number | null | undefined>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const kept = keptOf(tenantId);
  const { names, unknown } = kept;
  const missing = new Set([...ids].map((id) => String(id ?? "")).filter((id) => id !== ""));
  const settle = (): void => {
    for (const id of missing) {
      if (names.has(id) || unknown.has(id)) {
        missing.delete(id);
      }
    }
  };
  settle();
  try {
    let looked = 0;
    for await (const users of missing.size === 0 ? [] : userEntries(client, signal === undefined ? {} : { signal })) {
      for (const { id, displayName } of users) {
        if (typeof displayName === "string" && displayName !== "") {
          names.set(String(id), displayName);
        }
      }
      settle();
      looked += users.length;
      if (missing.size === 0 || looked >= mostUsers) {
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

function keptOf(tenantId: string): Known {
  const kept = known.get(tenantId);
  if (kept !== undefined && kept.until > Date.now()) {
    return kept;
  }
  const fresh: Known = { names: new Map(), unknown: new Set(), until: Date.now() + keptFor };
  known.set(tenantId, fresh);
  return fresh;
}
