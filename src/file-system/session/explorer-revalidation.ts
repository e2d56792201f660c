import { LRUCache } from "lru-cache";
import type { FileChange } from "./workspace-events.ts";

/** Milliseconds after a file was opened or changed during which the editor reads the parent folders. */
const revalidationMs = 3_000;

/** Milliseconds after the `stat` of a file during which the editor may open it. */
const openingDelayMs = 1_000;

/** Milliseconds for which a polled listing serves all requests. */
const pollFreshMs = 2_000;

/** Maximum number of folders that are known to have just been listed. */
const maxPolled = 1_000;

/**
 * Predicts when the editor requests folders again without a change on the server. After our own changes, which are
 * already in the cache, the Explorer reads all visible folders again. When a file is opened, it reads the parent
 * folders. Serving these from the cache saves one request per folder.
 */
export class ExplorerRevalidation {
  readonly #now: () => number;
  /** Folders whose cached listing has been used since a file was last opened or changed. */
  readonly #responded = new Set<string>();
  /** Folders that the polling has just listed. */
  readonly #polled: LRUCache<string, true>;
  #changedAt = Number.NEGATIVE_INFINITY;
  #opened = { path: "", until: Number.NEGATIVE_INFINITY };

  constructor(now: () => number) {
    this.#now = now;
    this.#polled = new LRUCache({ max: maxPolled, ttl: pollFreshMs, ttlResolution: 0, perf: { now } });
  }

  /** Call this after changes that are already in the cache. Changed file content doesn't affect folders. */
  filesChanged(changes: readonly FileChange[]): void {
    if (changes.some((change) => change.type !== "changed")) {
      this.#changedAt = this.#now();
      this.#responded.clear();
    }
  }

  /** Call this after the polling has listed a directory. */
  directoryPolled(path: string): void {
    this.#polled.set(path, true);
  }

  /** Call this when a file is read. The editor is about to reveal it in its folders. */
  fileOpened(path: string): void {
    this.#opened = { path, until: this.#now() + revalidationMs };
    this.#responded.clear();
  }

  /** Call this after the `stat` of a file. The editor reveals a file before it reads it. */
  fileFound(path: string): void {
    const now = this.#now();
    if (now >= this.#opened.until) {
      this.#opened = { path, until: now + openingDelayMs };
      this.#responded.clear();
    }
  }

  /** True while the editor is expected to request a path again without a change. */
  isExpected(path: string): boolean {
    const now = this.#now();
    const isAboveOpened = path === "" || this.#opened.path.startsWith(`${path}/`);
    return now - this.#changedAt < revalidationMs || (isAboveOpened && now < this.#opened.until);
  }

  /**
   * True if a folder's cached listing can be used: if it was just polled, or once after a file was opened or changed.
   * Any other request, for example by a user who refreshes, gets the server's listing.
   */
  consumeKnownListing(path: string): boolean {
    if (this.#polled.has(path)) {
      return true;
    }
    if (!this.isExpected(path) || this.#responded.has(path)) {
      return false;
    }
    this.#responded.add(path);
    return true;
  }
}
