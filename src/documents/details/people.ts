import { allGroups, allUsers } from "../../api/people.ts";
import type { PlatformClient } from "../../api/workspaces.ts";

const keptFor = 5 * 60_000;
/** Enough to name everybody of a large tenant; whoever comes after is called by the id. */
const mostNames = 20_000;

interface Known {
  readonly until: number;
  readonly names: Promise<ReadonlyMap<string, string>>;
}

const knownUsers = new Map<string, Known>();
const knownGroups = new Map<string, Known>();

/** The names of a tenant's users by id, read once in five minutes; empty where the tenant does not list them. */
export function peopleNames(client: PlatformClient, tenantId: string): Promise<ReadonlyMap<string, string>> {
  return kept(knownUsers, tenantId, () => allUsers(client));
}

/** The names of a tenant's groups by id. */
export function groupNames(client: PlatformClient, tenantId: string): Promise<ReadonlyMap<string, string>> {
  return kept(knownGroups, tenantId, () => allGroups(client));
}

function kept(
  known: Map<string, Known>,
  tenantId: string,
  read: () => AsyncIterable<readonly { readonly id: string; readonly name: string }[]>,
): Promise<ReadonlyMap<string, string>> {
  const before = known.get(tenantId);
  if (before !== undefined && before.until > Date.now()) {
    return before.names;
  }
  const names = namesFrom(read()).catch((): ReadonlyMap<string, string> => {
    known.delete(tenantId);
    return new Map();
  });
  known.set(tenantId, { until: Date.now() + keptFor, names });
  return names;
}

async function namesFrom(
  pages: AsyncIterable<readonly { readonly id: string; readonly name: string }[]>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const page of pages) {
    for (const { id, name } of page) {
      names.set(id, name);
    }
    if (names.size >= mostNames) {
      break;
    }
  }
  return names;
}
