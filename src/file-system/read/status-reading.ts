import { setTimeout as delay } from "node:timers/promises";
import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { causeOf } from "../../api/http/errors.ts";
import { FileError, notFound } from "../errors.ts";
import type { ExplorerRevalidation } from "../session/explorer-revalidation.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import { isProbe, type NegativeCache } from "../session/negative-cache.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import { isSameVersion, timeOf, versionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { ContentReading } from "./content-reading.ts";
import { type DirectoryReading, type EntryKind, kindOf, type MetadataReading } from "./directory-reading.ts";

/** Milliseconds for which a `stat` waits for the read that the editor may send at the same time. */
const readComesWithin = 8;
/** Maximum age of the metadata of an open, unchanged file for a `stat`, in milliseconds. */
const openFileFreshFor = 2_000;
/**
 * The same for a file with unsaved changes. Covers the second `stat` of the same user action. A later one makes a
 * request.
 */
const dirtyFileFreshFor = 200;

/** A file's metadata for the editor. Times in milliseconds since 1970, size in bytes. */
export interface FileStatus {
  readonly type: EntryKind;
  readonly modified: number;
  readonly created: number;
  readonly size: number;
  readonly isReadonly: boolean;
}

/** The metadata of an item. The editor shows a date or size of 0 nowhere. */
function statusOf(item: ContentItem): FileStatus {
  const type = kindOf(item);
  return {
    type,
    modified: Date.parse(item.last_modified ?? "") || 0,
    created: Date.parse(item.created ?? "") || 0,
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

/** Handles `stat` calls for the paths of one workspace. */
export class StatusReading {
  readonly #parts: StatusParts;
  /** Paths whose read may still follow. */
  readonly #waiting = new Set<string>();

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** The metadata of a path. For a file with unsaved changes, the server's current metadata. */
  async status(path: string): Promise<FileStatus> {
    const { cache, contents, editors, metadata, versions } = this.#parts;
    if (!editors.isOpen(path)) {
      return statusOf(await this.#known(path));
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
    const status = statusOf(item);
    const base = versions.base(path);
    const server = versionOf(item);
    if (!isDirty || base === undefined || server === undefined || isSameVersion(base, server)) {
      // The user has already resolved this conflict, for example with a merge, so the editor must not ask again.
      const held = isDirty ? versions.heldByEditor(path) : undefined;
      return held === undefined ? status : { ...status, modified: Math.min(status.modified, timeOf(held)) };
    }
    if (editors.isNotebook(path)) {
      // For a newer version, notebook editors only offer to overwrite or discard. The error of the save offers more.
      versions.noticed(path, server);
      return { ...status, modified: Math.min(status.modified, timeOf(versions.heldByEditor(path) ?? base)) };
    }
    // The editor ignores a newer version with the same size or date, so report a different size and date.
    versions.reportConflict(path, server);
    return {
      ...status,
      size: server.size === base.size ? server.size + 1 : server.size,
      modified: Math.max(status.modified, timeOf(base) + 1),
    };
  }

  /**
   * The last known metadata of an item, regardless of its age; undefined if there is none. The editor reports an item
   * without metadata as missing, for example when a user deletes it. Never for a file with unsaved changes, whose
   * version the editor compares before a save.
   */
  lastSeen(path: string): FileStatus | undefined {
    const { cache, directories, editors } = this.#parts;
    const directory = directories.lastSeen(path)?.directory;
    if (directory !== undefined) {
      return statusOf(directory);
    }
    const known = cache.hint(path);
    if (path === "" || known.type === "absent" || editors.isDirty(path)) {
      return undefined;
    }
    const listed = directories.lastSeen(parentOf(path))?.children.find(({ name }) => name === nameOf(path));
    const item = known.type === "present" ? known.item : listed;
    return item === undefined ? undefined : statusOf(item);
  }

  /**
   * The item from the read that the editor may send together with a `stat`. The cache could have an older version than
   * the one that the editor is about to show, and the next save would report a conflict that doesn't exist.
   */
  async #toldByRead(path: string): Promise<ContentItem | undefined> {
    await delay(readComesWithin);
    await this.#parts.contents.inFlight(path)?.catch(() => undefined);
    return this.#cached(path);
  }

  /** The cached item of a path. Throws a FileError if the path is cached as missing. */
  #cached(path: string): ContentItem | undefined {
    const known = this.#parts.cache.lookUp(path);
    if (known.type === "absent") {
      throw notFound(path);
    }
    return known.type === "present" ? known.item : undefined;
  }

  /** The item of a path without an open editor: from the cache, or from its directory's listing. */
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
    // The editor sends the read of a file together with its `stat`. One request serves both.
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

/** An error about the content of a file does not mean that the file does not exist. Throws any other error. */
function unlessOfFile(error: unknown): false {
  const isOfFile = error instanceof FileError ? error.kind !== "notFound" : causeOf(error)?.type === "status";
  if (!isOfFile) {
    throw error;
  }
  return false;
}
