import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { inParallel } from "../../api/content-server/concurrency.ts";
import { createItem, renameItem } from "../../api/content-server/contents.ts";
import { confirmNoCopying, copyFileOnServer, copyFolderOnServer } from "../../api/content-server/copying.ts";
import { deleteTree } from "../../api/content-server/deletion.ts";
import type { FolderLinks } from "../../api/content-server/folder-walk.ts";
import { hasStatus, mayHaveHappened, PlatformError } from "../../api/http/errors.ts";
import { phrase } from "../../api/phrase.ts";
import { FileError, withRemark } from "../errors.ts";
import type { ContentReader } from "../read/content-reader.ts";
import type { DirectoryReader, MetadataReader } from "../read/directory-reader.ts";
import { readTree, refuseIncomplete } from "../read/tree-reader.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { refusedName } from "./file-writer.ts";
import { besideOf } from "./item-replacing.ts";

interface CopyParts {
  readonly server: ServerRequests;
  readonly cache: ListingCache;
  readonly metadata: MetadataReader;
  readonly directories: DirectoryReader;
  readonly contents: ContentReader;
  readonly linksIn: (folder: string) => Promise<FolderLinks | undefined>;
}

/** Copies a file or directory to a path that does not exist, on the server if it supports that. */
export function copyItem(parts: CopyParts, from: string, to: string, isDirectory: boolean): Promise<ContentItem> {
  return isDirectory ? copyDirectory(parts, from, to) : copyFile(parts, from, to);
}

async function copyFile(parts: CopyParts, from: string, to: string): Promise<ContentItem> {
  const hint = parts.cache.lookUp(from);
  const sourceSize = hint.type === "present" ? (hint.item.size ?? undefined) : undefined;
  const copied = await parts.server.request((client) => copyFileOnServer(client, from, to, { sourceSize }));
  if (copied !== undefined) {
    return copied;
  }
  // No editor shows the content, so the base version must not change.
  const { bytes } = await parts.contents.peek(from);
  try {
    return await parts.server.request(async (client) => {
      // Servers add content to new notebooks, so create the copy of an empty one as a file.
      const { item, written } = await createItem(client, to, bytes, bytes.byteLength === 0 ? { type: "file" } : {});
      confirmNoCopying(client);
      return { ...item, ...written };
    });
  } catch (error) {
    throw hasStatus(error, 409) ? new FileError("exists", to, phrase`${to} already exists.`) : refusedName(to, error);
  }
}

async function copyDirectory(parts: CopyParts, from: string, to: string): Promise<ContentItem> {
  const isTaken = (await parts.metadata.statContent(to)) !== undefined;
  if (isTaken) {
    throw new FileError("exists", to, phrase`${to} already exists.`);
  }
  // A server that copies a folder follows its links, without end if one leads to a folder above it.
  const tree = await readTree(parts, from);
  refuseIncomplete(
    from,
    tree.leftOut.filter(({ type }) => type !== "name"),
  );
  const copied = await parts.server.request((client) => copyFolderOnServer(client, from, to));
  if (copied !== undefined) {
    return copied;
  }
  refuseIncomplete(from, tree.leftOut);
  // A copy that takes several steps has a temporary name until it is complete.
  const beside = besideOf(to, "copying");
  try {
    await copyTree(parts, tree.items, from, beside);
    return await parts.server.request((client) => renameItem(client, beside, to));
  } catch (error) {
    throw await withoutIncomplete(parts, beside, asCopyOf(error, from, to));
  }
}

/** Copies the items of a tree one by one: the folders first, parents before their children. */
async function copyTree(parts: CopyParts, items: readonly ContentItem[], from: string, to: string): Promise<void> {
  const target = ({ path }: ContentItem): string => `${to}${path.slice(from.length)}`;
  for (const folder of items.filter(({ type }) => type === "directory")) {
    await parts.server.request((client) => createItem(client, target(folder), undefined, { type: "directory" }));
  }
  const files = items.filter(({ type }) => type !== "directory");
  await inParallel(files, async (file) => void (await copyFile(parts, file.path, target(file))));
}

/** Rewords an error as a failure of the copy, regardless of which request or temporary name failed. */
function asCopyOf(error: unknown, from: string, to: string): unknown {
  return error instanceof PlatformError
    ? error.with({ failure: phrase`Can't copy ${from} to ${to}`, entity: to })
    : error;
}

/** Deletes an incomplete copy. Resolves with the error, which names the copy if it couldn't be deleted. */
async function withoutIncomplete(parts: CopyParts, beside: string, error: unknown): Promise<unknown> {
  try {
    await parts.server.request((client) => deleteTree(client, beside));
    return error;
  } catch (failure) {
    const isGone = hasStatus(failure, 404) && !mayHaveHappened(error);
    return isGone ? error : withRemark(error, phrase`An incomplete copy might remain as ${beside}.`);
  }
}
