import type { ContentClient } from "../api/contents.ts";
import { causeOf } from "../api/errors.ts";
import type { EditorVersions } from "./editor-versions.ts";
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

/** A change that this session made, told after everything that is known of the path is up to date. */
export type FileChange = { readonly type: "created" | "changed" | "deleted"; readonly path: string };

/** How soon after an opening or a change the editor looks at the folders above it, in milliseconds. */
const lookAgainWithin = 3_000;

/** What the operations of one workspace's files share. */
export class WorkspaceSession {
  readonly cache: ListingCache;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  readonly #access: ContentAccess;
  readonly #emit: (changes: readonly FileChange[]) => void;
  readonly #sharing = new Map<string, Promise<unknown>>();
  readonly #locks = new Map<string, Promise<unknown>>();
  readonly #shownAgain = new Set<string>();
  #changedAt = 0;
  #opened = { path: "", at: 0 };

  constructor(parts: {
    readonly access: ContentAccess;
    readonly cache: ListingCache;
    readonly versions: EditorVersions;
    readonly editors: OpenEditors;
    readonly emit: (changes: readonly FileChange[]) => void;
  }) {
    this.#access = parts.access;
    this.cache = parts.cache;
    this.versions = parts.versions;
    this.editors = parts.editors;
    this.#emit = parts.emit;
  }

  /**
   * Does the work with a client. When the server turns out to be gone from where it was, and to be somewhere else now,
   * the work is done again there: nothing of it has reached a content server then.
   */
  async request<T>(work: (client: ContentClient) => Promise<T>): Promise<T> {
    const client = await this.#access.connect();
    try {
      return await work(client);
    } catch (error) {
      if (!isAtWrongAddress(error) || !(await this.#access.relocate())) {
        throw error;
      }
      return work(await this.#access.connect());
    }
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
      for (const path of paths) {
        if (this.#locks.get(path) === settled) {
          this.#locks.delete(path);
        }
      }
    }
  }

  emit(...changes: readonly FileChange[]): void {
    if (changes.some((change) => change.type !== "changed")) {
      this.#changedAt = Date.now();
      this.#shownAgain.clear();
    }
    this.#emit(changes);
  }

  /** A file was opened: the editor is about to reveal it in its folders. */
  opened(path: string): void {
    this.#opened = { path, at: Date.now() };
    this.#shownAgain.clear();
  }

  /**
   * True while the editor looks at its folders once more, though nothing new is to be seen there: at all of them after
   * something came or went by our own doing, which is in what is known of them already; at those above a file that was
   * just opened.
   */
  isLookedAtAgain(path: string): boolean {
    const now = Date.now();
    const isAboveOpened = path === "" || this.#opened.path.startsWith(`${path}/`);
    return now - this.#changedAt < lookAgainWithin || (isAboveOpened && now - this.#opened.at < lookAgainWithin);
  }

  /** The same for a folder's listing, once: whoever asks again, as a person who refreshes, wants to see the server's. */
  takesListingAgain(path: string): boolean {
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
