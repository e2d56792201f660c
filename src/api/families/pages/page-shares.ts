import { listPageShares } from "../../catalogue/operations/pages.ts";
import type { CallOptions, PlatformClient } from "../../client/client.ts";
import { isMissingOperation } from "../../client/missing-operation.ts";
import { inParallel } from "../../content-server/concurrency.ts";
import { hasStatus } from "../../http/errors.ts";

/** A user or group that at least one of the pages is shared with. */
export interface KnownShare {
  readonly type: "user" | "group";
  readonly id: string;
  /** Undefined if the platform doesn't return a name. */
  readonly name: string | undefined;
  /** Number of pages that are shared with it. */
  readonly pages: number;
}

/**
 * Lists the users and groups that any of the pages is shared with. Sends one request per page. Undefined if the
 * platform doesn't list them, or not for the signed-in user. The API description has no such operation.
 */
export async function sharesOf(
  client: PlatformClient,
  pageIds: readonly string[],
  options: CallOptions = {},
): Promise<readonly KnownShare[] | undefined> {
  const shares = new Map<string, KnownShare>();
  const add = (
    type: KnownShare["type"],
    id: string | number | null | undefined,
    name: string | null | undefined,
  ): void => {
    if (id === null || id === undefined) {
      return;
    }
    const key = `${type}/${id}`;
    const before = shares.get(key);
    shares.set(key, { type, id: String(id), name: before?.name ?? name ?? undefined, pages: (before?.pages ?? 0) + 1 });
  };
  try {
    await inParallel(pageIds, async (pageId) => {
      const { users, groups } = await client.call(listPageShares, { pageId }, options);
      for (const user of users ?? []) {
        add("user", user.id, user.displayName);
      }
      for (const group of groups ?? []) {
        add("group", group.id, group.name ?? group.displayName);
      }
    });
  } catch (error) {
    if (isMissingOperation(listPageShares, error) || hasStatus(error, 403)) {
      return undefined;
    }
    throw error;
  }
  return [...shares.values()];
}
