import { acceptedPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { deleteContent, getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { hasStatus, PlatformError } from "../http/errors.ts";
import { phrase } from "../phrase.ts";
import { childrenOf } from "./children.ts";
import { inParallel } from "./concurrency.ts";
import { listRecursively } from "./listing.ts";

export interface DeleteProgress {
  readonly onDeleted?: (path: string) => void;
}

/**
 * Deletes an item of any size: with one DELETE if the server deletes whole folders, otherwise its children first, with
 * up to five parallel requests. Errors name the remaining items.
 */
export async function deleteTree(
  client: ContentClient,
  path: string,
  options: CallOptions & DeleteProgress = {},
): Promise<void> {
  const target = acceptedPath(path, "path", phrase`Can't delete ${path}`, deleteContent.id);
  try {
    await client.call(deleteContent, { path: target }, options);
    return;
  } catch (error) {
    if (!hasStatus(error, 400)) {
      throw error;
    }
    if (!(await hasChildren(client, target, options))) {
      throw error;
    }
  }
  const items = await listRecursively(client, { ...options, contentPath: target, excludeHidden: false, skip: [] });
  const files = items.filter((item) => item.type !== "directory");
  const folders = items.filter((item) => item.type === "directory");
  const remaining = new Set(items.map((item) => item.path));
  const remove = async (item: ContentItem): Promise<void> => {
    try {
      await client.call(deleteContent, { path: item.path }, options);
    } catch (error) {
      if (!hasStatus(error, 404)) {
        throw error;
      }
    }
    remaining.delete(item.path);
    options.onDeleted?.(item.path);
  };
  try {
    await inParallel(files, remove);
    for (const level of byDepth(folders)) {
      await inParallel(level, remove);
    }
  } catch (error) {
    if (error instanceof PlatformError) {
      const left = [...remaining].sort();
      const named = left.slice(0, 10).join(", ");
      const all = left.length > 10 ? phrase`${named} and ${left.length - 10} more` : named;
      throw error.withRemark(
        phrase`${items.length - left.length} of ${items.length} items deleted. Remaining: ${all}.`,
      );
    }
    throw error;
  }
}

/**
 * Also false if the server doesn't return the item, for example because it is hidden. The response to the DELETE is
 * more precise in that case.
 */
async function hasChildren(client: ContentClient, path: string, options: CallOptions): Promise<boolean> {
  try {
    const item = await client.call(getContent, { path, content: 1 }, options);
    return item.type === "directory" && childrenOf(item).length > 0;
  } catch (error) {
    if (hasStatus(error, 404)) {
      return false;
    }
    throw error;
  }
}

function depth(path: string): number {
  return path.split("/").length;
}

function byDepth(folders: readonly ContentItem[]): readonly (readonly ContentItem[])[] {
  const levels = Map.groupBy(folders, (folder) => depth(folder.path));
  return [...levels.entries()].sort(([a], [b]) => b - a).map(([, level]) => level);
}
