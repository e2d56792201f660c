import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { inParallel } from "../../api/content-server/concurrency.ts";
import { createItem } from "../../api/content-server/contents.ts";
import { confirmNoCopying, copyFileOnServer, copyFolderOnServer } from "../../api/content-server/copying.ts";
import { hasStatus, PlatformError } from "../../api/http/errors.ts";
import { FileError } from "../errors.ts";
import type { ContentReading } from "../read/content-reading.ts";
import type { DirectoryReading, MetadataReading } from "../read/directory-reading.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { refusedName } from "./file-writing.ts";

interface CopyingParts {
  readonly server: ServerRequests;
  readonly cache: ListingCache;
  readonly metadata: MetadataReading;
  readonly directories: DirectoryReading;
  readonly contents: ContentReading;
}

/** Copies a file or a directory to a path where nothing is, on the server where it can. */
export function copyItem(parts: CopyingParts, from: string, to: string, isDirectory: boolean): Promise<ContentItem> {
  return isDirectory ? copyDirectory(parts, from, to) : copyFile(parts, from, to);
}

async function copyFile(parts: CopyingParts, from: string, to: string): Promise<ContentItem> {
  const hint = parts.cache.lookUp(from);
  const sourceSize = hint.type === "present" ? (hint.item.size ?? undefined) : undefined;
  const copied = await parts.server.request((client) => copyFileOnServer(client, from, to, { sourceSize }));
  if (copied !== undefined) {
    return copied;
  }
  // Nobody sees these bytes: the version that an editor's copy came from stays what it was.
  const { bytes } = await parts.contents.peek(from);
  try {
    return await parts.server.request(async (client) => {
      const { item, written } = await createItem(client, to, bytes, { type: "file" });
      confirmNoCopying(client);
      return { ...item, ...written };
    });
  } catch (error) {
    throw hasStatus(error, 409) ? new FileError("exists", to, `${to} exists already.`) : refusedName(to, error);
  }
}

async function copyDirectory(parts: CopyingParts, from: string, to: string): Promise<ContentItem> {
  const isTaken = (await parts.metadata.statContent(to)) !== undefined;
  if (isTaken) {
    throw new FileError("exists", to, `${to} exists already.`);
  }
  const copied = await parts.server.request((client) => copyFolderOnServer(client, from, to));
  if (copied !== undefined) {
    return copied;
  }
  const { item } = await parts.server.request((client) => createItem(client, to, undefined, { type: "directory" }));
  try {
    const { children } = await parts.directories.list(from);
    await inParallel(children, async (child) => {
      const target = `${to}/${child.name}`;
      await (child.type === "directory"
        ? copyDirectory(parts, child.path, target)
        : copyFile(parts, child.path, target));
    });
  } catch (error) {
    throw withRemark(error, `The copy ${to} is not complete.`);
  }
  return item;
}

/** The error with a further sentence, such as what was left behind. */
export function withRemark(error: unknown, remark: string): unknown {
  return error instanceof PlatformError ? error.withRemark(remark) : error;
}
