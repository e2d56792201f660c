import { LRUCache } from "lru-cache";
import { parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { getContent } from "../../api/catalogue/operations/content-reading.ts";
import type { RawResponse } from "../../api/client/client.ts";
import { checkedChildrenOf } from "../../api/content-server/children.ts";
import { statContent } from "../../api/content-server/file-content.ts";
import type { ListedFolder } from "../../api/content-server/folder-walk.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { phrase } from "../../api/phrase.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import { FileError, named } from "../errors.ts";
import type { ExplorerRevalidation } from "../session/explorer-revalidation.ts";
import { ListingCache } from "../session/listing-cache.ts";
import type { NegativeCache } from "../session/negative-cache.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { bigFileIn } from "../session/size-limits.ts";
import { versionOf, withVersionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { NotebookModels } from "./notebook-models.ts";

export type EntryKind = "file" | "directory";

/** The kind of an item. */
export function kindOf(item: ContentItem): EntryKind {
  return item.type === "directory" ? "directory" : "file";
}

/** Milliseconds for which the metadata of the editor's `stat` before a save serves the write that follows. */
const statFreshMs = 1_500;

/** Maximum number of files whose metadata is kept for a write. */
const maxForWrites = 100;

interface MetadataParts {
  readonly server: ServerRequests;
  readonly cache: ListingCache;
  readonly models: NotebookModels;
  readonly versions: EditorVersions;
  readonly now: () => number;
}

/** Reads the server's current metadata. */
export class MetadataReader {
  readonly #parts: MetadataParts;
  readonly #requests = new RequestSharing<ContentItem | undefined>();
  /** Metadata that was read for a save, so that the write doesn't request it again. */
  readonly #forWrites: LRUCache<string, { readonly item: ContentItem | undefined }>;

  constructor(parts: MetadataParts) {
    this.#parts = parts;
    this.#forWrites = new LRUCache({ max: maxForWrites, ttl: statFreshMs, ttlResolution: 0, perf: { now: parts.now } });
  }

  /**
   * Reads an item without its content; undefined if the server responds with 404. If its version is to be compared and
   * the server doesn't report it, the content is read for it.
   */
  statContent(path: string): Promise<ContentItem | undefined> {
    return this.#requests.run(path, async () => {
      const { server, cache, models, versions, now } = this.#parts;
      const askedAt = now();
      const before = cache.hint(path);
      const expected = before.type === "present" ? kindOf(before.item) : "file";
      const isModel = models.includes(path);
      const withHash = isModel || bigFileIn(before) === undefined;
      const item = await server.request(async (client) => {
        const status = await statContent(client, path, { expected, withHash, as: isModel ? "notebook" : "file" });
        const base = versions.base(path);
        const isUnknown = status !== undefined && kindOf(status) === "file" && versionOf(status)?.hash === undefined;
        if (!isUnknown || base === undefined || (versionOf(status) !== undefined && base.lastModified !== "")) {
          return status;
        }
        const read = await models.read(client, path);
        return read.type === "file" ? withVersionOf(read.bytes, read.item, true) : status;
      });
      if (item === undefined) {
        cache.setAbsent(path, askedAt);
      } else {
        cache.set({ ...item, path }, askedAt);
        const version = versionOf(item);
        if (version !== undefined) {
          versions.complete(path, version);
        }
      }
      return item;
    });
  }

  /** Keeps metadata for the write that may follow. */
  cacheForWrite(path: string, item: ContentItem | undefined): void {
    this.#forWrites.set(path, { item });
  }

  /** The metadata of the editor's `stat` before this write, or the current metadata. */
  async statForWrite(path: string): Promise<ContentItem | undefined> {
    const kept = this.#forWrites.get(path);
    this.#forWrites.delete(path);
    if (kept !== undefined) {
      return kept.item;
    }
    const item = await this.statContent(path);
    this.#forWrites.delete(path);
    return item;
  }
}

/**
 * Milliseconds for which a listing is fresh. Expanding a folder requests it twice in a row, but a later refresh must
 * show the current content.
 */
const listingFreshMs = 400;
/**
 * Milliseconds. A window that opens requests the same listings several times, so during this time, they stay fresh for
 * as long as the cache allows.
 */
