import { nameOf, parentOf } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { createContent, deleteContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { causeOf, hasStatus, mayHaveHappened, PlatformError } from "../http/errors.ts";
import { phrase } from "../phrase.ts";
import { childrenOf } from "./children.ts";
import { inferType } from "./content-types.ts";
import { renameItem, withCleanup } from "./contents.ts";
import { deleteTree } from "./deletion.ts";
import { readFileContent } from "./file-content.ts";
import { getItem } from "./item-reading.ts";
import { isSameContent } from "./write-verification.ts";

/** Clients of servers that are known, or suspected, not to support copying. */
const withoutCopying = new WeakSet<ContentClient>();
const seeminglyWithout = new WeakSet<ContentClient>();

/**
 * Call this after a copy by reading and creating has succeeded. If the server's refusal suggested that it doesn't
 * support copying, no further copies are requested.
 */
export function confirmNoCopying(client: ContentClient): void {
  if (seeminglyWithout.has(client)) {
    withoutCopying.add(client);
  }
}

/**
 * Copies a file to exactly this path with one request, if the server supports it. `sourceSize` is in bytes, if known.
 * Resolves with undefined if the server doesn't support it; anything that it created is removed.
 */
export async function copyFileOnServer(
  client: ContentClient,
  source: string,
  target: string,
  options: CallOptions & { readonly sourceSize?: number | undefined } = {},
): Promise<ContentItem | undefined> {
  const { type } = inferType(source);
  const body = { type: type === "directory" ? "file" : type, path: parentOf(target), copy_from: source } as const;
  const copy = (): Promise<ContentItem> => client.call(createContent, { parentPath: target, body }, options);
  const copied = await copying(client, source, target, copy);
  if (copied === undefined || (await checked(isFileCopy(client, source, copied, options), source, target, copied))) {
    return copied && movedTo(client, copied, target, options);
  }
  await removeOther(client, source, target, copied);
  return undefined;
}

/** Copies a folder in the same way. Creates the copy in the target's parent, and renames it if its name differs. */
export async function copyFolderOnServer(
  client: ContentClient,
  source: string,
  target: string,
  options: CallOptions = {},
): Promise<ContentItem | undefined> {
  const parentPath = parentOf(target);
  const body = { type: "directory", path: parentPath, copy_from: source } as const;
  const copy = (): Promise<ContentItem> => client.call(createContent, { parentPath, body }, options);
  const copied = await copying(client, source, target, copy);
  if (copied === undefined || (await checked(isFolderCopy(client, source, copied, options), source, target, copied))) {
    return copied && movedTo(client, copied, target, options);
  }
  await removeOther(client, source, target, copied);
  return undefined;
}

/** Resolves with undefined if the server doesn't support the request. It has created nothing then. */
async function copying(
  client: ContentClient,
  source: string,
  target: string,
  copy: () => Promise<ContentItem>,
): Promise<ContentItem | undefined> {
  if (withoutCopying.has(client)) {
    return undefined;
  }
  try {
    return await copy();
  } catch (error) {
    const cause = causeOf(error);
    if (cause?.type === "status" && statusesOfNoCopying.includes(cause.status)) {
      // Statuses 400 and 500 can also be caused by the copied item.
      if (cause.status !== 400 && cause.status !== 500) {
        seeminglyWithout.add(client);
      }
      return undefined;
    }
    if (!(error instanceof PlatformError)) {
      throw error;
    }
    const explained = error.with({ failure: phrase`Can't copy ${source} to ${target}`, entity: target });
    const where = parentOf(target) || phrase`the workspace root`;
    throw mayHaveHappened(error) ? explained.withRemark(phrase`A copy might remain in ${where}.`) : explained;
  }
}

/**
 * True if the created file is a copy, and not an item that the server created without regard to the source. A copy has
 * the source's size, or, for a notebook that the server reformatted, the same content.
 */
async function isFileCopy(
  client: ContentClient,
  source: string,
  copied: ContentItem,
  { sourceSize, ...options }: CallOptions & { readonly sourceSize?: number | undefined },
): Promise<boolean> {
  if (copied.type === "directory" || copied.path === source) {
    return false;
  }
  const size = sourceSize ?? (await getItem(client, source, 0, { type: "file" }, options)).size;
  if (typeof size === "number" && typeof copied.size === "number" && size === copied.size) {
    return true;
  }
  if (copied.type !== "notebook" && typeof size === "number" && typeof copied.size === "number") {
    return false;
  }
  const [original, copy] = await Promise.all([
    readFileContent(client, source, options),
    readFileContent(client, copied.path, options),
  ]);
  return original.type === "file" && copy.type === "file" && isSameContent(source, copy.bytes, original.bytes);
}

/**
 * True if the created folder is a copy. Its name begins with the source's name up to the first dot (`b-Copy1.bin` is a
 * copy of `b.bin`). If the name looks untitled, it must have as many children as the source.
 */
async function isFolderCopy(
  client: ContentClient,
  source: string,
  copied: ContentItem,
  options: CallOptions,
): Promise<boolean> {
  const [stem = ""] = nameOf(source).split(".");
  const name = nameOf(copied.path);
  if (copied.type !== "directory" || copied.path === source || !name.startsWith(stem)) {
    return false;
  }
  if (!/^untitled/i.test(name)) {
    return true;
  }
  const [before, after] = await Promise.all(
    [source, copied.path].map(async (path) =>
      childrenOf(await getItem(client, path, 1, { type: "directory" }, options), path),
    ),
  );
  return before?.length === after?.length;
}

/** Resolves with the result of a check. If the check throws, the error names what the server has created so far. */
async function checked(check: Promise<boolean>, source: string, target: string, copied: ContentItem): Promise<boolean> {
  try {
    return await check;
  } catch (error) {
    throw error instanceof PlatformError
      ? error
          .with({ failure: phrase`Can't copy ${source} to ${target}`, entity: target })
          .withRemark(phrase`A copy might remain as ${copied.path}.`)
      : error;
  }
}

/**
 * Removes an item that the server created instead of a copy. If that fails, throws a PlatformError that names the item.
 */
async function removeOther(client: ContentClient, source: string, target: string, made: ContentItem): Promise<void> {
  withoutCopying.add(client);
  if (made.path === source) {
    return;
  }
  try {
    await client.call(deleteContent, { path: made.path });
  } catch (error) {
    if (!hasStatus(error, 404) && error instanceof PlatformError) {
      throw error
        .with({ failure: phrase`Can't copy ${source} to ${target}`, entity: target })
        .withRemark(phrase`The server created ${made.path} instead of a copy, and it couldn't be removed.`);
    }
  }
}

async function movedTo(
  client: ContentClient,
  copied: ContentItem,
  target: string,
  options: CallOptions,
): Promise<ContentItem> {
  if (copied.path === target) {
    return copied;
  }
  const rename = (): Promise<ContentItem> => renameItem(client, copied.path, target, options);
  return withCleanup(client, copied.path, rename, target, deleteTree);
}

/** Statuses of servers that don't support `copy_from`. */
const statusesOfNoCopying: readonly number[] = [400, 404, 405, 500, 501];
