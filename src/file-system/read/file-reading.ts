import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { WorkspaceSession } from "../session/workspace-session.ts";
import type { ContentVersion } from "../versions/content-version.ts";
import { ContentReading } from "./content-reading.ts";
import { DirectoryReading, type Listing } from "./directory-reading.ts";
import type { FileStatus } from "./file-status.ts";
import { MetadataReading } from "./metadata-reading.ts";
import { StatusReading } from "./status-reading.ts";

/** Reads, listings and metadata of one workspace, at the request costs that the listing cache makes possible. */
export class FileReading {
  readonly #metadata: MetadataReading;
  readonly #directories: DirectoryReading;
  readonly #contents: ContentReading;
  readonly #statuses: StatusReading;

  constructor(session: WorkspaceSession) {
    this.#metadata = new MetadataReading(session);
    this.#directories = new DirectoryReading(session, this.#metadata);
    this.#contents = new ContentReading(session, this.#metadata, this.#directories);
    this.#statuses = new StatusReading(session, this.#metadata, this.#directories, this.#contents);
  }

  /** The metadata of a path. For a file with unsaved changes it is the server's of this moment. */
  status(path: string): Promise<FileStatus> {
    return this.#statuses.status(path);
  }

  /** The names and types in a directory. */
  directory(path: string): Promise<readonly { readonly name: string; readonly type: FileStatus["type"] }[]> {
    return this.#directories.entries(path);
  }

  /** The directory's listing of this moment. */
  list(path: string): Promise<Listing> {
    return this.#directories.list(path);
  }

  /** A directory as it was last seen, however long ago; undefined for one that was not looked into. */
  lastSeen(path: string): Listing | undefined {
    return this.#directories.lastSeen(path);
  }

  /** A file's exact bytes. What came is the version that the editor's copy is of. */
  read(path: string): Promise<Uint8Array> {
    return this.#contents.read(path);
  }

  /** The server's bytes of this moment, to look at: the version that the editor's copy came from stays what it is. */
  async peek(path: string): Promise<Uint8Array> {
    return (await this.#contents.peek(path)).bytes;
  }

  /** The same with the version that they are; throws a FileError where the server does not tell it. */
  peekVersion(path: string): Promise<{ readonly bytes: Uint8Array; readonly version: ContentVersion }> {
    return this.#contents.peek(path);
  }

  /** The server's metadata of this moment; undefined for a real 404. */
  check(path: string): Promise<ContentItem | undefined> {
    return this.#metadata.check(path);
  }

  /** The look at the server that the editor's `stat` before this write has just taken, else a new one. */
  checkForWrite(path: string): Promise<ContentItem | undefined> {
    return this.#metadata.checkForWrite(path);
  }
}
