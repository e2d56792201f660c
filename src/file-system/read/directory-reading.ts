import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { getContent } from "../../api/catalogue/operations/contents.ts";
import type { RawAnswer } from "../../api/client/client.ts";
import { childrenOf } from "../../api/content-server/contents.ts";
import { parentOf } from "../../api/content-server/paths.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { FileError, named } from "../errors.ts";
import { ListingCache } from "../session/listing-cache.ts";
import { absentOr404 } from "../session/negative-cache.ts";
import type { WorkspaceSession } from "../session/workspace-session.ts";
import { type FileStatus, kindOf } from "./file-status.ts";
import type { MetadataReading } from "./metadata-reading.ts";

/** Expanding a folder asks for it twice in a row; a person who refreshes later wants to see what is there now. */
const listingFreshFor = 400;
/** A window that opens asks again and again: within its first seconds a listing serves for as long as the cache lets it. */
const openingTakes = 10_000;

export interface Listing {
  readonly directory: ContentItem;
  readonly children: readonly ContentItem[];
}

/** What is in the directories of one workspace. */
export class DirectoryReading {
  readonly #session: WorkspaceSession;
  readonly #metadata: MetadataReading;
  readonly #startedAt = Date.now();

  constructor(session: WorkspaceSession, metadata: MetadataReading) {
    this.#session = session;
    this.#metadata = metadata;
  }

  /** The names and types in a directory. */
  async entries(path: string): Promise<readonly { readonly name: string; readonly type: FileStatus["type"] }[]> {
    const known = this.#session.cache.lookUp(path);
    if (known.type === "present" && known.item.type !== "directory") {
      throw new FileError("notDirectory", path, `${path} is no directory.`);
    }
    const maximumAge = this.#session.takesListingAgain(path) ? Number.POSITIVE_INFINITY : this.#freshFor();
    const listing = this.#session.cache.listing(path, maximumAge) ?? (await this.list(path));
    return listing.children.map((child) => ({ name: child.name, type: kindOf(child) }));
  }

  #freshFor(): number {
    return Date.now() - this.#startedAt < openingTakes ? ListingCache.freshFor : listingFreshFor;
  }

  /** The directory as it was last seen, however long ago; undefined for one that was not looked into. */
  lastSeen(path: string): Listing | undefined {
    return this.#session.cache.listing(path, Number.POSITIVE_INFINITY);
  }

  /** The directory's listing of this moment. */
  list(path: string): Promise<Listing> {
    return this.#session.share(`list ${path}`, async () => {
      const askedAt = Date.now();
      let etag: string | undefined;
      const onAnswered = ({ headers }: RawAnswer): void => {
        etag = headers.etag;
      };
      const item = await absentOr404(this.#session, path, () =>
        this.#session.request((client) => client.call(getContent, { path, content: 1 }, { onAnswered })),
      ).catch((error: unknown) => this.#unlessFile(path, error));
      if (item.type !== "directory") {
        this.#session.cache.learn(item, askedAt);
        throw new FileError("notDirectory", path, `${named(path)} is no directory.`);
      }
      const children = childrenOf(item);
      this.#session.cache.learnListing({ ...item, path }, children, askedAt, { etag });
      return { directory: item, children };
    });
  }

  /** The same for what may turn out to be no directory, or not to be there: that is learned, too. */
  async listOrLearn(path: string): Promise<void> {
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
   * The directories whose listings tell of a path. The root tells of most things that are not there; a directory that was
   * seen before is asked for directly.
   */
  tellingOf(path: string): readonly string[] {
    const parent = parentOf(path);
    const before = this.#session.cache.lookUp(parent, Number.POSITIVE_INFINITY);
    const isRootFresh = this.#session.cache.listing("", ListingCache.freshFor) !== undefined;
    return parent === "" || isRootFresh || before.type === "present" ? [parent] : ["", parent];
  }

  /** A file whose content the server cannot read, as a broken notebook, is still no directory. */
  async #unlessFile(path: string, error: unknown): Promise<ContentItem> {
    const item = hasStatus(error, 400) ? await this.#metadata.check(path) : undefined;
    if (item === undefined) {
      throw error;
    }
    return item;
  }
}
