import { isHiddenPath, isNotebookPath, nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem, ContentType } from "../../api/catalogue/models/contents.ts";
import { type ByteSource, wholeOf } from "../../api/content-server/byte-source.ts";
import { updateBodyFor } from "../../api/content-server/content-types.ts";
import { createItem, updateItem } from "../../api/content-server/contents.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { phrase } from "../../api/phrase.ts";
import { ConflictError, FileError, incomplete, isDirectory, named, notFound } from "../errors.ts";
import type { ContentReader } from "../read/content-reader.ts";
import type { MetadataReader } from "../read/directory-reader.ts";
import type { NotebookModels } from "../read/notebook-models.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { OpenEditors, SavedCopy } from "../session/open-documents.ts";
import type { PathLocks } from "../session/path-locks.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { bigFileIn, wholeSaveBytes } from "../session/size-limits.ts";
import type { WorkspaceEvents } from "../session/workspace-events.ts";
import type { LongTransfers, TransferControl } from "../transfer/long-transfers.ts";
import { type ContentVersion, versionOf } from "../versions/content-version.ts";
import type { CopyKind, EditorVersions } from "../versions/editor-versions.ts";
import type { RecentSaves } from "../versions/recent-saves.ts";
import { missingFolderOf } from "./missing-folder.ts";
import { mergeSameContent } from "./same-content.ts";
import type { SaveJournal } from "./save-journal.ts";
import type { UnconfirmedSaves } from "./unconfirmed-saves.ts";
import { versionAfter } from "./written-version.ts";

/** The editor's options of a write: whether the file can be created, and whether it can be replaced. */
export interface WriteOptions {
  readonly create: boolean;
  readonly overwrite: boolean;
  /** Of a transfer whose progress is already shown. */
  readonly control?: TransferControl | undefined;
}

/** What a write sends. */
interface SentContent {
  readonly content: Uint8Array | ByteSource;
  readonly control: TransferControl | undefined;
}

/** Called before a write replaces a version that the file is not based on, in case the user wants it back. */
export type BeforeReplacing = (path: string, server: ContentVersion) => Promise<void>;

/** The size above which a file is written in chunks, and the size of a chunk (default: the API layer's), in bytes. */
export interface ChunkedSaves {
  readonly above: number;
  readonly chunkBytes?: number;
}

interface FileWriterParts {
  readonly server: ServerRequests;
  readonly locks: PathLocks;
  readonly cache: ListingCache;
  readonly versions: EditorVersions;
  readonly editors: Pick<OpenEditors, "isDirty" | "saving">;
  readonly events: WorkspaceEvents;
  /** Loaded by the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
  readonly journal: SaveJournal;
  readonly unconfirmed: UnconfirmedSaves;
  readonly metadata: MetadataReader;
  readonly models: NotebookModels;
  readonly recentSaves: RecentSaves;
  readonly contents: Pick<ContentReader, "peek">;
  readonly beforeReplacing: BeforeReplacing;
  readonly chunkedSaves: ChunkedSaves;
}

/** Writes the files of one workspace. No save replaces a version that the user has not seen. */
export class FileWriter {
  readonly #parts: FileWriterParts;
  /** False after the server failed to join chunks. */
  #takesChunks = true;
  #hasWarnedOfTimeVersions = false;

  constructor(parts: FileWriterParts) {
    this.#parts = parts;
  }

