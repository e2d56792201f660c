import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { parentOf } from "../../api/content-server/paths.ts";
import { causeOf } from "../../api/http/errors.ts";
import { FileError, notFound } from "../errors.ts";
import { isProbe, seen } from "../session/negative-cache.ts";
import type { WorkspaceSession } from "../session/workspace-session.ts";
import { isSameVersion, timeOf, versionOf } from "../versions/content-version.ts";
import type { ContentReading } from "./content-reading.ts";
import type { DirectoryReading } from "./directory-reading.ts";
import { type FileStatus, statusOf } from "./file-status.ts";
import type { MetadataReading } from "./metadata-reading.ts";

/** How long a `stat` waits for the read that the editor sends along with it, in milliseconds. */
const readComesWithin = 8;
/** How old what is known of an open, unchanged file may be before a `stat` asks the server again. */
const openFileFreshFor = 2_000;
/** The same for a file with unsaved changes: the second `stat` of one gesture is answered, a later one asks. */
const dirtyFileFreshFor = 200;

/** What the paths of one workspace are. */
export class StatusReading {
  readonly #session: WorkspaceSession;
  readonly #metadata: MetadataReading;
  readonly #directories: DirectoryReading;
  readonly #contents: ContentReading;
  /** Paths whose read may come yet. */
  readonly #waiting = new Set<string>();

  constructor(
    session: WorkspaceSession,
    metadata: MetadataReading,
    directories: DirectoryReading,
    contents: ContentReading,
  ) {
    this.#session = session;
    this.#metadata = metadata;
    this.#directories = directories;
    this.#contents = contents;
  }

  /** The metadata of a path. For a file with unsaved changes it is the server's of this moment. */
  async status(path: string): Promise<FileStatus> {
    const { editors, versions } = this.#session;
    if (!editors.isOpen(path)) {
      return statusOf(path, await this.#known(path));
    }
    const isDirty = editors.isDirty(path);
    await this.#session.underWay(`read ${path}`)?.catch(() => undefined);
    const recent = this.#session.cache.lookUp(path, isDirty ? dirtyFileFreshFor : openFileFreshFor);
    const item = recent.type === "present" ? recent.item : await this.#metadata.check(path);
    if (isDirty && recent.type !== "present") {
      this.#metadata.keepForWrite(path, item);
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

  /** What is known of a path that no editor holds: from the cache, else from its directory's listing. */
  async #known(path: string): Promise<ContentItem> {
    const atOnce = seen(this.#session, path);
    if (atOnce.type === "present") {
      if (atOnce.item.type !== "directory") {
        this.#session.lookedFor(path);
      }
      return atOnce.item;
    }
    if (atOnce.type === "absent" && isProbe(path)) {
      throw notFound(path);
    }
    // The editor sends the read of a file along with its `stat`: one request answers both.
    this.#waiting.add(path);
    await new Promise((resolve) => setTimeout(resolve, readComesWithin));
    const isAlone = ![...this.#waiting].some((other) => other !== path);
    this.#waiting.delete(path);
    await Promise.allSettled([
      this.#session.underWay(`read ${path}`),
      this.#session.underWay(`list ${parentOf(path)}`),
    ]);
    const find = (): ContentItem | undefined => {
      const known = this.#session.cache.lookUp(path);
      if (known.type === "absent") {
        throw notFound(path);
      }
      return known.type === "present" ? known.item : undefined;
    };
    const afterwards = find();
    if (afterwards !== undefined) {
      return afterwards;
    }
    if (path === "") {
      return (await this.#directories.list("")).directory;
    }
    if (isAlone && (await this.#contents.readAhead(path).catch((error: unknown) => unlessOfFile(error)))) {
      const read = find();
      if (read !== undefined) {
        return read;
      }
    }
    for (const directory of this.#directories.tellingOf(path)) {
      await this.#directories.listOrLearn(directory);
      const listed = find();
      if (listed !== undefined) {
        return listed;
      }
    }
    const item = await this.#metadata.check(path);
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
