import { posix } from "node:path";
import { LRUCache } from "lru-cache";
import { parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { getContent } from "../../api/catalogue/operations/content-reading.ts";
import type { Clock } from "../../api/clock.ts";
import type { Companion } from "../../api/companion/companion.ts";
import { type ConditionalListing, listForPolling, listIfChanged } from "../../api/content-server/listing.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { lastingObstacle } from "../../tenants/access-obstacle.ts";
import type { ContentReader } from "../read/content-reader.ts";
import type { DirectoryReader } from "../read/directory-reader.ts";
import type { ExplorerRevalidation } from "../session/explorer-revalidation.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import type { PathLocks } from "../session/path-locks.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import type { FileChange, WorkspaceEvents } from "../session/workspace-events.ts";
import { versionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import { isUndone, type RecentSave, type RecentSaves } from "../versions/recent-saves.ts";
import { DirectoryPoller, type PolledWorkspace } from "./directory-poller.ts";
import { EventSubscription } from "./event-subscription.ts";
import { LiveRooms } from "./live-rooms.ts";
import { PushedChanges } from "./pushed-changes.ts";

/** Maximum number of opened directories that are watched, in addition to those of open files. */
const seenDirectories = 24;

/**
 * Milliseconds for which a missing item in a polled listing is cached, because the user did not request the listing.
 */
const pollAbsentFreshMs = 1_000;

/** A watch of the editor: a file, or a directory with or without everything below it. */
interface Watch {
  readonly path: string;
  readonly recursive: boolean;
  /** Glob patterns of excluded paths. */
  readonly excludes: readonly string[];
}

/** The files of the watched workspace. */
export interface WatchedFiles {
  readonly server: ServerRequests;
  readonly locks: PathLocks;
  readonly cache: ListingCache;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  readonly events: WorkspaceEvents;
  readonly revalidation: ExplorerRevalidation;
  readonly contents: Pick<ContentReader, "peek">;
  readonly directories: Pick<DirectoryReader, "share">;
  readonly now: () => number;
  readonly recentSaves: RecentSaves;
}

/**
 * Watches one workspace for the editor. A recursive watch covers only directories that were opened, because the first
 * listing of any other directory already shows its changes. A watch of a file covers its directory. Missing paths are
 * not watched, because the editor probes many of them.
 */
export class WorkspaceWatcher {
  readonly #files: WatchedFiles;
  readonly #openPaths: () => readonly string[];
  readonly #watches = new Set<Watch>();
  readonly #seen = new LRUCache<string, true>({ max: seenDirectories });
  /** The undone saves that the user has not merged or discarded. Their editors keep what was saved. */
  readonly #undone = new Map<string, RecentSave>();
  readonly #polling: DirectoryPoller;
  readonly #events: EventSubscription;
  readonly #pushed: PushedChanges;
  /** The files that others have open live. */
  readonly rooms = new LiveRooms();
  #onUndone: (path: string, save: RecentSave) => void = () => {};
  #isReporting = false;

  /** `companion`: the running companion of the workspace, which isn't started to watch files. Default: none. */
  constructor(
    files: WatchedFiles,
    openPaths: () => readonly string[],
    clock: Clock,
    isFocused: boolean,
    companion: () => Companion | undefined = () => undefined,
  ) {
    this.#files = files;
    this.#openPaths = openPaths;
    this.#polling = new DirectoryPoller(this.#polled(), clock, isFocused);
    this.#pushed = new PushedChanges({
      companion,
      directories: () => this.#directories(),
      isActive: () => this.#polling.isActive,
      onSubscribed: (directories) => this.#polling.reported(directories),
      onEnded: () => this.#polling.reportsEnded(),
      onChanged: (directories) => this.#polling.reported(directories),
    });
    this.#events = new EventSubscription({
      connect: () => files.server.request(async (client) => client),
      clock,
      isActive: () => this.#polling.isActive && this.#directories().length > 0,
      onChanged: () => this.rooms.clear(),
      onRoom: (event) => {
        this.rooms.happened(event);
        if (event.action === "save") {
          this.#polling.happened([event.path], true);
        }
      },
      onEvent: ({ path, sourcePath }) => this.#polling.happened(sourcePath === undefined ? [path] : [path, sourcePath]),
    });
    files.events.observe({
      changed: (changes) => {
        if (!this.#isReporting) {
          this.#polling.changedByUs(changes);
        }
      },
      cellEnded: () => this.#polling.cellEnded(),
      serverResponded: () => {
        this.#polling.resume();
        this.#events.ensure();
        this.#pushed.update();
      },
      refreshed: () => {
        this.#events.reset();
        this.#polling.refresh();
        this.#events.ensure();
        this.#pushed.update();
      },
    });
  }

  /** Calls `observer` when someone else has undone a save of this window. The editor still shows what was saved. */
  observeUndone(observer: (path: string, save: RecentSave) => void): void {
    this.#onUndone = observer;
  }

  /** Watches until the returned function is called. */
  watch(watch: Watch): () => void {
    this.#watches.add(watch);
    this.update();
    return () => {
      this.#watches.delete(watch);
      this.update();
    };
  }

  /** Records that a directory was opened. */
  seen(path: string): void {
    this.#seen.set(path, true);
    this.update();
  }

  /** Updates the polling after the watches or the open files changed. */
  update(): void {
    this.#polling.update();
    if (this.#directories().length === 0) {
      this.#events.reset();
    } else {
      this.#events.ensure();
    }
    this.#pushed.update();
  }

  focusChanged(isFocused: boolean): void {
    this.#polling.focusChanged(isFocused);
    this.#events.ensure();
    if (isFocused) {
      this.#pushed.update();
    }
  }

  /** Call this when a companion has started, or has ended. */
  companionChanged(): void {
    this.#pushed.update();
  }

  /** Polls nothing, and closes the connection for events, until the window gets the focus. */
  rest(): void {
    this.#polling.focusChanged(false);
    this.#events.reset();
    this.#pushed.reset();
  }

  /** Sends a request that counts as activity. */
  async keepRunning(): Promise<void> {
    if (this.#directories().length > 0 && this.#polling.isAllowed) {
      await this.#files.server.request((client) => client.call(getContent, { path: "", content: 0 }));
    }
  }

  dispose(): void {
    this.#watches.clear();
    this.#events.reset();
    this.#pushed.reset();
    this.#polling.dispose();
  }

  #polled(): PolledWorkspace {
    const { server, locks, cache, revalidation } = this.#files;
    return {
      directories: () => this.#directories(),
      isVisible: (directory) => this.#isVisible(directory),
      isReported: (directory) => this.#pushed.isWatched(directory),
      list: (path, etag) =>
        cache.listing(path) === undefined
          ? this.#firstListing(path)
          : server.request((client) => listIfChanged(client, path, etag)),
      known: (path) => cache.listing(path),
      item: (path) => this.#known(path),
      setListing: (path, askedAt, { directory, children, etag }) => {
        cache.setListing(directory, children, askedAt, { etag, absentMs: pollAbsentFreshMs });
        revalidation.directoryPolled(path);
      },
      setAbsent: (path) => cache.setAbsent(path),
      revision: (directory) => locks.revision(directory),
      outdated: (directory, children) => this.#outdated(directory, children),
      report: (changes) => this.#report(changes),
      classify,
    };
  }

  /** A window that opens reads a directory at about the same time as it begins to watch it. One request serves both. */
  async #firstListing(path: string): Promise<ConditionalListing> {
    const { cache, directories, now, server } = this.#files;
    const listed = await directories.share(path, async () => {
      const askedAt = now();
      const listing = await server.request((client) => listForPolling(client, path));
      cache.setListing(listing.directory, listing.children, askedAt, { etag: listing.etag });
      return listing;
    });
    return { ...listed, type: "listed", etag: cache.listing(path)?.etag };
  }

  #known(path: string): ContentItem | undefined {
    const known = this.#files.cache.hint(path);
    return known.type === "present" ? known.item : undefined;
  }

  /** True for a folder of the window, and for one with open files. Extensions can't read which folders are expanded. */
  #isVisible(directory: string): boolean {
    return (
      [...this.#watches].some(({ path }) => path === directory) ||
      this.#openPaths().some((path) => parentOf(path) === directory)
    );
  }

  #directories(): readonly string[] {
    const found = new Set<string>();
    const watches = [...this.#watches];
    for (const { path, recursive, excludes } of watches) {
      const item = path === "" ? undefined : this.#known(path);
      if (path === "" || item?.type === "directory") {
        found.add(path);
      } else if (item !== undefined) {
        found.add(parentOf(path));
      }
      for (const seen of recursive ? this.#seen.keys() : []) {
        const isBelow = path === "" || seen.startsWith(`${path}/`);
        if (isBelow && !isExcluded(`${seen}/x`, excludes) && this.#known(seen)?.type === "directory") {
          found.add(seen);
        }
      }
    }
    for (const path of watches.length === 0 ? [] : this.#openPaths()) {
      found.add(parentOf(path));
    }
    return [...found];
  }

  #outdated(directory: string, children: readonly ContentItem[]): readonly string[] {
    const { versions, editors } = this.#files;
    const byPath = new Map(children.map((child) => [child.path, child]));
    return this.#openPaths().filter((path) => {
      const item = parentOf(path) === directory ? byPath.get(path) : undefined;
      const server = item === undefined ? undefined : versionOf(item);
      if (server === undefined) {
        return false;
      }
      if (editors.isDirty(path)) {
        versions.noticed(path, server);
      }
      return versions.isOutdated(path, server) && !this.#isUndone(path);
    });
  }

  #report(changes: readonly FileChange[]): void {
    const excludes = [...this.#watches].filter(({ recursive }) => recursive).map((watch) => watch.excludes);
    const open = new Set(this.#openPaths());
    const visible = changes.filter(
      ({ path }) => open.has(path) || excludes.length === 0 || excludes.some((patterns) => !isExcluded(path, patterns)),
    );
    const others: FileChange[] = [];
    for (const change of visible) {
      const isReload = change.type === "changed" && open.has(change.path);
      const save = isReload ? this.#files.recentSaves.of(change.path) : undefined;
      if (save !== undefined) {
        void this.#reportUnlessUndone(change, save);
      } else if (!isReload || !this.#isUndone(change.path)) {
        others.push(change);
      }
    }
    this.#notify(others);
  }

  /** True until the copy is based on another version than before the undone save. */
  #isUndone(path: string): boolean {
    const save = this.#undone.get(path);
    const isKept = save !== undefined && this.#files.versions.base(path, save.kind) === save.before.version;
    if (!isKept) {
      this.#undone.delete(path);
    }
    return isKept;
  }

  /**
   * An editor without unsaved changes would load a version without what the user has just saved. If so, it keeps its
   * content, which is based on the version before the save again.
   */
  async #reportUnlessUndone(change: FileChange, save: RecentSave): Promise<void> {
    const { contents, recentSaves, versions } = this.#files;
    const { path } = change;
    const now = await contents.peek(path).catch(() => undefined);
    if (recentSaves.of(path) !== save) {
      return;
    }
    if (now === undefined || !isUndone(path, save, now.bytes)) {
      this.#notify([change]);
      return;
    }
    recentSaves.delete(path);
    versions.rebase(path, save.before.version, save.before.bytes, save.kind);
    versions.noticed(path, now.version);
    this.#undone.set(path, save);
    this.#onUndone(path, save);
  }

  #notify(changes: readonly FileChange[]): void {
    if (changes.length === 0) {
      return;
    }
    this.#isReporting = true;
    try {
      this.#files.events.changed(...changes);
    } finally {
      this.#isReporting = false;
    }
  }
}

function isExcluded(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => posix.matchesGlob(path, pattern.replace(/^\//, "")));
}

function classify(error: unknown): "later" | "suspend" | "absent" {
  if (lastingObstacle(error) !== undefined) {
    return "suspend";
  }
  return hasStatus(error, 404) ? "absent" : "later";
}