  /**
   * Writes the complete content of a file: with one metadata request and one PUT, or by creating a new file. Content that
   * no editor has can be a source, which is read in parts if the server accepts chunks.
   */
  write(path: string, content: Uint8Array | ByteSource, options: WriteOptions): Promise<void> {
    const { locks, cache, editors, metadata, models, beforeReplacing, unconfirmed, versions } = this.#parts;
    return locks.exclusively([path], async () => {
      const hint = cache.hint(path);
      const saving = content instanceof Uint8Array ? editors.saving(path, content) : [];
      const sent = { content, control: options.control };
      const kind = saving[0]?.kind;
      const isNew = versions.base(path, kind) === undefined && !versions.mustExist(path, kind);
      if (options.create && hint.type === "absent" && isNew) {
        await this.#create(path, sent, kind);
        return;
      }
      const server = await metadata.statForWrite(path);
      if (server === undefined) {
        if (!options.create) {
          throw notFound(path);
        }
        if (saving.some((copy) => versions.mustExist(path, copy.kind))) {
          throw new ConflictError(path, undefined, editors.isDirty(path));
        }
        await this.#create(path, sent, kind);
        return;
      }
      this.#refuseUnwritable(path, server, options);
      const version = versionOf(server);
      if (version === undefined) {
        if (kind !== undefined || versions.base(path) !== undefined) {
          throw incomplete(path);
        }
        await this.#replace(path, sent, server, saving[0]);
        return;
      }
      if (content instanceof Uint8Array) {
        await mergeSameContent(this.#parts, { path, content, server: version }, saving);
      }
      const verdict = this.#verdict(path, version, saving);
      const isOwn =
        verdict === "conflict" &&
        saving.length <= 1 &&
        (await unconfirmed.takeOwn(this.#parts, path, version, saving[0]));
      if (verdict === "conflict" && !isOwn) {
        throw new ConflictError(path, version, editors.isDirty(path));
      }
      // The server converts a notebook of an older format when it is saved.
      if (verdict === "replace" || models.problemOf(path)?.isConverted === true) {
        await beforeReplacing(path, version);
      } else {
        await this.#warnOfTimeVersions(server, version);
      }
      await this.#replace(path, sent, server, saving[0]);
    });
  }

  /** The effect of a save on the server's version. If it is unknown which copy is saved, each of them must allow it. */
  #verdict(path: string, server: ContentVersion, saving: readonly SavedCopy[]): "same" | "replace" | "conflict" {
    const { versions } = this.#parts;
    const verdicts =
      saving.length === 0
        ? [versions.verdict(path, server)]
        : saving.map(({ kind, key }) => versions.verdict(path, server, kind, key));
    return verdicts.find((one) => one === "conflict") ?? verdicts.find((one) => one === "replace") ?? "same";
  }

  /**
   * Reports once that the server has no hashes, so that versions with the same size and date can't be distinguished.
   */
  async #warnOfTimeVersions(server: ContentItem, { hash, lastModified }: ContentVersion): Promise<void> {
    const isHashed = hash !== undefined || bigFileIn({ type: "present", item: server, age: 0 }) !== undefined;
    if (!isHashed && !this.#hasWarnedOfTimeVersions) {
      this.#hasWarnedOfTimeVersions = true;
      (await this.#parts.transfers()).warnOfTimeVersions(/\.\d*[1-9]/.test(lastModified) ? "moment" : "second");
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

  async #replace(path: string, sent: SentContent, server: ContentItem, copy: SavedCopy | undefined): Promise<void> {
    const { cache, recentSaves, versions, events } = this.#parts;
    const kind = copy?.kind;
    const era = versions.eraOf(path, kind, copy?.key);
    const before = { version: versions.base(path, kind), bytes: versions.baseContent(path, kind) };
    const placed = await this.#writeInChunks(path, sent, server);
    const { item, isFile, bytes } =
      placed === undefined
        ? await this.#writeWhole(path, await wholeOf(sent.content), kind)
        : { item: placed, isFile: true, bytes: inMemory(sent) };
    cache.set({ ...item, path, name: nameOf(path) });
    const written =
      bytes === undefined
        ? { version: versionOf(item), bytes }
        : await versionAfter(this.#parts, { path, bytes, item, isFile, before: server });
    if (written.version === undefined) {
      versions.closed(path);
    } else {
      if (kind !== undefined && bytes !== undefined && before.version !== undefined && before.bytes !== undefined) {
        const { version, bytes: content } = before;
        recentSaves.saved(path, { kind, before: { version, bytes: content }, saved: bytes });
      }
      versions.written(path, written.version, written.bytes, kind, era);
    }
    events.changed({ type: "changed", path });
  }

  async #writeWhole(
    path: string,
    bytes: Uint8Array,
    kind: CopyKind | undefined,
  ): Promise<{ readonly item: ContentItem; readonly isFile: boolean; readonly bytes: Uint8Array }> {
    const body = updateBodyFor(path, bytes);
    const { models, server, unconfirmed, versions } = this.#parts;
    models.record(path, bytes);
    const item = await unconfirmed
      .follow(path, { bytes, kind, base: versions.base(path, kind) }, () =>
        server.request((client) => updateItem(client, path, bytes, body)),
      )
      .catch(async (error: unknown) => {
        throw hasStatus(error, 404) ? await this.#notUpdated(path, kind) : refusedName(path, error);
      });
    return { item, isFile: body.type === "file", bytes };
  }

  /** Writes content in chunks; undefined if it must be written in one request. */
  async #writeInChunks(
    path: string,
    { content, control }: SentContent,
    server: ContentItem | undefined,
  ): Promise<ContentItem | undefined> {
    const { byteLength } = content;
    if (byteLength <= this.#parts.chunkedSaves.above || !this.#takesChunks || travelsAsNotebook(path, byteLength)) {
      return undefined;
    }
    const { writeBigFile } = await import("./big-file-writer.ts");
    const item = await writeBigFile(this.#parts, { path, content, server, control }).catch((error: unknown) => {
      // The write may have been partially done. Keep the size as a hint, so that the file is still treated as large.
      this.#parts.cache.invalidate(path);
      if (server !== undefined) {
        this.#parts.cache.set({ ...server, path }, 0);
      }
      throw error;
    });
    this.#takesChunks = item !== "never";
    return item === "never" ? undefined : item;
  }

  /**
   * Creates an item. Creates in the same directory are serialized, because the name of one item could be the default
   * name that the server is choosing for another.
   */
  #createItem(path: string, bytes: Uint8Array | undefined, type: ContentType): ReturnType<typeof createItem> {
    const { server, locks } = this.#parts;
    return locks.exclusively([`create in ${parentOf(path)}`], () =>
      this.#refusals(path, () => server.request((client) => createItem(client, path, bytes, { type }))),
    );
  }

