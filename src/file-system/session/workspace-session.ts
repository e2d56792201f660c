import { parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentClient } from "../../api/client/client.ts";
import { causeOf } from "../../api/http/errors.ts";
import { type LongTransfers, quietTransfers } from "../transfer/long-transfers.ts";
import type { ContentVersion } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import { UnfinishedSaves } from "../write/unfinished-saves.ts";
import { chunkedSaveBytes } from "./big-files.ts";
import type { ListingCache } from "./listing-cache.ts";

/** How a session reaches its workspace's content server. */
export interface ContentAccess {
  /** A client; throws an AccessError when something is needed from the person first. */
  connect(): Promise<ContentClient>;
  /** Forgets the address and finds it anew. True when it is another one than before. */
  relocate(): Promise<boolean>;
}

/** What the editor holds of a file. */
export interface OpenEditors {
  isOpen(path: string): boolean;
  isDirty(path: string): boolean;
}

/** A change, told after everything that is known of the path is up to date. */
export type FileChange = { readonly type: "created" | "changed" | "deleted"; readonly path: string };

/** What somebody who watches a workspace hears of the session. */
export interface SessionObserver {
  /** Told to the editor, by whomever it was made. */
  changed(changes: readonly FileChange[]): void;
  /** The server did what it was asked. */
  reached(): void;
  /** What was known is in doubt. */
  refreshed(): void;
}

/** How soon after an opening or a change the editor looks at the folders above it, in milliseconds. */
const lookAgainWithin = 3_000;

/** How soon it does so after it has looked for a file that it is going to open, in milliseconds. */
const openingFollowsWithin = 1_000;

/** How long a directory's listing that watching brought answers everybody who asks for it, in milliseconds. */
const lookServesFor = 2_000;

/** What the operations of one workspace's files share. */
export class WorkspaceSession {
  readonly cache: ListingCache;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  readonly transfers: LongTransfers;
  readonly unfinished: UnfinishedSaves;
  /** Above which size a file is written in chunks, and of how many bytes one is (the API layer's own size when left out). */
  chunkedSaves: { readonly above: number; readonly chunkBytes?: number } = { above: chunkedSaveBytes };
  readonly #access: ContentAccess;
  /** Before a write replaces a version that is not the one it came from: the person may want it back. */
  readonly beforeReplacing: (path: string, server: ContentVersion) => Promise<void>;
  readonly #emit: (changes: readonly FileChange[]) => void;
  readonly #sharing = new Map<string, Promise<unknown>>();
  readonly #locks = new Map<string, Promise<unknown>>();
  readonly #shownAgain = new Set<string>();
  readonly #revisions = new Map<string, { number: number; underWay: number }>();
  readonly #lookedAt = new Map<string, number>();
  #observer: SessionObserver | undefined;
  #changedAt = 0;
  #ending = Promise.resolve();
  #opened = { path: "", until: 0 };

  constructor(parts: {
    readonly access: ContentAccess;
    readonly cache: ListingCache;
    readonly versions: EditorVersions;
    readonly editors: OpenEditors;
    readonly emit: (changes: readonly FileChange[]) => void;
    readonly beforeReplacing?: (path: string, server: ContentVersion) => Promise<void>;
    readonly transfers?: LongTransfers;
    readonly unfinished?: UnfinishedSaves;
  }) {
    this.#access = parts.access;
    this.cache = parts.cache;
    this.versions = parts.versions;
    this.editors = parts.editors;
    this.#emit = parts.emit;
    this.beforeReplacing = parts.beforeReplacing ?? (async () => {});
    this.transfers = parts.transfers ?? quietTransfers;
    this.unfinished = parts.unfinished ?? new UnfinishedSaves();
  }

  /**
   * Does the work with a client. When the server turns out to be gone from where it was, and to be somewhere else now,
   * the work is done again there: nothing of it has reached a content server then. Before the first one, what an earlier
   * session broke off is ended.
   */
  async request<T>(work: (client: ContentClient) => Promise<T>): Promise<T> {
    const client = await this.#access.connect();
    await this.#endUnfinished(client);
    let result: T;
    try {
      result = await work(client);
    } catch (error) {
      if (!isAtWrongAddress(error) || !(await this.#access.relocate())) {
        throw error;
      }
      result = await work(await this.#access.connect());
    }
    this.#observer?.reached();
    return result;
  }

  /** Who watches the workspace hears of what happens here; there is one at most. */
  observe(observer: SessionObserver): void {
    this.#observer = observer;
  }

  /** What was known of the workspace is in doubt: an explicit refresh, a start, a new token. */
  refreshed(): void {
    this.cache.clear();
    this.unfinished.again();
    this.#observer?.refreshed();
  }

  async #endUnfinished(client: ContentClient): Promise<void> {
    const saves = this.unfinished.take();
    if (saves.length > 0) {
      this.#ending = import("../write/big-file-writing.ts").then(({ endUnfinished }) =>
        endUnfinished(this, client, saves),
      );
    }
    await this.#ending;
  }

