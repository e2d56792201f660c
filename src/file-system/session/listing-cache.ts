import { isNotebookPath, nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { PathMap } from "./path-map.ts";

/** The cached knowledge of a path. `age` is in milliseconds. */
export type Knowledge =
  | { readonly type: "present"; readonly item: ContentItem; readonly age: number }
  | { readonly type: "absent"; readonly age: number }
  | { readonly type: "unknown" };

interface Listing {
  readonly directory: ContentItem;
  readonly children: Map<string, ContentItem>;
  readonly at: number;
  readonly etag: string | undefined;
  readonly absentMs: number;
}

interface CachedItem {
  readonly item: ContentItem | undefined;
  readonly at: number;
}

/** Maximum number of directories whose invalidated listings are kept. The oldest are removed first. */
const maxLastSeen = 1_000;

/** Names that content servers omit from listings even if they exist. */
const unlisted = /^(?:__pycache__|.*\.py[co]|\.DS_Store|.*~)$/;

/**
 * The listing cache of one workspace.
 *
 * - It contains the children of each listed directory, and the metadata of each item that was read, written, or
 *   requested, but no file content.
 * - A fresh entry (`freshFor`, 5 s) is used instead of a request. It also shows that a path does not exist: a name
 *   that is not in its directory's fresh listing, and everything below a missing item or a file. Names that servers
 *   never list (`__pycache__`, `*.pyc`, `*~`) are not treated as missing.
 * - Our own writes update it immediately. `forget` removes a path and everything below it, and `clear` removes
 *   everything. `invalidate`, after a failed change, an explicit refresh, or a start of the workspace, keeps the
 *   listings as last seen, in case the server is unreachable.
 * - An entry that is not fresh is a hint: it determines which request is made first, and is returned only while the
 *   server can't be reached.
 * - A miss costs one request: the listing of the directory.
 * - Polling keeps it current. A polled listing replaces the cached one, but shows missing items only for a second,
 *   because the user did not request it, and a kernel can create a file at any time. A listing keeps its ETag for
 *   polling.
 */
export class ListingCache {
  readonly #listings = new PathMap<Listing>();
  readonly #cached = new PathMap<CachedItem>();
  /** Invalidated listings that were not read again. */
  readonly #lastSeen = new PathMap<Listing>();
  readonly #now: () => number;
  /** True if a listing contained a script as a notebook, as those of servers with jupytext do. */
  hasScriptNotebooks = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  static readonly freshMs = 5_000;

  /**
   * Stores a directory's listing, with the time of the request, and the ETag if there is one. It proves that items are
   * missing while it is fresh, or for this number of milliseconds.
   */
  setListing(
    directory: ContentItem,
    children: readonly ContentItem[],
    askedAt: number,
    {
      etag,
      absentMs = Number.POSITIVE_INFINITY,
    }: { readonly etag?: string | undefined; readonly absentMs?: number } = {},
  ): void {
    this.hasScriptNotebooks ||= children.some(({ path, type }) => type === "notebook" && !isNotebookPath(path));
    this.#replaceLastSeen(directory.path, children);
    this.#listings.set(directory.path, {
      directory: withoutBody(directory),
      children: new Map(children.map((child) => [child.name, withoutBody(child)])),
      at: askedAt,
      etag,
      absentMs,
    });
    for (const child of children) {
      const cached = this.#cached.get(child.path);
      if (cached !== undefined && cached.at <= askedAt) {
        this.#cached.delete(child.path);
      }
    }
  }

  /**
   * Stores an item: from a read, a metadata request, or our own write. A slow response does not replace a newer one.
   */
  set(item: ContentItem, askedAt = this.#now()): void {
    if (this.#knowsNewer(item.path, askedAt)) {
      return;
    }
    const known = withoutBody(item);
    this.#cached.set(item.path, { item: known, at: askedAt });
    this.#listings.get(parentOf(item.path))?.children.set(nameOf(item.path), known);
  }

  /** Records that a path does not exist, unless something newer is known. */
  setAbsent(path: string, askedAt = this.#now()): void {
    if (this.#knowsNewer(path, askedAt)) {
      return;
    }
    this.delete(path);
    this.#cached.set(path, { item: undefined, at: askedAt });
    this.#listings.get(parentOf(path))?.children.delete(nameOf(path));
  }

  /** Removes a path and everything below it. */
  delete(path: string): void {
    for (const known of [this.#listings, this.#cached, this.#lastSeen]) {
      known.deleteWithin(path);
    }
  }

  /** Removes a path, everything below it, and the directories above it. Their listings remain as last seen. */
  invalidate(path: string): void {
    const affected = new Map([...this.#lastSeen.within(path), ...this.#listings.within(path)]);
    this.delete(path);
    for (let directory = path; directory !== ""; ) {
      directory = parentOf(directory);
      const listing = this.#listings.get(directory);
      if (listing !== undefined) {
        affected.set(directory, listing);
      }
      this.#listings.delete(directory);
      this.#cached.delete(directory);
    }
    for (const [key, listing] of [...affected].sort(([, one], [, other]) => one.at - other.at)) {
      this.#lastSeen.delete(key);
      this.#lastSeen.set(key, listing);
    }
    for (const oldest of this.#lastSeen.keys()) {
      if (this.#lastSeen.size <= maxLastSeen) {
        break;
      }
      this.#lastSeen.delete(oldest);
    }
  }

  clear(): void {
    this.#listings.clear();
    this.#cached.clear();
    this.#lastSeen.clear();
  }

  /** The last known listing of a directory, regardless of its age, even after it was invalidated. */
  lastSeen(path: string): (Pick<Listing, "directory"> & { readonly children: readonly ContentItem[] }) | undefined {
    const listing = this.#listings.get(path) ?? this.#lastSeen.get(path);
    return listing === undefined
      ? undefined
      : { directory: listing.directory, children: [...listing.children.values()] };
  }

  /** The item of a path in the last known listing of its directory, regardless of its age. */
  lastSeenItem(path: string): ContentItem | undefined {
    const directory = parentOf(path);
    return (this.#listings.get(directory) ?? this.#lastSeen.get(directory))?.children.get(nameOf(path));
  }

  /** The cached listing of a directory, up to a maximum age in milliseconds. */
  listing(
    path: string,
    maxAgeMs: number = Number.POSITIVE_INFINITY,
  ):
    | {
        readonly directory: ContentItem;
        readonly children: readonly ContentItem[];
        readonly etag: string | undefined;
      }
    | undefined {
    const listing = this.#listings.get(path);
    return listing === undefined || this.#age(listing.at) > maxAgeMs
      ? undefined
      : { directory: listing.directory, children: [...listing.children.values()], etag: listing.etag };
  }

  /** The cached knowledge of a path, up to a maximum age in milliseconds. */
  lookUp(path: string, maxAgeMs: number = ListingCache.freshMs): Knowledge {
    const cached = this.#cached.get(path);
    const own = cached !== undefined && this.#age(cached.at) <= maxAgeMs ? cached : undefined;
    const listed = this.#fromListing(path, maxAgeMs);
    if (own !== undefined && (listed.type === "unknown" || this.#age(own.at) <= listed.age)) {
      const age = this.#age(own.at);
      return own.item === undefined ? { type: "absent", age } : { type: "present", item: own.item, age };
    }
    return listed;
  }

  /**
   * The last known state of a path, regardless of its age. Use it only to decide which request to make first, and while
   * the server can't be reached.
   */
  hint(path: string): Knowledge {
    return this.lookUp(path, Number.POSITIVE_INFINITY);
  }

  /** Removes the last known listing of a directory, and those of the directories that it no longer contains. */
  #replaceLastSeen(directory: string, children: readonly ContentItem[]): void {
    const contained = new Set(children.filter(({ type }) => type === "directory").map(({ name }) => name));
    for (const [key] of this.#lastSeen.within(directory)) {
      const below = directory === "" ? key : key.slice(directory.length + 1);
      const [name = ""] = below.split("/", 1);
      if (key === directory || !contained.has(name)) {
        this.#lastSeen.delete(key);
      }
    }
  }

  #fromListing(path: string, maxAgeMs: number): Knowledge {
    const self = this.#listings.get(path);
    if (self !== undefined && this.#age(self.at) <= maxAgeMs) {
      return { type: "present", item: self.directory, age: this.#age(self.at) };
    }
    if (path === "") {
      return { type: "unknown" };
    }
    const listing = this.#listings.get(parentOf(path));
    if (listing !== undefined && this.#age(listing.at) <= maxAgeMs) {
      const name = nameOf(path);
      const item = listing.children.get(name);
      if (item !== undefined) {
        return { type: "present", item, age: this.#age(listing.at) };
      }
      const age = this.#age(listing.at);
      const isKnown = age <= listing.absentMs || maxAgeMs === Number.POSITIVE_INFINITY;
      return unlisted.test(name) || !isKnown ? { type: "unknown" } : { type: "absent", age };
    }
    const parent = this.lookUp(parentOf(path), maxAgeMs);
    const isNoDirectory = parent.type === "present" && parent.item.type !== "directory";
    return parent.type === "absent" || isNoDirectory ? { type: "absent", age: parent.age } : { type: "unknown" };
  }

  /** True if a write, or a later request, has already changed what is known about the path. */
  #knowsNewer(path: string, askedAt: number): boolean {
    const times = [this.#cached.get(path)?.at, this.#listings.get(parentOf(path))?.at, this.#listings.get(path)?.at];
    return times.some((at) => at !== undefined && at > askedAt);
  }

  #age(at: number): number {
    return this.#now() - at;
  }
}

function withoutBody(item: ContentItem): ContentItem {
  return item.content === null ? item : { ...item, content: null };
}