  async #create(path: string, sent: SentContent, kind: CopyKind | undefined): Promise<void> {
    const { cache, events, models, versions } = this.#parts;
    const type = isNotebookPath(path) ? "notebook" : "file";
    const placed = await this.#writeInChunks(path, sent, undefined);
    const bytes = placed === undefined ? await wholeOf(sent.content) : inMemory(sent);
    if (bytes !== undefined) {
      models.record(path, bytes);
    }
    const { item, written = placed } =
      placed === undefined ? await this.#createItem(path, bytes, type) : { item: placed };
    const last = { ...(written ?? item), path, name: nameOf(path) };
    cache.set(last);
    const isFile = type === "file";
    const after =
      bytes === undefined
        ? { version: versionOf(last), bytes }
        : await versionAfter(this.#parts, { path, bytes, item: last, isFile });
    if (after.version !== undefined) {
      versions.written(path, after.version, after.bytes, kind);
    }
    events.changed({ type: "created", path });
  }

  /** Creates a directory with POST and PATCH. Throws a FileError if the name exists. */
  createDirectory(path: string): Promise<void> {
    const { locks, cache, events, metadata } = this.#parts;
    return locks.exclusively([path], async () => {
      const known = cache.lookUp(path);
      if (path === "" || (known.type === "present" && (await metadata.statContent(path)) !== undefined)) {
        throw new FileError("exists", path, phrase`${named(path)} already exists.`);
      }
      const { item } = await this.#createItem(path, undefined, "directory");
      cache.delete(path);
      cache.set({ ...item, path, name: nameOf(path), type: "directory" });
      events.changed({ type: "created", path });
    });
  }

  async #refusals<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // Someone created it meanwhile, or it was partially created. The next read must request the current state.
      this.#parts.cache.invalidate(path);
      if (hasStatus(error, 409)) {
        throw new FileError("exists", path, phrase`${path} already exists on the server. Nothing was overwritten.`);
      }
      throw (hasStatus(error, 404) ? await this.#withoutFolder(path) : undefined) ?? refusedName(path, error);
    }
  }

  /**
   * Explains the 404 of an update. The file may have been deleted after the check, on a server whose PUT creates no
   * files.
   */
  async #notUpdated(path: string, kind: CopyKind | undefined): Promise<FileError> {
    this.#parts.cache.invalidate(path);
    const withoutFolder = await this.#withoutFolder(path);
    if (withoutFolder === undefined && kind !== undefined) {
      return new ConflictError(path, undefined, this.#parts.editors.isDirty(path));
    }
    return (
      withoutFolder ??
      new FileError(
        "notFound",
        path,
        phrase`Can't save ${path}: it no longer exists on the server. Save again to create it.`,
      )
    );
  }

  /** The error of a save whose folder does not exist; undefined if the server does not report that. */
  async #withoutFolder(path: string): Promise<FileError | undefined> {
    const folder = await missingFolderOf(this.#parts.metadata, path);
    return folder === undefined
      ? undefined
      : new FileError("notFound", folder, phrase`Can't save ${path}: its folder ${folder} doesn't exist.`);
  }
}

/** True for notebooks that are written as notebooks, which is possible up to the size limit of a string. */
function travelsAsNotebook(path: string, size: number): boolean {
  return isNotebookPath(path) && size <= wholeSaveBytes;
}

function inMemory({ content }: SentContent): Uint8Array | undefined {
  return content instanceof Uint8Array ? content : undefined;
}

/** Explains a 400 from servers that reject names with a leading dot. Their own message mentions other files. */
export function refusedName(path: string, error: unknown): unknown {
  return hasStatus(error, 400) && isHiddenPath(path)
    ? new FileError("refused", path, phrase`The content server doesn't accept names that begin with a dot: ${path}.`)
    : error;
}
