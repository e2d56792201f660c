import { setTimeout } from "node:timers/promises";
import { parentOf } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { createContent, deleteContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { hasStatus, mayHaveHappened, PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { childrenOf } from "./children.ts";
import { contentKey } from "./folder-walk.ts";
import { getItem } from "./item-reading.ts";

/** How often an empty file is created to see a folder's time change, which on some disks takes a few milliseconds. */
const attempts = 3;
/** Milliseconds after which a server that reports whole seconds shows another time. */
const nextSecond = 1_100;

/**
 * Checks that a folder with content is not a link, before its content is deleted. Takes the folder as it was read itself,
 * not as an entry of another listing. Resolves with undefined if it isn't a link, and otherwise with the reason why it is
 * or might be one.
 *
 * The content API doesn't show links. But a server reports the time of a link itself, which stays the same when an item
 * is created in the folder that the link leads to, while the time of a folder changes. So the check creates an empty
 * file in the folder, and removes it at once.
 */
export async function reasonAgainstFolder(
  client: ContentClient,
  { path, last_modified: before }: ContentItem,
  options: CallOptions = {},
): Promise<Text | undefined> {
  if (typeof before !== "string") {
    return phrase`the server doesn't report when it was changed, so it might be a link`;
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0 && !/\.\d*[1-9]/.test(before)) {
      await setTimeout(nextSecond, undefined, { signal: options.signal });
    }
    if (await changesTime(client, path, before, options)) {
      return undefined;
    }
  }
  return phrase`it seems to be a link to another folder`;
}

/** Folders with the same times whose content is compared. More than one or two is unlikely. */
const maxCompared = 10;

/**
 * The first of these folders that has the times and the content of another folder elsewhere, and that folder's path. On a
 * server that reports the times of a link's target, the check above finds no link, but a link has a twin.
 */
export async function twinAmong(
  client: ContentClient,
  folders: readonly ContentItem[],
  elsewhere: readonly ContentItem[],
  options: CallOptions = {},
): Promise<{ readonly folder: string; readonly other: string } | undefined> {
  const byTimes = Map.groupBy(elsewhere, timesOf);
  const pairs = folders.flatMap((folder) => {
    const times = timesOf(folder);
    return times === undefined ? [] : (byTimes.get(times) ?? []).map((other) => [folder.path, other.path] as const);
  });
  const contentOf = async (path: string): Promise<string | undefined> => {
    const children = childrenOf(await getItem(client, path, 1, { type: "directory" }, options), path);
    return children.length === 0 ? undefined : contentKey(children);
  };
  for (const [folder, other] of pairs.slice(0, maxCompared)) {
    const content = await contentOf(folder);
    if (content !== undefined && content === (await contentOf(other))) {
      return { folder, other };
    }
  }
  return undefined;
}

/** A key of the times of a folder, if they have fractions of seconds. Whole seconds are often the same. */
function timesOf({ created, last_modified: modified }: ContentItem): string | undefined {
  return typeof created === "string" && typeof modified === "string" && /\.\d*[1-9]/.test(modified)
    ? `${created} ${modified}`
    : undefined;
}

/** True if the folder's time changes with its content. */
async function changesTime(
  client: ContentClient,
  path: string,
  before: string,
  options: CallOptions,
): Promise<boolean> {
  const created = await createEmptyFile(client, path);
  if (parentOf(created.path) !== path) {
    return false;
  }
  try {
    if ((await readModifiedTime(client, path, options)) !== before) {
      return true;
    }
  } finally {
    await removeEmptyFile(client, created);
  }
  return (await readModifiedTime(client, path, options)) !== before;
}

async function createEmptyFile(client: ContentClient, path: string): Promise<ContentItem> {
  try {
    return await client.call(createContent, { parentPath: path, body: { type: "file", path } });
  } catch (error) {
    throw error instanceof PlatformError && mayHaveHappened(error)
      ? error.withRemark(phrase`An untitled item might remain in ${path}.`)
      : error;
  }
}

/** Removes the empty file. The caller's signal is ignored, because a canceled check must not leave it behind. */
async function removeEmptyFile(client: ContentClient, { path }: ContentItem): Promise<void> {
  try {
    await client.call(deleteContent, { path });
  } catch (error) {
    if (hasStatus(error, 404)) {
      return;
    }
    throw error instanceof PlatformError
      ? error.withRemark(phrase`${path} was left behind on the server and couldn't be removed.`)
      : error;
  }
}

async function readModifiedTime(
  client: ContentClient,
  path: string,
  options: CallOptions,
): Promise<string | undefined> {
  return (await getItem(client, path, 0, { type: "directory" }, options)).last_modified ?? undefined;
}
