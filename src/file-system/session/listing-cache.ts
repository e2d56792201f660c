import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";

/** What is known of a path, and since how many milliseconds. */
export type Knowledge =
  | { readonly type: "present"; readonly item: ContentItem; readonly age: number }
  | { readonly type: "absent"; readonly age: number }
  | { readonly type: "unknown" };

interface Listing {
  readonly directory: ContentItem;
  readonly children: Map<string, ContentItem>;
  readonly at: number;
  readonly etag: string | undefined;
  readonly absentFor: number;
}

interface Learned {
  readonly item: ContentItem | undefined;
  readonly at: number;
}

/** Names that a content server leaves out of its listings though they are there. */
const unlisted = /^(?:__pycache__|.*\.py[co]|\.DS_Store|.*~)$/;

/**
 * The listing cache of one workspace.
 *
 * - It holds the children of each directory that was listed, and the metadata of each item that was read, written or
 *   asked for by itself; never a body.
 * - A fresh entry (`freshFor`, 5 s) answers instead of the server. It also answers "not there": for a name that is not in
 *   its directory's fresh listing, and for everything below what is absent or no directory. Names that servers never
 *   list (`__pycache__`, `*.pyc`, `*~`) are not concluded to be absent.
 * - Our own writes change it in place at once. `forget` drops a path and all below it, `clear` everything (an explicit
 *   refresh, a start of the workspace).
 * - After that time an entry is a hint: it decides which request is made first, never an answer.
 * - A miss costs one request: the listing of the directory.
 * - Watching keeps it right: what a look at a directory brings replaces the listing, and answers "not there" for a second
 *   alone: nobody asked for it, and a kernel may make a file at any time. For looks a listing keeps the ETag that it came
 *   with.
 */
export class ListingCache {
  readonly #listings = new Map<string, Listing>();
  readonly #learned = new Map<string, Learned>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  static readonly freshFor = 5_000;

  /**
   * Takes a directory's listing that was asked for at the given time, with its ETag where the answer had one. It answers
   * "not there" for as long as it is fresh, or for that many milliseconds.
   */
  learnListing(
    directory: ContentItem,
    children: readonly ContentItem[],
    askedAt: number,
    {
      etag,
      absentFor = Number.POSITIVE_INFINITY,
    }: { readonly etag?: string | undefined; readonly absentFor?: number } = {},
  ): void {
    this.#listings.set(directory.path, {
      directory: withoutBody(directory),
      children: new Map(children.map((child) => [child.name, withoutBody(child)])),
      at: askedAt,
      etag,
      absentFor,
    });
    for (const child of children) {
      const learned = this.#learned.get(child.path);
      if (learned !== undefined && learned.at <= askedAt) {
        this.#learned.delete(child.path);
      }
    }
  }

  /** Takes what is known of one item now: from a read, a metadata request or our own write. */
  learn(item: ContentItem, askedAt = this.#now()): void {
    const known = withoutBody(item);
    this.#learned.set(item.path, { item: known, at: askedAt });
    this.#listings.get(parentOf(item.path))?.children.set(nameOf(item.path), known);
  }

  /** Records that a path does not exist. */
  learnAbsent(path: string, askedAt = this.#now()): void {
    this.forget(path);
    this.#learned.set(path, { item: undefined, at: askedAt });
    this.#listings.get(parentOf(path))?.children.delete(nameOf(path));
  }

  /** Drops what is known of a path and of everything below it. */
  forget(path: string): void {
    const below = `${path}/`;
    for (const known of [this.#listings, this.#learned]) {
      for (const key of known.keys()) {
        if (key === path || key.startsWith(below) || path === "") {
          known.delete(key);
        }
      }
    }
  }

  /** Drops what is known of a path, of everything below it, and of the directories that it is in. */
  invalidate(path: string): void {
    this.forget(path);
    for (let directory = path; directory !== ""; ) {
      directory = parentOf(directory);
      this.#listings.delete(directory);
      this.#learned.delete(directory);
    }
  }

  clear(): void {
    this.#listings.clear();
    this.#learned.clear();
  }

  /** What a directory's listing says, when it is no older than that, in milliseconds. */
  listing(
    path: string,
    maximumAge: number = Number.POSITIVE_INFINITY,
  ):
    | {
        readonly directory: ContentItem;
        readonly children: readonly ContentItem[];
        readonly etag: string | undefined;
      }
    | undefined {
    const listing = this.#listings.get(path);
    return listing === undefined || this.#age(listing.at) > maximumAge
      ? undefined
      : { directory: listing.directory, children: [...listing.children.values()], etag: listing.etag };
  }

  /** What is known of a path from entries no older than that. */
  lookUp(path: string, maximumAge: number = ListingCache.freshFor): Knowledge {
    const learned = this.#learned.get(path);
    const own = learned !== undefined && this.#age(learned.at) <= maximumAge ? learned : undefined;
    const listed = this.#fromListing(path, maximumAge);
    if (own !== undefined && (listed.type === "unknown" || this.#age(own.at) <= listed.age)) {
      const age = this.#age(own.at);
      return own.item === undefined ? { type: "absent", age } : { type: "present", item: own.item, age };
    }
    return listed;
  }

  /** What was last known of a path, however long ago: it decides which request is made first, never an answer. */
  hint(path: string): Knowledge {
    return this.lookUp(path, Number.POSITIVE_INFINITY);
  }

  #fromListing(path: string, maximumAge: number): Knowledge {
    const self = this.#listings.get(path);
    if (self !== undefined && this.#age(self.at) <= maximumAge) {
      return { type: "present", item: self.directory, age: this.#age(self.at) };
    }
    if (path === "") {
      return { type: "unknown" };
    }
    const listing = this.#listings.get(parentOf(path));
    if (listing !== undefined && this.#age(listing.at) <= maximumAge) {
      const name = nameOf(path);
      const item = listing.children.get(name);
      if (item !== undefined) {
        return { type: "present", item, age: this.#age(listing.at) };
      }
      const age = this.#age(listing.at);
      const isTold = age <= listing.absentFor || maximumAge === Number.POSITIVE_INFINITY;
      return unlisted.test(name) || !isTold ? { type: "unknown" } : { type: "absent", age };
    }
    const parent = this.lookUp(parentOf(path), maximumAge);
    const isNoDirectory = parent.type === "present" && parent.item.type !== "directory";
    return parent.type === "absent" || isNoDirectory ? { type: "absent", age: parent.age } : { type: "unknown" };
  }

  #age(at: number): number {
    return this.#now() - at;
  }
}

function withoutBody(item: ContentItem): ContentItem {
  return item.content === null ? item : { ...item, content: null };
}
