import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { type FolderLinks, type LeftOut, walkFolder } from "../../api/content-server/folder-walk.ts";
import { phrase } from "../../api/phrase.ts";
import { FileError, named, notFound } from "../errors.ts";
import type { DirectoryReader, MetadataReader } from "./directory-reader.ts";

/** An item and everything in it, with its links left out (`folder-walk.ts`). */
export interface FolderTree {
  /** Parents first. The first one is the item itself. */
  readonly items: readonly ContentItem[];
  readonly leftOut: readonly LeftOut[];
}

interface TreeParts {
  readonly directories: Pick<DirectoryReader, "list">;
  readonly metadata: Pick<MetadataReader, "statContent">;
  /** The links in a folder; undefined if they can't be found out. */
  readonly linksIn: (folder: string) => Promise<FolderLinks | undefined>;
}

/** Reads the current content of a folder, or of a file, with everything in it. Throws the first error. */
export async function readTree(
  { directories, metadata, linksIn }: TreeParts,
  path: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<FolderTree> {
  const leftOut: LeftOut[] = [];
  const start = await directories.list(path).catch((error: unknown) => {
    if (error instanceof FileError && error.kind === "notDirectory") {
      return undefined;
    }
    throw error;
  });
  if (start === undefined) {
    const item = await metadata.statContent(path);
    if (item === undefined) {
      throw notFound(path);
    }
    return { items: [{ ...item, path }], leftOut };
  }
  const items: ContentItem[] = [];
  const links = await linksIn(path);
  await walkFolder(start, {
    list: (folder) => {
      options.signal?.throwIfAborted();
      return directories.list(folder);
    },
    onFolder: ({ directory, children }) => {
      items.push(directory);
      // A folder can have more items than a call can have arguments.
      for (const child of children) {
        if (child.type !== "directory") {
          items.push(child);
        }
      }
      return children.filter(({ type }) => type === "directory");
    },
    links,
    onLeftOut: (left) => leftOut.push(left),
  });
  return { items, leftOut };
}

/** Throws if a copy of the item would be incomplete, or could only be complete by following a link out of it. */
export function refuseIncomplete(from: string, leftOut: readonly LeftOut[]): void {
  const [first] = leftOut;
  if (first !== undefined) {
    throw new FileError(
      "refused",
      from,
      phrase`Can't copy ${named(from)}. Nothing was copied, because of ${first.path}: ${first.reason}.`,
    );
  }
}
