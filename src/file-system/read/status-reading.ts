import { setTimeout as delay } from "node:timers/promises";
import { parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { causeOf } from "../../api/http/errors.ts";
import { FileError, incomplete, notFound } from "../errors.ts";
import type { ExplorerRevalidation } from "../session/explorer-revalidation.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import { isProbe, type NegativeCache } from "../session/negative-cache.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import { isSameVersion, timeOf, versionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { ContentReading } from "./content-reading.ts";
import { type DirectoryReading, type EntryKind, kindOf, type MetadataReading } from "./directory-reading.ts";

/** How long a `stat` waits for the read that the editor sends along with it, in milliseconds. */
const readComesWithin = 8;
/** How old what is known of an open, unchanged file may be before a `stat` asks the server again. */
const openFileFreshFor = 2_000;
/** The same for a file with unsaved changes: the second `stat` of one gesture is answered, a later one asks. */
const dirtyFileFreshFor = 200;

/** A file's metadata as the editor wants it; times in milliseconds since 1970, size in bytes. */
export interface FileStatus {
  readonly type: EntryKind;
  readonly modified: number;
  readonly created: number;
  readonly size: number;
  readonly isReadonly: boolean;
}

/** The metadata of an item. A file whose time or size the server left out is an error: nothing is made up. */
export function statusOf(path: string, item: ContentItem): FileStatus {
  const type = kindOf(item);
  const modified = Date.parse(item.last_modified ?? "");
  if (type === "file" && (Number.isNaN(modified) || typeof item.size !== "number")) {
    throw incomplete(path);
  }
  const created = Date.parse(item.created ?? "");
  return {
    type,
    modified: modified || 0,
    created: created || 0,
    size: type === "directory" ? 0 : (item.size ?? 0),
    isReadonly: item.writable === false,
  };
}

interface StatusParts {
  readonly cache: ListingCache;
  readonly negativeCache: NegativeCache;
  readonly revalidation: ExplorerRevalidation;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  readonly metadata: MetadataReading;
  readonly directories: DirectoryReading;
  readonly contents: ContentReading;
}

/** What the paths of one workspace are. */
export class StatusReading {
  readonly #parts: StatusParts;
  /** Paths whose read may come yet. */
  readonly #waiting = new Set<string>();

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** The metadata of a path. For a file with unsaved changes it is the server's of this moment. */
  async status(path: string): Promise<FileStatus> {
    const { cache, contents, editors, metadata, versions } = this.#parts;
    if (!editors.isOpen(path)) {
      return statusOf(path, await this.#known(path));
    }
    const isDirty = editors.isDirty(path);
    await contents.inFlight(path)?.catch(() => undefined);
    const recent = cache.lookUp(path, isDirty ? dirtyFileFreshFor : openFileFreshFor);
    const item = recent.type === "present" ? recent.item : await metadata.statContent(path);
    if (isDirty && recent.type !== "present") {
      metadata.keepForWrite(path, item);
    }
    if (item === undefined) {
      throw notFound(path);
    }
    const status = statusOf(path, item);
    const base = versions.base(path);
    const server = versionOf(item);
    if (!isDirty || base === undefined || server === undefined || isSameVersion(base, server)) {
      // The person has dealt with the server's version already, as by a merge: the editor need not ask about it again.
      const held = isDirty ? versions.heldByEditor(path) : undefined;
      return held === undefined ? status : { ...status, modified: Math.min(status.modified, timeOf(held)) };
    }
    // The editor takes two versions of one size, or of one moment, for the same: it is shown a difference in both.
    versions.reportConflict(path, server);
    return {
      ...status,
      size: server.size === base.size ? server.size + 1 : server.size,
      modified: Math.max(status.modified, timeOf(base) + 1),
    };
  }

  /**
   * The item that the read which the editor sends along with a `stat` brings, if one comes. What is cached may be of an older
   * version than the editor is about to show; it would then ask at the next save about a newer one that nobody wrote.
   */
  async #toldByRead(path: string): Promise<ContentItem | undefined> {
    await delay(readComesWithin);
    await this.#parts.contents.inFlight(path)?.catch(() => undefined);
    return this.#cached(path);
  }

  /** The item that the cache has of a path; throws a FileError where it has that there is none. */
  #cached(path: string): ContentItem | undefined {
    const known = this.#parts.cache.lookUp(path);
    if (known.type === "absent") {
      throw notFound(path);
    }
    return known.type === "present" ? known.item : undefined;
  }

  /** What is known of a path that no editor holds: from the cache, else from its directory's listing. */
  async #known(path: string): Promise<ContentItem> {
    const { negativeCache, revalidation, metadata, directories, contents } = this.#parts;
    const atOnce = negativeCache.lookUp(path);
    if (atOnce.type === "present") {
      if (atOnce.item.type === "directory") {
        return atOnce.item;
      }
      revalidation.fileFound(path);
      return (await this.#toldByRead(path)) ?? atOnce.item;
    }
    if (atOnce.type === "absent" && isProbe(path)) {
      throw notFound(path);
    }
    // The editor sends the read of a file along with its `stat`: one request answers both.
    this.#waiting.add(path);
    await delay(readComesWithin);
    const isAlone = ![...this.#waiting].some((other) => other !== path);
    this.#waiting.delete(path);
    await Promise.allSettled([contents.inFlight(path), directories.inFlight(parentOf(path))]);
    const afterwards = this.#cached(path);
    if (afterwards !== undefined) {
      return afterwards;
    }
    if (path === "") {
      return (await directories.list("")).directory;
    }
    if (isAlone && (await contents.readAhead(path).catch((error: unknown) => unlessOfFile(error)))) {
      const read = this.#cached(path);
      if (read !== undefined) {
        return read;
      }
    }
    for (const directory of directories.tellingOf(path)) {
      await directories.listOrLearn(directory);
      const listed = this.#cached(path);
      if (listed !== undefined) {
        return listed;
      }
    }
    const item = await metadata.statContent(path);
    if (item === undefined) {
      throw notFound(path);
    }
    return item;
  }
}

/** What the server says of a file's content does not say that there is no such file; anything else is the `stat`'s error. */
function unlessOfFile(error: unknown): false {
  const isOfFile = error instanceof FileError ? error.kind !== "notFound" : causeOf(error)?.type === "status";
  if (!isOfFile) {
    throw error;
  }
  return false;
}
