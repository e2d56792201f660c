import { posix } from "node:path";
import { parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { listIfChanged } from "../../api/content-server/listing.ts";
import { causeOf, hasStatus } from "../../api/http/errors.ts";
import { AccessError } from "../../tenants/access-error.ts";
import type { FileChange, WorkspaceSession } from "../session/workspace-session.ts";
import { isSameVersion, versionOf } from "../versions/content-version.ts";
import { EventSubscription } from "./events.ts";
import { WatchingFolders } from "./folders.ts";
import type { Clock, WatchingGround } from "./ground.ts";

/** How many directories that were looked into are watched beside those of open files: the last ones. */
const seenDirectories = 24;

/** How long what a look did not find counts as not there, in milliseconds: nobody asked for it. */
const lookTellsAbsentFor = 1_000;

/** Something that the editor watches: a directory, with all below it or without, or a file. */
export interface Watch {
  readonly path: string;
  readonly recursive: boolean;
  /** Glob patterns of what is not watched. */
  readonly excludes: readonly string[];
}

/**
 * Watches one workspace for the editor. Of a recursive watch those directories count that somebody looked into, for a
 * change in any other is in the listing that its first look asks for; of a file, its directory. What the editor only
 * looked for and what is not there is not watched.
 */
export class WatchedWorkspace {
  readonly #session: WorkspaceSession;
  readonly #openPaths: () => readonly string[];
  readonly #watches = new Set<Watch>();
  readonly #seen = new Set<string>();
  readonly #folders: WatchingFolders;
  readonly #events: EventSubscription;
  #isTelling = false;

  constructor(session: WorkspaceSession, openPaths: () => readonly string[], clock: Clock, isFocused: boolean) {
    this.#session = session;
    this.#openPaths = openPaths;
    this.#folders = new WatchingFolders(this.#ground(), clock, isFocused);
    this.#events = new EventSubscription({
      connect: () => session.request(async (client) => client),
      clock,
      isActive: () => this.#folders.isActive && this.#directories().length > 0,
      onChanged: (hasEvents) => this.#folders.eventsChanged(hasEvents),
      onEvent: ({ path, sourcePath }) => this.#folders.happened(sourcePath === undefined ? [path] : [path, sourcePath]),
    });
    session.observe({
      changed: (changes) => {
        if (!this.#isTelling) {
          this.#folders.changedByUs(changes);
        }
      },
      reached: () => {
        this.#folders.resume();
        this.#events.ensure();
      },
      refreshed: () => {
        this.#events.reset();
        this.#folders.refresh();
        this.#events.ensure();
      },
    });
  }

  /** Watches until the function that it gives is called. */
  watch(watch: Watch): () => void {
    this.#watches.add(watch);
    this.update();
    return () => {
      this.#watches.delete(watch);
      this.update();
    };
  }

  /** Somebody looked into a directory. */
  seen(path: string): void {
    this.#seen.delete(path);
    this.#seen.add(path);
    for (const oldest of this.#seen) {
      if (this.#seen.size > seenDirectories) {
        this.#seen.delete(oldest);
      }
    }
    this.update();
  }

  /** Which files are open may be another matter now. */
  update(): void {
    this.#folders.update();
    if (this.#directories().length === 0) {
      this.#events.reset();
    } else {
      this.#events.ensure();
    }
  }

  focusChanged(isFocused: boolean): void {
    this.#folders.focusChanged(isFocused);
    this.#events.ensure();
  }

  dispose(): void {
    this.#watches.clear();
    this.#events.reset();
    this.#folders.dispose();
  }

  #ground(): WatchingGround {
    const { cache } = this.#session;
    return {
      directories: () => this.#directories(),
      look: (path, etag) => this.#session.request((client) => listIfChanged(client, path, etag)),
      known: (path) => cache.listing(path, Number.POSITIVE_INFINITY),
      item: (path) => this.#known(path),
      learn: (path, askedAt, { directory, children, etag }) => {
        cache.learnListing(directory, children, askedAt, { etag, absentFor: lookTellsAbsentFor });
        this.#session.lookedAt(path);
      },
      learnAbsent: (path) => cache.learnAbsent(path),
      revision: (directory) => this.#session.revision(directory),
      outdated: (directory, children) => this.#outdated(directory, children),
      tell: (changes) => this.#tell(changes),
      judge,
    };
  }

  #known(path: string): ContentItem | undefined {
    const known = this.#session.cache.lookUp(path, Number.POSITIVE_INFINITY);
    return known.type === "present" ? known.item : undefined;
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
      for (const seen of recursive ? this.#seen : []) {
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
    const { versions } = this.#session;
    const byPath = new Map(children.map((child) => [child.path, child]));
    return this.#openPaths().filter((path) => {
      const item = parentOf(path) === directory ? byPath.get(path) : undefined;
      const server = item === undefined ? undefined : versionOf(item);
      const base = versions.base(path);
      if (server === undefined || base === undefined) {
        return false;
      }
      if (this.#session.editors.isDirty(path)) {
        versions.noticed(path, server);
      }
      return !isSameVersion(base, server);
    });
  }

  #tell(changes: readonly FileChange[]): void {
    const excludes = [...this.#watches].filter(({ recursive }) => recursive).map((watch) => watch.excludes);
    const open = new Set(this.#openPaths());
    const told = changes.filter(
      ({ path }) => open.has(path) || excludes.length === 0 || excludes.some((patterns) => !isExcluded(path, patterns)),
    );
    if (told.length === 0) {
      return;
    }
    this.#isTelling = true;
    try {
      this.#session.emit(...told);
    } finally {
      this.#isTelling = false;
    }
  }
}

function isExcluded(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => posix.matchesGlob(path, pattern.replace(/^\//, "")));
}

function judge(error: unknown): "later" | "suspend" | "absent" {
  if (error instanceof AccessError) {
    return "suspend";
  }
  switch (causeOf(error)?.type) {
    case "workspaceNotRunning":
    case "tokenRefused":
    case "handshake":
      return "suspend";
    default:
      return hasStatus(error, 404) ? "absent" : "later";
  }
}
