import type { PlatformClient } from "../../api/client/client.ts";
import { removeShare } from "../../api/families/pages/pages.ts";
import { PlatformError } from "../../api/http/errors.ts";
import { phrase } from "../../api/phrase.ts";
import { namesOf } from "../../ui/quick-input/people-picker.ts";

/** A user, group, or domain that pages are shared with. */
export interface Share {
  readonly type: "user" | "group" | "domain";
  readonly id: string;
  readonly name: string;
}

/**
 * Stops sharing pages with users, groups, or domains, with one request each. If a request fails, the error lists those
 * that were already removed, and the others.
 */
export async function removeShares(
  client: PlatformClient,
  shares: readonly Share[],
  pageIds: readonly string[],
): Promise<void> {
  for (const [done, { type, id }] of shares.entries()) {
    try {
      await removeShare(client, { type, id, pageIds });
    } catch (error) {
      const [removed, left] = [shares.slice(0, done), shares.slice(done)];
      throw error instanceof PlatformError && removed.length > 0
        ? error.withRemark(
            phrase`Sharing with ${namesOf(removed)} was removed. Sharing with ${namesOf(left)} may still exist.`,
          )
        : error;
    }
  }
}
