import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { isSameContent } from "../../api/content-server/write-verification.ts";
import type { ContentReader } from "../read/content-reader.ts";
import type { NotebookModels } from "../read/notebook-models.ts";
import { type ContentVersion, versionOf, versionWritten } from "../versions/content-version.ts";

/** A write of a file, and the server's response to it. */
export interface Written {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly item: ContentItem;
  /** False for notebooks, which the server reformats. */
  readonly isFile: boolean;
  /** The file before the write; undefined if it is new. */
  readonly before?: ContentItem;
}

/** The server's version after a write, and its content. */
export interface WrittenVersion {
  /** Undefined if it is unknown. */
  readonly version: ContentVersion | undefined;
  readonly bytes: Uint8Array;
}

interface VersionParts {
  readonly contents: Pick<ContentReader, "peek">;
  readonly models: Pick<NotebookModels, "includes">;
}

/**
 * The version after a write: the one that the next save finds. The response to a PUT has no hash. The file is read again
 * if the response may be about something else than what was sent: the server may present another notebook, has changed
 * the content (another size), or reports the date and size of a link to the file (the same ones as before). If someone
 * else may have changed the file meanwhile, the version is one that the next save asks about.
 */
export async function versionAfter(
  { contents, models }: VersionParts,
  { path, bytes, item, isFile, before }: Written,
): Promise<WrittenVersion> {
  const isLikeBefore = before !== undefined && isSameDateAndSize(before, item);
  const isOtherSize = isFile && typeof item.size === "number" && item.size !== bytes.byteLength;
  const isPresented = !isFile && models.includes(path);
  const reported = isFile ? versionWritten(item, bytes, before?.hash_algorithm) : versionOf(item);
  if (reported !== undefined && !isLikeBefore && !isOtherSize && !isPresented) {
    return { version: reported, bytes };
  }
  const now = await contents.peek(path).catch(() => undefined);
  if (now !== undefined) {
    const isUnchanged = !isLikeBefore && isSameDateAndSize(item, lastModifiedAndSize(now.version));
    const isRewritten = isUnchanged && (isPresented || now.bytes.byteLength === item.size);
    if (reported === undefined || isRewritten || isSameContent(path, now.bytes, bytes)) {
      return { version: now.version, bytes: now.bytes };
    }
  }
  return { version: !isFile && isLikeBefore ? versionOf(before) : reported, bytes };
}

type DateAndSize = Pick<ContentItem, "last_modified" | "size">;

function lastModifiedAndSize({ lastModified, size }: ContentVersion): DateAndSize {
  return { last_modified: lastModified, size };
}

function isSameDateAndSize(one: DateAndSize, other: DateAndSize): boolean {
  return one.size === other.size && one.last_modified === other.last_modified;
}
