import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import { inParallel } from "../../api/content-server/concurrency.ts";
import type { ConditionalListing } from "../../api/content-server/listing.ts";
import type { FileChange } from "../session/workspace-session.ts";
import { type Baseline, baselineOf, changesBetween, entryOf } from "./baseline.ts";
import type { Clock, WatchingGround } from "./ground.ts";

/** How soon a watched directory is looked at again after something happened in it, in milliseconds. */
export const shortestInterval = 5_000;
/** How seldom it is looked at when nothing happens, or the server fails. */
export const longestInterval = 300_000;
/** The shortest interval while the server tells of changes by itself: looking is for what it does not tell. */
const intervalWithEvents = 60_000;
/** How soon after an event the directory is looked at: a save is several events. */
const afterEvent = 150;
/** Two looks at one directory are at least that far apart, however often the window gets the focus. */
const leastApart = 1_000;
/** The server tells of our own changes too: what it tells within that time after one is taken for it. */
const echoWithin = 2_000;

interface Watched {
  etag: string | undefined;
  baseline: Baseline | undefined;
  interval: number;
  dueAt: number;
  lookedAt: number;
  ownChangeAt: number;
  isLooking: boolean;
  /** Versions of open files that were told already. */
  told: ReadonlySet<string>;
}

/**
 * Watches the directories of one workspace: one conditional listing for each and interval, 5 s after something happened,
 * doubled up to 5 min while nothing happens or the server fails; at once when the window gets the focus or the server
 * tells of an event. Nothing is asked while the window has no focus, nor after the workspace turned out not to run (or its
 * token not to be valid), until something else has reached it. Our own changes are told by who makes them, at once and
 * without a request: they only bring the next look forward.
 */
export class WatchingFolders {
  readonly #ground: WatchingGround;
  readonly #clock: Clock;
  readonly #watched = new Map<string, Watched>();
  #isFocused: boolean;
  #isSuspended = false;
  #hasEvents = false;
  #isRunning = false;
  #cancel: (() => void) | undefined;

  constructor(ground: WatchingGround, clock: Clock, isFocused: boolean) {
    this.#ground = ground;
    this.#clock = clock;
    this.#isFocused = isFocused;
  }

  /** True while looks are allowed at all. */
  get isActive(): boolean {
    return this.#isFocused && !this.#isSuspended;
  }

  /** The set of watched directories may be another one. */
  update(): void {
    const wanted = new Set(this.#ground.directories());
    for (const path of this.#watched.keys()) {
      if (!wanted.has(path)) {
        this.#watched.delete(path);
      }
    }
    for (const path of wanted) {
      const watched = this.#watched.get(path) ?? this.#begin();
      this.#watched.set(path, watched);
      const known = watched.baseline === undefined ? this.#ground.known(path) : undefined;
      if (known !== undefined) {
        // What the editor was shown first: from there on it wants to hear of every change.
        watched.baseline = baselineOf(known.children);
        watched.etag = known.etag;
      }
    }
    this.#schedule();
  }

  focusChanged(isFocused: boolean): void {
    const before = this.#isFocused;
    this.#isFocused = isFocused;
    if (isFocused && !before) {
      this.#lookSoon([...this.#watched.keys()], 0);
    }
    this.#schedule();
  }

  /** The workspace answers again. */
  resume(): void {
    if (this.#isSuspended) {
      this.#isSuspended = false;
      this.#lookSoon([...this.#watched.keys()], 0);
      this.#schedule();
    }
  }

  /** Everything that was known is in doubt: an explicit refresh, a start, a new token. */
  refresh(): void {
    this.#isSuspended = false;
    this.#lookSoon([...this.#watched.keys()], 0);
    this.#schedule();
  }

  /** The server tells of what its clients do, or does not any more. */
  eventsChanged(hasEvents: boolean): void {
    this.#hasEvents = hasEvents;
    for (const watched of this.#watched.values()) {
      watched.interval = this.#shortest();
      watched.dueAt = Math.min(watched.dueAt, this.#clock.now() + shortestInterval);
    }
    this.#schedule();
  }

  /** The server told that something happened to these paths. */
  happened(paths: readonly string[]): void {
    const now = this.#clock.now();
    const directories = new Set(paths.map(parentOf));
    const foreign = [...directories].filter((directory) => {
      const watched = this.#watched.get(directory);
      const isOwn = this.#ground.revision(directory) === undefined || now - (watched?.ownChangeAt ?? -1e9) < echoWithin;
      return watched !== undefined && !isOwn;
    });
    this.#lookSoon(foreign, afterEvent);
    this.#schedule();
  }

  /** We made these changes; they were told already. */
  changedByUs(changes: readonly FileChange[]): void {
    const now = this.#clock.now();
    for (const { type, path } of changes) {
      if (type === "deleted") {
        this.#forgetBelow(path);
      }
      const watched = this.#watched.get(parentOf(path));
      if (watched === undefined) {
        continue;
      }
      const item = type === "deleted" ? undefined : this.#ground.item(path);
      if (item === undefined) {
        watched.baseline?.delete(nameOf(path));
      } else {
        watched.baseline?.set(nameOf(path), entryOf(item));
      }
      watched.interval = this.#shortest();
      watched.ownChangeAt = now;
      watched.dueAt = now + shortestInterval;
    }
    this.#schedule();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#watched.clear();
  }

  #begin(): Watched {
    const now = this.#clock.now();
    return {
      etag: undefined,
      baseline: undefined,
      interval: this.#shortest(),
      dueAt: now + shortestInterval,
      lookedAt: now,
      ownChangeAt: Number.NEGATIVE_INFINITY,
      isLooking: false,
      told: new Set(),
    };
  }

  #shortest(): number {
    return this.#hasEvents ? intervalWithEvents : shortestInterval;
  }

