import { isHiddenPath, isNotebookPath, nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem, ContentType } from "../../api/catalogue/models/contents.ts";
import { updateBodyFor } from "../../api/content-server/content-types.ts";
import { createItem, updateItem } from "../../api/content-server/contents.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { phrase } from "../../api/phrase.ts";
import { ConflictError, FileError, isDirectory, named, notFound } from "../errors.ts";
import type { MetadataReading } from "../read/directory-reading.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { PathLocks } from "../session/path-locks.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { bigFileIn, wholeSaveBytes } from "../session/size-limits.ts";
import type { WorkspaceEvents } from "../session/workspace-events.ts";
import type { LongTransfers } from "../transfer/long-transfers.ts";
import { type ContentVersion, versionOf, versionWritten } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { SaveJournal } from "./save-journal.ts";

/** What the editor asks of a write: may the file be new, may there be one already. */
interface WriteOptions {
  readonly create: boolean;
  readonly overwrite: boolean;
}

/** Runs before a write replaces a version of a file that is not the one it came from: the person may want it back. */
export type BeforeReplacing = (path: string, server: ContentVersion) => Promise<void>;

/** Above how many bytes a file is written in chunks, and how large these are: the API layer's own size when left out. */
export interface ChunkedSaves {
  readonly above: number;
  readonly chunkBytes?: number;
}

interface WritingParts {
  readonly server: ServerRequests;
  readonly locks: PathLocks;
  readonly cache: ListingCache;
  readonly versions: EditorVersions;
  readonly events: WorkspaceEvents;
  /** Loads with the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
  readonly journal: SaveJournal;
  readonly metadata: MetadataReading;
  readonly beforeReplacing: BeforeReplacing;
  readonly chunkedSaves: ChunkedSaves;
}

/** Writes of one workspace. No save replaces a version that the person has not seen. */
export class FileWriting {
  readonly #parts: WritingParts;
  /** False once the server turned out not to put chunks together. */
  #takesChunks = true;
  #hasToldOfTimeVersions = false;

  constructor(parts: WritingParts) {
    this.#parts = parts;
  }

  /** Writes the whole content of a file: one metadata request and one PUT, or the create flow for a new one. */
  write(path: string, bytes: Uint8Array, options: WriteOptions): Promise<void> {
    const { locks, cache, versions, metadata, beforeReplacing } = this.#parts;
    return locks.exclusively([path], async () => {
      const hint = cache.hint(path);
      if (options.create && hint.type === "absent" && versions.base(path) === undefined) {
        await this.#create(path, bytes);
        return;
      }
      const server = await metadata.statForWrite(path);
      if (server === undefined) {
        if (!options.create) {
          throw notFound(path);
        }
        await this.#create(path, bytes);
        return;
      }
      this.#refuseUnwritable(path, server, options);
      const version = versionOf(server);
      if (version === undefined) {
        throw new FileError(
          "incomplete",
          path,
          phrase`The server did not say which version of ${path} it has. Nothing was written.`,
        );
      }
      const verdict = versions.verdict(path, version);
      if (verdict === "conflict") {
        throw new ConflictError(path, version);
      }
      if (verdict === "replace") {
        await beforeReplacing(path, version);
      } else {
        await this.#tellTimeVersions(server, version);
      }
      await this.#replace(path, bytes, server);
    });
  }

  /** Where the server has no hashes, two versions of one size and one tick of its clock are the same to everybody. */
  async #tellTimeVersions(server: ContentItem, { hash, lastModified }: ContentVersion): Promise<void> {
    const isHashed = hash !== undefined || bigFileIn({ type: "present", item: server, age: 0 }) !== undefined;
    if (!isHashed && !this.#hasToldOfTimeVersions) {
      this.#hasToldOfTimeVersions = true;
      (await this.#parts.transfers()).tellTimeVersions(/\.\d*[1-9]/.test(lastModified) ? "moment" : "second");
    }
  }

  #refuseUnwritable(path: string, server: ContentItem, options: WriteOptions): void {
    if (server.type === "directory") {
      throw isDirectory(path);
    }
    if (options.create && !options.overwrite) {
      throw new FileError("exists", path, phrase`${path} already exists.`);
    }
    if (server.writable === false) {
      throw new FileError("readonly", path, phrase`${path} is read-only on the server.`);
    }
  }