const openingMs = 10_000;

/** A listing as it was last seen, without the items whose names can't be used. */
export type Listing = Pick<ListedFolder, "directory" | "children">;

interface DirectoryParts {
  readonly server: ServerRequests;
  readonly cache: ListingCache;
  readonly negativeCache: NegativeCache;
  readonly revalidation: ExplorerRevalidation;
  readonly metadata: MetadataReader;
  readonly now: () => number;
}

/** Reads the directories of one workspace. */
export class DirectoryReader {
  readonly #parts: DirectoryParts;
  readonly #requests = new RequestSharing<ListedFolder>();
  readonly #startedAt: number;

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    this.#startedAt = parts.now();
  }

  /** The names and types in a directory. */
  async entries(path: string): Promise<readonly { readonly name: string; readonly type: EntryKind }[]> {
    const { cache, revalidation } = this.#parts;
    const known = cache.lookUp(path);
    if (known.type === "present" && known.item.type !== "directory") {
      throw new FileError("notDirectory", path, phrase`${path} isn't a folder.`);
    }
    const maxAgeMs = revalidation.consumeKnownListing(path) ? Number.POSITIVE_INFINITY : this.#freshMs();
    const listing = cache.listing(path, maxAgeMs) ?? (await this.list(path));
    return listing.children.map((child) => ({ name: child.name, type: kindOf(child) }));
  }

  #freshMs(): number {
    return this.#parts.now() - this.#startedAt < openingMs ? ListingCache.freshMs : listingFreshMs;
  }

  /** The last known listing of a directory, however old; undefined if there is none. */
  lastSeen(path: string): Listing | undefined {
    return this.#parts.cache.lastSeen(path);
  }

  /** The current listing of a directory. */
  list(path: string): Promise<ListedFolder> {
    return this.share(path, async () => {
      const { server, cache, negativeCache, now } = this.#parts;
      const askedAt = now();
      let etag: string | undefined;
      const onResponse = ({ headers }: RawResponse): void => {
        etag = headers.etag;
      };
      const item = await negativeCache
        .request(path, () => server.request((client) => client.call(getContent, { path, content: 1 }, { onResponse })))
        .catch((error: unknown) => this.#unlessFile(path, error));
      if (item.type !== "directory") {
        cache.set(item, askedAt);
        throw new FileError("notDirectory", path, phrase`${named(path)} isn't a folder.`);
      }
      const { children, rejected } = checkedChildrenOf(item, path);
      cache.setListing({ ...item, path }, children, askedAt, { etag });
      return { directory: { ...item, path, content: null }, children, rejected };
    });
  }

  /** Lists a directory in the given way, unless its listing is pending. Then that listing serves both. */
  share(path: string, list: () => Promise<ListedFolder>): Promise<ListedFolder> {
    return this.#requests.run(path, list);
  }

  /** The pending listing; undefined if there is none. */
  inFlight(path: string): Promise<ListedFolder> | undefined {
    return this.#requests.inFlight(path);
  }

  /** Lists a path that may not exist or not be a directory. Caches that instead of throwing it. */
  async listOrSet(path: string): Promise<void> {
    try {
      await this.list(path);
    } catch (error) {
      const isAbsent = error instanceof FileError && (error.kind === "notFound" || error.kind === "notDirectory");
      if (!isAbsent) {
        throw error;
      }
    }
  }

  /**
   * The directories whose listings show whether a path exists. The root's listing is sufficient for most missing paths.
   * A directory that was listed before is listed again directly.
   */
  directoriesListing(path: string): readonly string[] {
    const parent = parentOf(path);
    const before = this.#parts.cache.hint(parent);
    const isRootFresh = this.#parts.cache.listing("", ListingCache.freshMs) !== undefined;
    return parent === "" || isRootFresh || before.type === "present" ? [parent] : ["", parent];
  }

  /** A file that the server can't read, such as an invalid notebook, is not a directory. */
  async #unlessFile(path: string, error: unknown): Promise<ContentItem> {
    const item = hasStatus(error, 400) ? await this.#parts.metadata.statContent(path) : undefined;
    if (item === undefined) {
      throw error;
    }
    return item;
  }
}