  /** Requests for one thing at the same moment are one request. */
  share<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#sharing.get(key);
    if (running !== undefined) {
      return running as Promise<T>;
    }
    const started = work().finally(() => this.#sharing.delete(key));
    this.#sharing.set(key, started);
    return started;
  }

  /** What is under way under that key. */
  underWay(key: string): Promise<unknown> | undefined {
    return this.#sharing.get(key);
  }

  /** Writes to one path happen one after the other; a write of several paths waits for each of them. */
  async exclusively<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = paths.map((path) => this.#locks.get(path) ?? Promise.resolve());
    const directories = new Set(paths.flatMap((path) => [path, parentOf(path)]));
    this.#count(directories, 1);
    const running = Promise.allSettled(before).then(work);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    for (const path of paths) {
      this.#locks.set(path, settled);
    }
    try {
      return await running;
    } finally {
      this.#count(directories, -1);
      for (const path of paths) {
        if (this.#locks.get(path) === settled) {
          this.#locks.delete(path);
        }
      }
    }
  }

  /** A number that is another one after each of our own changes in a directory; undefined while one is under way. */
  revision(directory: string): number | undefined {
    const known = this.#revisions.get(directory);
    return known === undefined ? 0 : known.underWay > 0 ? undefined : known.number;
  }

  #count(directories: ReadonlySet<string>, more: 1 | -1): void {
    for (const directory of directories) {
      const known = this.#revisions.get(directory) ?? { number: 0, underWay: 0 };
      known.number += 1;
      known.underWay += more;
      this.#revisions.set(directory, known);
    }
  }

  emit(...changes: readonly FileChange[]): void {
    if (changes.some((change) => change.type !== "changed")) {
      this.#changedAt = Date.now();
      this.#shownAgain.clear();
    }
    this.#emit(changes);
    this.#observer?.changed(changes);
  }

  /** Watching has just looked at a directory: what is known of it is the server's of this moment. */
  lookedAt(path: string): void {
    this.#lookedAt.set(path, Date.now());
  }

  /** A file was opened: the editor is about to reveal it in its folders. */
  opened(path: string): void {
    this.#opened = { path, until: Date.now() + lookAgainWithin };
    this.#shownAgain.clear();
  }

  /** A file was looked for, and may be opened now: the editor reveals it before it reads it. */
  lookedFor(path: string): void {
    const now = Date.now();
    if (now >= this.#opened.until) {
      this.#opened = { path, until: now + openingFollowsWithin };
      this.#shownAgain.clear();
    }
  }

  /**
   * True while the editor looks at its folders once more, though nothing new is to be seen there: at all of them after
   * something came or went by our own doing, which is in what is known of them already; at those above a file that was
   * just opened.
   */
  isLookedAtAgain(path: string): boolean {
    const now = Date.now();
    const isAboveOpened = path === "" || this.#opened.path.startsWith(`${path}/`);
    return now - this.#changedAt < lookAgainWithin || (isAboveOpened && now < this.#opened.until);
  }

  /**
   * The same for a folder's listing, once: whoever asks again, as a person who refreshes, wants to see the server's. What
   * watching has just brought is that.
   */
  takesListingAgain(path: string): boolean {
    const lookedAt = this.#lookedAt.get(path);
    if (lookedAt !== undefined && Date.now() - lookedAt < lookServesFor) {
      return true;
    }
    if (!this.isLookedAtAgain(path) || this.#shownAgain.has(path)) {
      return false;
    }
    this.#shownAgain.add(path);
    return true;
  }
}

/** Answers that a workspace's own content server does not give; none of them comes after it did anything. */
function isAtWrongAddress(error: unknown): boolean {
  const cause = causeOf(error);
  return cause?.type === "workspaceNotRunning" || (cause?.type === "network" && !cause.reachedServer);
}
