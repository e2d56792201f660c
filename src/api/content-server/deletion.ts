import { acceptedPath, isWithin, parentOf } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { deleteContent, getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { hasStatus, PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { childrenOf } from "./children.ts";
import { inParallel } from "./concurrency.ts";
import type { FolderLinks, LeftOut } from "./folder-walk.ts";
import { reasonAgainstFolder, twinAmong } from "./link-check.ts";
import { listRecursively } from "./listing.ts";

export interface DeleteProgress {
  readonly onDeleted?: (path: string) => void;
  /** Finds out which items of the folder are links; undefined if it can't. Called only if it matters. */
  readonly linksIn?: ((folder: string) => Promise<FolderLinks | undefined>) | undefined;
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
  let refusal: PlatformError;
  try {
    await client.call(deleteContent, { path: target }, options);
    return;
  } catch (error) {
    if (!hasStatus(error, 400)) {
      throw error;
    }
    refusal = withTrashRemedy(error);
  }
  if (isAboutTrash(refusal) || !(await checked(target, hasChildren(client, target, options)))) {
    throw refusal;
  }
  const items = await itemsWithoutLinks(client, target, refusal, options);
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
 * The items of a folder that the server doesn't delete with its content. Throws if the folder, or a folder in it, is or
 * might be a link, because deleting its content would delete that of another folder. Nothing is deleted then.
 */
async function itemsWithoutLinks(
  client: ContentClient,
  target: string,
  refusal: PlatformError,
  options: CallOptions & DeleteProgress,
): Promise<readonly ContentItem[]> {
  const refused = (path: string, reason: Text): PlatformError =>
    refusal.with({
      entity: target,
      failure: phrase`Can't delete ${target}`,
      reason: phrase`the server deletes only empty folders, and of ${path}: ${reason}`,
      remedy: phrase`Nothing was deleted. To delete a link, or a folder with links, run rm in a terminal of the workspace.`,
    });
  const known = await options.linksIn?.(target);
  const link = known?.isLink ? target : known?.links.find(({ isDirectory }) => isDirectory)?.path;
  if (link !== undefined) {
    throw refused(link, phrase`it is a link to another folder`);
  }
  const leftOut: LeftOut[] = [];
  const folders: ContentItem[] = [];
  const elsewhere: ContentItem[] = [];
  const listing = listRecursively(client, {
    ...options,
    contentPath: target,
    // Links to files are deleted themselves.
    links: known && { ...known, links: [] },
    excludeHidden: false,
    skip: [],
    onFolder: (folder) => folders.push(folder),
    onFolderAbove: ({ children }) => {
      for (const child of children) {
        if (child.type === "directory" && !isWithin(target, child.path)) {
          elsewhere.push(child);
        }
      }
    },
    onLeftOut: (left) => leftOut.push(left),
  });
  const items = await checked(target, listing);
  const [first] = leftOut;
  if (first !== undefined) {
    throw refused(first.path, first.reason);
  }
  if (known !== undefined) {
    return items;
  }
  const twin = await checked(target, twinAmong(client, folders, elsewhere, options));
  if (twin !== undefined) {
    const { folder, other } = twin;
    throw refused(folder, phrase`it has the times and the content of ${other}, so it seems to be a link to it`);
  }
  const parents = new Set(items.filter(({ path }) => path !== target).map(({ path }) => parentOf(path)));
  // Parents first, so that nothing is created below a link.
  for (const level of byDepth(folders.filter(({ path }) => parents.has(path))).toReversed()) {
    await inParallel(level, async (folder) => {
      const reason = await checked(target, reasonAgainstFolder(client, folder, options));
      if (reason !== undefined) {
        throw refused(folder.path, reason);
      }
    });
  }
  return items;
}

/** A check before a folder is deleted. Its error is about the deletion, and says that nothing was deleted. */
async function checked<T>(target: string, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    const failure = { failure: phrase`Can't delete ${target}`, entity: target, operationWord: "delete" };
    throw error instanceof PlatformError ? error.with(failure).withRemark(phrase`Nothing was deleted.`) : error;
  }
}

/** True if the server couldn't move the item to its trash, for example because that is on another disk. */
function isAboutTrash({ serverMessage }: PlatformError): boolean {
  return /trash/i.test(serverMessage ?? "");
}

function withTrashRemedy(error: PlatformError): PlatformError {
  return isAboutTrash(error)
    ? error.with({
        reason: phrase`the server couldn't move it to its trash`,
        remedy: phrase`To delete it without the trash, run rm in a terminal of the workspace.`,
      })
    : error;
}

/**
 * Also false if the server doesn't return the item, for example because it is hidden. The response to the DELETE is
 * more precise in that case.
 */
async function hasChildren(client: ContentClient, path: string, options: CallOptions): Promise<boolean> {
  try {
    const item = await client.call(getContent, { path, content: 1 }, options);
    return item.type === "directory" && childrenOf(item, path).length > 0;
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