  async #replace(path: string, bytes: Uint8Array, server: ContentItem): Promise<void> {
    const { cache, versions, events } = this.#parts;
    const placed = await this.#writeInChunks(path, bytes, server);
    const { item, isFile } =
      placed === undefined ? await this.#writeWhole(path, bytes) : { item: placed, isFile: true };
    cache.learn({ ...item, path, name: nameOf(path) });
    // A notebook is written in the server's own way.
    const version = isFile ? versionWritten(item, bytes, server.hash_algorithm) : versionOf(item);
    if (version === undefined) {
      versions.closed(path);
    } else {
      versions.written(path, version, bytes);
    }
    events.changed({ type: "changed", path });
  }

  async #writeWhole(
    path: string,
    bytes: Uint8Array,
  ): Promise<{ readonly item: ContentItem; readonly isFile: boolean }> {
    const body = updateBodyFor(path, bytes);
    const item = await this.#parentMissing(path, () =>
      this.#parts.server.request((client) => updateItem(client, path, bytes, body)),
    );
    return { item, isFile: body.type === "file" };
  }

  /** Undefined for content that is written in one piece. */
  async #writeInChunks(
    path: string,
    bytes: Uint8Array,
    server: ContentItem | undefined,
  ): Promise<ContentItem | undefined> {
    if (bytes.byteLength <= this.#parts.chunkedSaves.above || !this.#takesChunks || travelsAsNotebook(path, bytes)) {
      return undefined;
    }
    const { writeBigFile } = await import("./big-file-writing.ts");
    const item = await writeBigFile(this.#parts, { path, bytes, server }).catch((error: unknown) => {
      // Some of it may have happened. That the file is big stays known, as a hint of no age that answers anything.
      this.#parts.cache.invalidate(path);
      if (server !== undefined) {
        this.#parts.cache.learn({ ...server, path }, 0);
      }
      throw error;
    });
    this.#takesChunks = item !== "never";
    return item === "never" ? undefined : item;
  }

  /**
   * Creates in one directory follow each other: servers find a free default name and make it in two steps, and fail when
   * another create comes in between.
   */
  #createItem(path: string, bytes: Uint8Array | undefined, type: ContentType): ReturnType<typeof createItem> {
    const { server, locks } = this.#parts;
    return locks.exclusively([`create in ${parentOf(path)}`], () =>
      this.#refusals(path, () => server.request((client) => createItem(client, path, bytes, { type }))),
    );
  }

  async #create(path: string, bytes: Uint8Array): Promise<void> {
    const { cache, versions, events } = this.#parts;
    const type = isNotebookPath(path) ? "notebook" : "file";
    const placed = await this.#writeInChunks(path, bytes, undefined);
    const { item, written = placed } =
      placed === undefined ? await this.#createItem(path, bytes, type) : { item: placed };
    const last = { ...(written ?? item), path, name: nameOf(path) };
    cache.learn(last);
    const version = type === "file" ? versionWritten(last, bytes, undefined) : versionOf(last);
    if (version !== undefined) {
      versions.written(path, version, bytes);
    }
    events.changed({ type: "created", path });
  }

  /** Creates a directory: POST and PATCH, which fails when the name is taken. */
  createDirectory(path: string): Promise<void> {
    const { locks, cache, events, metadata } = this.#parts;
    return locks.exclusively([path], async () => {
      const known = cache.lookUp(path);
      if (path === "" || (known.type === "present" && (await metadata.statContent(path)) !== undefined)) {
        throw new FileError("exists", path, phrase`${named(path)} already exists.`);
      }
      const { item } = await this.#createItem(path, undefined, "directory");
      cache.forget(path);
      cache.learn({ ...item, path, name: nameOf(path), type: "directory" });
      events.changed({ type: "created", path });
    });
  }

  async #refusals<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#parentMissing(path, work);
    } catch (error) {
      // Somebody made it since it was last seen, or some of it happened: the next look has to find what is there.
      this.#parts.cache.invalidate(path);
      if (hasStatus(error, 409)) {
        throw new FileError("exists", path, phrase`${path} already exists on the server. Nothing was overwritten.`);
      }
      throw error;
    }
  }

  async #parentMissing<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (hasStatus(error, 404)) {
        const parent = parentOf(path);
        this.#parts.cache.forget(parent);
        throw new FileError(
          "notFound",
          parent,
          phrase`Cannot save ${path}: its folder ${named(parent)} does not exist.`,
        );
      }
      throw refusedName(path, error);
    }
  }
}

/** A notebook goes as one, in one piece, as long as a text can hold the whole of it. */
function travelsAsNotebook(path: string, bytes: Uint8Array): boolean {
  return isNotebookPath(path) && bytes.byteLength <= wholeSaveBytes;
}

/** Explains the status 400 of servers that refuse to write names that begin with a dot. Their own words name other files. */
export function refusedName(path: string, error: unknown): unknown {
  return hasStatus(error, 400) && isHiddenPath(path)
    ? new FileError("refused", path, phrase`The content server doesn't accept names that begin with a dot: ${path}.`)
    : error;
}