  #lookSoon(directories: readonly string[], wait: number): void {
    const now = this.#clock.now();
    for (const directory of directories) {
      const watched = this.#watched.get(directory);
      if (watched !== undefined) {
        watched.interval = this.#shortest();
        watched.dueAt = Math.min(watched.dueAt, Math.max(now + wait, watched.lookedAt + (wait === 0 ? leastApart : 0)));
      }
    }
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const due = [...this.#watched.values()].filter(({ isLooking }) => !isLooking).map(({ dueAt }) => dueAt);
    if (!this.isActive || this.#isRunning || due.length === 0) {
      return;
    }
    const wait = Math.max(0, Math.min(...due) - this.#clock.now());
    this.#cancel = this.#clock.schedule(wait, () => void this.#run());
  }

  async #run(): Promise<void> {
    this.#cancel = undefined;
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    try {
      this.update();
      const now = this.#clock.now();
      const due = [...this.#watched].filter(([, { dueAt }]) => dueAt <= now);
      await inParallel(due, ([path, watched]) => this.#lookAt(path, watched));
    } finally {
      this.#isRunning = false;
      this.#schedule();
    }
  }

  async #lookAt(path: string, watched: Watched): Promise<void> {
    const askedAt = this.#clock.now();
    const revision = this.#ground.revision(path);
    watched.lookedAt = askedAt;
    if (!this.isActive) {
      return;
    }
    if (revision === undefined) {
      watched.dueAt = askedAt + shortestInterval;
      return;
    }
    watched.isLooking = true;
    try {
      const look = await this.#ground.look(path, watched.baseline === undefined ? undefined : watched.etag);
      if (this.#watched.get(path) !== watched) {
        return;
      }
      if (this.#ground.revision(path) !== revision) {
        // Something of ours came in between: nobody can tell what this listing had seen of it.
        watched.dueAt = this.#clock.now() + shortestInterval;
        return;
      }
      const hasChanged = this.#take(path, watched, look, askedAt);
      watched.interval = hasChanged ? this.#shortest() : longer(watched.interval);
      watched.dueAt = this.#clock.now() + watched.interval;
    } catch (error) {
      this.#failed(path, watched, error);
    } finally {
      watched.isLooking = false;
    }
  }

  #take(path: string, watched: Watched, look: ConditionalListing, askedAt: number): boolean {
    if (look.type === "same") {
      return false;
    }
    const now = baselineOf(look.children);
    const changes = watched.baseline === undefined ? [] : changesBetween(path, watched.baseline, now);
    watched.baseline = now;
    watched.etag = look.etag;
    this.#ground.learn(path, askedAt, look);
    const versionOf = (file: string): string => `${file} ${now.get(nameOf(file))?.version}`;
    const outdated = this.#ground.outdated(path, look.children);
    const untold = outdated.filter(
      (file) => !watched.told.has(versionOf(file)) && !changes.some((change) => change.path === file),
    );
    watched.told = new Set(outdated.map(versionOf));
    const all = [...changes, ...untold.map((file): FileChange => ({ type: "changed", path: file }))];
    for (const change of changes) {
      if (change.type === "deleted") {
        this.#forgetBelow(change.path);
      }
    }
    if (all.length > 0) {
      this.#ground.tell(all);
    }
    return all.length > 0;
  }

  #failed(path: string, watched: Watched, error: unknown): void {
    const verdict = this.#ground.judge(error);
    watched.interval = longer(watched.interval);
    watched.dueAt = this.#clock.now() + watched.interval;
    if (verdict === "suspend") {
      this.#isSuspended = true;
    } else if (verdict === "absent" && path !== "") {
      const name = nameOf(path);
      const above = this.#watched.get(parentOf(path))?.baseline;
      const wasTold = above !== undefined && !above.has(name);
      above?.delete(name);
      this.#forgetBelow(path);
      this.#ground.learnAbsent(path);
      if (!wasTold) {
        this.#ground.tell([{ type: "deleted", path }]);
      }
    }
  }

  #forgetBelow(path: string): void {
    for (const key of this.#watched.keys()) {
      if (key === path || key.startsWith(`${path}/`)) {
        this.#watched.delete(key);
      }
    }
  }
}

function longer(interval: number): number {
  return Math.min(interval * 2, longestInterval);
}
