import { randomInt } from "node:crypto";
import { parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { causeOf } from "../../api/http/errors.ts";
import { FileError, notFound } from "../errors.ts";
import type { ExplorerRevalidation } from "../session/explorer-revalidation.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import { isProbe, type NegativeCache } from "../session/negative-cache.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import { type ContentVersion, isSameVersion, versionOf, versionTime } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { UnconfirmedSaves } from "../write/unconfirmed-saves.ts";
import type { ContentReader } from "./content-reader.ts";
import { type DirectoryReader, type EntryKind, kindOf, type MetadataReader } from "./directory-reader.ts";
import type { NotebookModels } from "./notebook-models.ts";
import { SharedDelay } from "./shared-delay.ts";

/** Milliseconds for which a `stat` waits for the read that the editor may send at the same time. */
const readDelayMs = 8;
/** Maximum age of the metadata of an open, unchanged file for a `stat`, in milliseconds. */
const openFileFreshMs = 2_000;
/**
 * The same for a file with unsaved changes. Covers the second `stat` of the same user action. A later one makes a
 * request.
 */
const dirtyFileFreshMs = 200;
/** Milliseconds after the `stat` of a missing file within which the editor checks its folder to save it. */
const folderReadDelayMs = 1_000;

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
  readonly metadata: MetadataReader;
  readonly directories: DirectoryReader;
  readonly contents: ContentReader;
  readonly unconfirmed: UnconfirmedSaves;
  readonly models: NotebookModels;
  readonly now: () => number;
}

/** Handles `stat` calls for the paths of one workspace. */
export class StatusReader {
  readonly #parts: StatusParts;
  /** Paths whose read may still follow. */
  readonly #waiting = new Set<string>();
  readonly #readMayCome = new SharedDelay(readDelayMs);
  /** The last file with unsaved changes that was missing on the server, and when, in milliseconds. */
  #missing: { readonly path: string; readonly at: number } | undefined;
  /** The date of the last conflict that was reported to the editor, in milliseconds since 1970. */
  #lastUnlike = 0;

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** The metadata of a path. For a file with unsaved changes, the server's current metadata. */
  async status(path: string): Promise<FileStatus> {
    const { cache, contents, editors, metadata, unconfirmed, versions } = this.#parts;
    if (!editors.isOpen(path)) {
      return this.#withFolderOfFailedSave(path, async () => statusOf(await this.#known(path)));
    }
    const [kind] = editors.unsaved(path);
    const isDirty = kind !== undefined;
    const freshMs = isDirty ? dirtyFileFreshMs : openFileFreshMs;
    if (cache.lookUp(path, freshMs).type === "present") {
      // The editor may be about to show a newer version, because it reloads the file.
      await this.#readMayCome.wait();
    }
    await contents.inFlight(path)?.catch(() => undefined);
    const recent = cache.lookUp(path, freshMs);
    const item = recent.type === "present" ? recent.item : await metadata.statContent(path);
    if (isDirty && recent.type !== "present") {
      metadata.cacheForWrite(path, item);
    }
    if (item === undefined) {
      if (isDirty && versions.mustExist(path, kind)) {
        this.#missing = { path, at: this.#parts.now() };
      }
      throw notFound(path);
    }
    const status = statusOf(item);
    const base = versions.base(path, kind);
    const server = versionOf(item);
    if (
      !isDirty ||
      base === undefined ||
      server === undefined ||
      isSameVersion(base, server) ||
      (await unconfirmed.takeOwn(this.#parts, path, server, { kind }))
    ) {
      // The user has already resolved this conflict, for example with a merge, so the editor must not ask again. Neither
      // must it if the content is the same and only its date is newer.
      const held = isDirty ? (versions.heldByEditor(path, kind) ?? base) : undefined;
      return held === undefined ? status : { ...status, modified: Math.min(status.modified, versionTime(held)) };
    }
    if (kind === "notebook") {
      // For a newer version, notebook editors only offer to overwrite or discard. The error of the save offers more.
      versions.noticed(path, server);
      return { ...status, modified: Math.min(status.modified, versionTime(versions.heldByEditor(path, kind) ?? base)) };
    }
    versions.reportConflict(path, server, kind);
    // An earlier session may have loaded this version before the user undid that.
    const loaded = versions.isRestored(path, kind) ? [server] : [];
    return { ...status, ...this.#unlike([...versions.assumable(path, kind), ...loaded], status) };
  }

  /**
   * A size and a date that the editor recognizes as newer. It ignores a newer version with the same size or date as the one
   * that it assumes for its copy. That may be any of these, or an earlier result of this function, if the user has reverted
   * the file after a conflict, also in an earlier session.
   */
  #unlike(
    assumable: readonly ContentVersion[],
    { size, modified }: Pick<FileStatus, "size" | "modified">,
  ): Pick<FileStatus, "size" | "modified"> {
    const sizes = new Set(assumable.map((version) => version.size));
    let other = size;
    while (sizes.has(other)) {
      other = size + 1 + randomInt(1_000_000);
    }
    this.#lastUnlike = Math.max(modified, Date.now(), this.#lastUnlike, ...assumable.map(versionTime)) + 1;
    return { size: other, modified: this.#lastUnlike };
  }

  /**
   * Before the editor saves a missing file, it creates missing folders. That save fails until the user decides to create
   * the file again, so don't let it create folders.
   */
  async #withFolderOfFailedSave(path: string, read: () => Promise<FileStatus>): Promise<FileStatus> {
    try {
      return await read();
    } catch (error) {
      const { path: missing, at } = this.#missing ?? { path: "", at: 0 };
      const isOfSave = missing.startsWith(`${path}/`) && this.#parts.now() - at <= folderReadDelayMs;
      if (!isOfSave || !(error instanceof FileError && error.kind === "notFound")) {
        throw error;
      }
      return { type: "directory", modified: 0, created: 0, size: 0, isReadonly: false };
    }
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
    const item = known.type === "present" ? known.item : cache.lastSeenItem(path);
    return item === undefined ? undefined : statusOf(item);
  }

  /**
   * The item from the read that the editor may send together with a `stat`. The cache could have an older version than
   * the one that the editor is about to show, and the next save would report a conflict that doesn't exist.
   */
  async #itemFromRead(path: string): Promise<ContentItem | undefined> {
    await this.#readMayCome.wait();
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
      return (await this.#itemFromRead(path)) ?? atOnce.item;
    }
    if (atOnce.type === "absent" && isProbe(path)) {
      throw notFound(path);
    }
    // The editor sends the read of a file together with its `stat`. One request serves both.
    this.#waiting.add(path);
    await this.#readMayCome.wait();
    const isAlone = this.#waiting.size - (this.#waiting.has(path) ? 1 : 0) === 0;
    this.#waiting.delete(path);
    for (const request of [contents.inFlight(path), directories.inFlight(parentOf(path))]) {
      if (request !== undefined) {
        await this.#readMayCome.ended(request);
      }
    }
    const afterwards = this.#cached(path);
    if (afterwards !== undefined) {
      return afterwards;
    }
    if (path === "") {
      return (await directories.list("")).directory;
    }
    if (isAlone && (await contents.readAhead(path).catch((error: unknown) => falseUnlessMissing(error)))) {
      const read = this.#cached(path);
      if (read !== undefined) {
        return read;
      }
    }
    for (const directory of directories.directoriesListing(path)) {
      await directories.listOrSet(directory);
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
function falseUnlessMissing(error: unknown): false {
  const isOfFile = error instanceof FileError ? error.kind !== "notFound" : causeOf(error)?.type === "status";
  if (!isOfFile) {
    throw error;
  }
  return false;
}
