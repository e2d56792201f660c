import type { FileChange } from "./workspace-events.ts";

/** How soon after an opening or a change the editor looks at the folders above it, in milliseconds. */
const revalidatesWithin = 3_000;

/** How soon it does so after the `stat` of a file that it is going to open, in milliseconds. */
const openingFollowsWithin = 1_000;

/** How long a listing that polling brought answers everybody who asks for it, in milliseconds. */
const pollServesFor = 2_000;

/**
 * Tells when the editor asks for folders again although nothing new is to be seen there. The Explorer reads every folder
 * that it shows again after one of our own changes, which is in what is known of the folders already, and the folders
 * above a file that is opened. Answering these from the cache saves a request for each folder.
 */
export class ExplorerRevalidation {
  readonly #now: () => number;
  /** Folders whose known listing has answered once since the last opening or change. */
  readonly #answered = new Set<string>();
  readonly #polled = new Map<string, number>();
  #changedAt = Number.NEGATIVE_INFINITY;
  #opened = { path: "", until: Number.NEGATIVE_INFINITY };

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Files changed, and what is known of their folders includes it. A changed content concerns no folder. */
  filesChanged(changes: readonly FileChange[]): void {
    if (changes.some((change) => change.type !== "changed")) {
      this.#changedAt = this.#now();
      this.#answered.clear();
    }
  }

  /** Polling has just listed a directory: what is known of it is current. */
  directoryPolled(path: string): void {
    this.#polled.set(path, this.#now());
  }

  /** A file is read: the editor is about to reveal it in its folders. */
  fileOpened(path: string): void {
    this.#opened = { path, until: this.#now() + revalidatesWithin };
    this.#answered.clear();
  }

  /** A file was looked for, and may be opened now: the editor reveals it before it reads it. */
  fileFound(path: string): void {
    const now = this.#now();
    if (now >= this.#opened.until) {
      this.#opened = { path, until: now + openingFollowsWithin };
      this.#answered.clear();
    }
  }

  /** True while the editor is expected to ask for a path again without anything new to see there. */
  isExpected(path: string): boolean {
    const now = this.#now();
    const isAboveOpened = path === "" || this.#opened.path.startsWith(`${path}/`);
    return now - this.#changedAt < revalidatesWithin || (isAboveOpened && now < this.#opened.until);
  }

  /**
   * True when a folder's known listing may answer: while it was polled just now, and else once for each opening or change.
   * Whoever asks again, such as a person who refreshes, wants to see the server's listing.
   */
  takeKnownListing(path: string): boolean {
    const polledAt = this.#polled.get(path);
    if (polledAt !== undefined && this.#now() - polledAt < pollServesFor) {
      return true;
    }
    if (!this.isExpected(path) || this.#answered.has(path)) {
      return false;
    }
    this.#answered.add(path);
    return true;
  }
}
