import { createHash } from "node:crypto";
import { isWithin, parentOf } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import type { Children } from "./children.ts";
import { drain } from "./concurrency.ts";

/** A folder and its children. */
export interface ListedFolder extends Children {
  readonly directory: ContentItem;
}

/** The links in a folder, from a program that sees the files themselves. */
export interface FolderLinks {
  /** True if the folder itself is a link. */
  readonly isLink: boolean;
  /** With paths from the root, in the folder and in the folders in it. */
  readonly links: readonly FolderLink[];
}

interface FolderLink {
  readonly path: string;
  readonly isDirectory: boolean;
  /** True if it leads to an item of the same folder, and not to a folder that it is in. */
  readonly isFollowed: boolean;
}

/**
 * An item that a walk didn't follow. `cycle`: it seems to be a link to a folder that contains it. `link`: it is a link to
 * such a folder, or out of the folder. `limit`: the walk is too deep or too long. `name`: see `itemNameProblem`.
 */
export interface LeftOut {
  readonly type: "cycle" | "link" | "limit" | "name";
  /** The path, or the path of the folder and the name as the server sent it. */
  readonly path: string;
  readonly reason: Text;
}

interface WalkOptions {
  /** Lists a folder. Up to five folders and files are processed at a time. */
  readonly list: (path: string) => Promise<ListedFolder>;
  /** Called with each followed folder. Resolves with the items to walk through. */
  readonly onFolder: (folder: ListedFolder) => readonly ContentItem[];
  readonly onFile?: ((item: ContentItem) => Promise<void>) | undefined;
  readonly onLeftOut?: ((leftOut: LeftOut) => void) | undefined;
  /** The links in the folder, if they are known. */
  readonly links?: FolderLinks | undefined;
  /** Called with each folder above the start that can be listed. */
  readonly onFolderAbove?: ((folder: ListedFolder) => void) | undefined;
}

/** Levels below the start of a walk. */
export const maxWalkDepth = 100;
/** Folders that are listed in one walk. */
const maxWalkFolders = 20_000;

/**
 * Walks through a folder that was listed. The content API doesn't show which folders are links. If they aren't
 * known from elsewhere, the walk recognizes links to the folders above by their content, and others look like folders. The limits end every walk. Throws the
 * first error.
 */
export async function walkFolder(start: ListedFolder, options: WalkOptions): Promise<void> {
  const { list, links, onFolder, onFile, onFolderAbove, onLeftOut } = options;
  const notFollowed = new Set(links?.links.flatMap(({ path, isFollowed }) => (isFollowed ? [] : [path])));
  const seen = new SeenFolders();
  const startDepth = depthOf(start.directory.path);
  let folders = 0;
  const queue: ContentItem[] = [];
  const enter = (folder: ListedFolder): void => {
    const { path } = folder.directory;
    for (const { name, reason } of folder.rejected) {
      onLeftOut?.({ type: "name", path: `${path}/${JSON.stringify(name)}`, reason });
    }
    const children = folder.children.filter(({ path: child }) => {
      if (notFollowed.has(child)) {
        onLeftOut?.({ type: "link", path: child, reason: phrase`it is a link to another place` });
        return false;
      }
      return true;
    });
    // A folder can have more items than a call can have arguments.
    for (const item of onFolder({ ...folder, children })) {
      queue.push(item);
    }
  };
  seen.add(start);
  enter(start);
  if (links === undefined && (queue.some(isFolder) || onFolderAbove !== undefined)) {
    await addFoldersAbove(start.directory.path, list, (folder) => {
      seen.add(folder);
      onFolderAbove?.(folder);
    });
  }
  await drain(queue, async (item) => {
    if (!isFolder(item)) {
      await onFile?.(item);
      return;
    }
    const { path } = item;
    folders += 1;
    if (folders > maxWalkFolders) {
      onLeftOut?.({ type: "limit", path, reason: phrase`there are more than ${maxWalkFolders} folders` });
      return;
    }
    if (depthOf(path) - startDepth > maxWalkDepth) {
      onLeftOut?.({
        type: "limit",
        path,
        reason: phrase`the folders are nested more than ${maxWalkDepth} levels deep`,
      });
      return;
    }
    const folder = await list(path);
    const same = links === undefined ? seen.add(folder) : undefined;
    if (same !== undefined) {
      const reason = phrase`it has the content of ${same || phrase`the workspace root`}, so it seems to be a link to it`;
      onLeftOut?.({ type: "cycle", path, reason });
      return;
    }
    enter(folder);
  });
}

/** Lists the folders above the start, which links in it often lead to. Those that can't be listed are skipped. */
async function addFoldersAbove(
  start: string,
  list: WalkOptions["list"],
  add: (folder: ListedFolder) => void,
): Promise<void> {
  for (let path = start; path !== ""; ) {
    path = parentOf(path);
    try {
      add(await list(path));
    } catch (error) {
      if (!(error instanceof PlatformError) || error.failureCause.type === "cancelled") {
        throw error;
      }
    }
  }
}

/** Number of folders with the same content, each within the one before, that are a cycle even without exact times. */
const repeatedLevels = 3;

/** The folders of a walk by their content. */
class SeenFolders {
  readonly #paths = new Map<string, string[]>();

  /** Adds a folder. If it seems to be a link to a folder above it, returns the path of that folder instead. */
  add({ directory: { path }, children }: ListedFolder): string | undefined {
    if (children.length === 0) {
      return undefined;
    }
    const content = contentKey(children);
    const same = this.#paths.get(content) ?? [];
    const above = same.filter((other) => other !== path && isWithin(path, other));
    if (above.length >= (hasExactTimes(children) ? 1 : repeatedLevels)) {
      return above[0];
    }
    this.#paths.set(content, [...same, path]);
    return undefined;
  }
}

/** A key of what a folder contains: names, kinds, sizes, and times. */
export function contentKey(children: readonly ContentItem[]): string {
  const lines = children.map(({ name, type, size, last_modified: modified, created }) =>
    JSON.stringify([name, type, size, modified, created]),
  );
  return createHash("sha256").update(lines.sort().join("\n")).digest("base64");
}

/**
 * True if the times show that a folder with the same content is the same folder. Items that were created together can
 * all have the same time, because the clocks of disks advance in steps of some milliseconds.
 */
function hasExactTimes(children: readonly ContentItem[]): boolean {
  const times = children.flatMap(({ last_modified: modified, created }) => [modified, created]);
  return new Set(times.filter((time) => typeof time === "string" && /\.\d*[1-9]/.test(time))).size > 1;
}

function isFolder({ type }: ContentItem): boolean {
  return type === "directory";
}

function depthOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}
