import type { PlatformClient } from "../../api/client/client.ts";
import { allGroups } from "../../api/families/people.ts";

const keptFor = 10 * 60_000;
/** Enough for every group of a large tenant. Any other groups are shown with their ids. */
const mostNames = 20_000;

interface Known {
  readonly until: number;
  readonly names: Promise<ReadonlyMap<string, string>>;
}

const known = new Map<string, Known>();

/** The names of a tenant's groups by id, cached for ten minutes; empty if the tenant does not list them. */
export function groupNames(client: PlatformClient, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const before = known.get(tenantId);
  if (before !== undefined && before.until > Date.now()) {
    return before.names;
  }
  const names = readNames(client).catch((): ReadonlyMap<string, string> => {
    known.delete(tenantId);
    return new Map();
  });
  known.set(tenantId, { until: Date.now() + keptFor, names });
  return names;
}

async function readNames(client: PlatformClient): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const page of allGroups(client)) {
    for (const { id, name } of page) {
      names.set(id, name);
    }
    if (names.size >= mostNames) {
      break;
    }
  }
  return names;
}
