import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { Clock } from "../../api/clock.ts";
import { inParallel } from "../../api/content-server/concurrency.ts";
import type { ConditionalListing } from "../../api/content-server/listing.ts";
import type { FileChange } from "../session/workspace-events.ts";
import { DirectorySnapshot } from "./directory-snapshot.ts";
import { listingTimeOf, ServerTimeBudget } from "./server-time-budget.ts";

/** Milliseconds until a watched directory is polled again after a change. */
const minIntervalMs = 5_000;
/** The longest interval of a visible directory in milliseconds, if nothing changes. */
const maxVisibleIntervalMs = 10_000;
/** The longest interval of other directories, and if the server fails. */
const maxIntervalMs = 300_000;
/** Milliseconds between an event and the poll of the directory, because a save causes several events. */
const afterEventMs = 150;
/**
 * The minimum time between two polls of a directory, in milliseconds, regardless of how often the window gets the
 * focus.
 */
const minGapMs = 1_000;
/** Milliseconds after our own change during which a server event is attributed to it. */
const echoWindowMs = 2_000;

/** When a directory is polled whose changes are reported. */
const never = Number.POSITIVE_INFINITY;

/** The workspace whose directories are polled. */
export interface PolledWorkspace {
  /** The directories that are watched. */
  directories(): readonly string[];
  /** True if the user sees the directory, or files in it. It is polled before others. */
  isVisible(directory: string): boolean;
  /** Lists a directory on the server, unless its ETag is unchanged. */
  list(path: string, etag: string | undefined): Promise<ConditionalListing>;
  /** The cached listing of a directory, with its ETag if there is one. */
  known(path: string): { readonly children: readonly ContentItem[]; readonly etag: string | undefined } | undefined;
  /** The cached item after our own change. */
  item(path: string): ContentItem | undefined;
  /** Stores a listing that was requested at this time. */
  setListing(path: string, askedAt: number, listing: ConditionalListing & { readonly type: "listed" }): void;
  setAbsent(path: string): void;
  /** True if the companion reports the directory's changes, so that it isn't polled without one. */
  isReported?(directory: string): boolean;
  /** A number that changes with each of our own changes in a directory; undefined while one is in progress. */
  revision(directory: string): number | undefined;
  /** Open files in a directory whose server version is not the one that the editor shows. */
  outdated(directory: string, children: readonly ContentItem[]): readonly string[];
  report(changes: readonly FileChange[]): void;
  /**
   * What to do after a failure: poll later, suspend until the workspace responds, or treat the directory as missing.
   */
  classify(error: unknown): "later" | "suspend" | "absent";
}

interface PolledDirectory {
  readonly snapshot: DirectorySnapshot;
  interval: number;
  dueAt: number;
  lookedAt: number;
  ownChangeAt: number;
  /** True after an event of the server. */
  hasEvent: boolean;
}

/**
 * Polls the directories of one workspace with conditional listings: 5 seconds after a change, then every 10 seconds if
 * the directory is visible, and at intervals that double up to 5 minutes if it isn't, or if the server fails. Polls
 * immediately when the window gets the focus, a cell has ended, or the server sends an event. It doesn't poll less
 * while the server sends events, because servers report only what goes through their API, not what cells and terminals write. Listing a large
 * directory takes much of a server's time, so polls without an event wait for a budget. Polling stops while the window has
 * no focus. It is suspended if the workspace is not running, or if its token is invalid, until another request succeeds.
 * Our own changes are reported elsewhere without a request, and only move the next poll forward. A directory whose changes
 * the companion reports is polled after each report, and when the window gets the focus.
 */
export class DirectoryPoller {
  readonly #workspace: PolledWorkspace;
  readonly #clock: Clock;
  readonly #watched = new Map<string, PolledDirectory>();
  readonly #budget: ServerTimeBudget;
  #isFocused: boolean;
  #isSuspended = false;
  #isRunning = false;
  #cancel: (() => void) | undefined;

  constructor(workspace: PolledWorkspace, clock: Clock, isFocused: boolean) {
    this.#workspace = workspace;
    this.#clock = clock;
    this.#isFocused = isFocused;
    this.#budget = new ServerTimeBudget(clock);
  }

  /** False after the server refused requests, until it responds again. */
  get isAllowed(): boolean {
    return !this.#isSuspended;
  }

  /** True while polling is allowed. */
  get isActive(): boolean {
    return this.#isFocused && !this.#isSuspended;
  }

  /** Updates the set of watched directories. */
  update(): void {
    const wanted = new Set(this.#workspace.directories());
    for (const path of [...this.#watched.keys()].filter((known) => !wanted.has(known))) {
      this.#watched.delete(path);
    }
    for (const path of wanted) {
      const watched = this.#watched.get(path) ?? this.#begin();
      this.#watched.set(path, watched);
      const known = watched.snapshot.isTaken ? undefined : this.#workspace.known(path);
      if (known !== undefined) {
        // The editor shows this listing, and needs all changes since then.
        watched.snapshot.update(path, known);
      }
    }
    this.#schedule();
  }

  focusChanged(isFocused: boolean): void {
    const before = this.#isFocused;
    this.#isFocused = isFocused;
    if (isFocused && !before) {
      this.#pollSoon([...this.#watched.keys()], 0);
    }
    this.#schedule();
  }

  /** Resumes polling, because the workspace responds again. */
  resume(): void {
    if (this.#isSuspended) {
      this.refresh();
    }
  }

  /** Polls everything again: after an explicit refresh, a start, or a new token. */
  refresh(): void {
    this.#isSuspended = false;
    this.#pollSoon([...this.#watched.keys()], 0);
    this.#schedule();
  }

  /** Polls the visible directories soon, because a cell may have written files. */
  cellEnded(): void {
    const now = this.#clock.now();
    for (const [path, watched] of this.#watched) {
      if (this.#workspace.isVisible(path)) {
        watched.interval = minIntervalMs;
        // Not for each of many short cells.
        watched.dueAt = Math.min(watched.dueAt, Math.max(now + afterEventMs, watched.lookedAt + minGapMs));
      }
    }
    this.#schedule();
  }

  /** Handles an event of the server about these paths. `isForeign`: someone else caused it, even after our own change. */
  happened(paths: readonly string[], isForeign = false): void {
    const now = this.#clock.now();
    const directories = new Set(paths.map(parentOf));
    const foreign = [...directories].filter((directory) => {
      const watched = this.#watched.get(directory);
      const isOwn =
        this.#workspace.revision(directory) === undefined || now - (watched?.ownChangeAt ?? -1e9) < echoWindowMs;
      return watched !== undefined && (isForeign || !isOwn);
    });
    this.#pollSoon(foreign, afterEventMs);
    for (const directory of foreign) {
      const watched = this.#watched.get(directory);
      if (watched !== undefined) {
        watched.hasEvent = true;
      }
    }
    this.#schedule();
  }

  /** Polls directories soon, because the companion has reported changes, or reports them from now on. */
  reported(directories: readonly string[]): void {
    this.#pollSoon(directories, afterEventMs);
    for (const directory of directories) {
      const watched = this.#watched.get(directory);
      if (watched !== undefined) {
        watched.hasEvent = true;
      }
    }
    this.#schedule();
  }

  /** Polls all directories again as without reports. */
  reportsEnded(): void {
    const now = this.#clock.now();
    for (const watched of this.#watched.values()) {
      watched.dueAt = Math.min(watched.dueAt, now + minIntervalMs);
    }
    this.#schedule();
  }

  /** Handles our own changes, which were already reported. */
  changedByUs(changes: readonly FileChange[]): void {
    const now = this.#clock.now();
    for (const { type, path } of changes) {
      if (type === "deleted") {
        this.#deleteBelow(path);
      }
      const watched = this.#watched.get(parentOf(path));
      if (watched === undefined) {
        continue;
      }
      watched.snapshot.apply(nameOf(path), type === "deleted" ? undefined : this.#workspace.item(path));
      watched.interval = minIntervalMs;
      watched.ownChangeAt = now;
      watched.dueAt = now + minIntervalMs;
    }
    this.#schedule();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#watched.clear();
  }

  #begin(): PolledDirectory {
    const now = this.#clock.now();
    return {
      snapshot: new DirectorySnapshot(),
      interval: minIntervalMs,
      dueAt: now + minIntervalMs,
      lookedAt: now,
      ownChangeAt: Number.NEGATIVE_INFINITY,
      hasEvent: false,
    };
  }

  #pollSoon(directories: readonly string[], wait: number): void {
    const now = this.#clock.now();
    for (const directory of directories) {
      const watched = this.#watched.get(directory);
      if (watched !== undefined) {
        watched.interval = minIntervalMs;
        watched.dueAt = Math.min(watched.dueAt, Math.max(now + wait, watched.lookedAt + (wait === 0 ? minGapMs : 0)));
      }
    }
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.isActive || this.#isRunning || this.#watched.size === 0) {
      return;
    }
    const now = this.#clock.now();
    const [next] = this.#due(now);
    const wait =
      next === undefined
        ? Math.min(...[...this.#watched.values()].map(({ dueAt }) => dueAt)) - now
        : this.#budgetWait(next[1]);
    if (wait < never) {
      this.#cancel = this.#clock.schedule(wait, () => void this.#run());
    }
  }

  /** The directories to poll: after events first, then the visible ones. */
  #due(now: number): readonly (readonly [path: string, watched: PolledDirectory])[] {
    const rankOf = (path: string, { hasEvent }: PolledDirectory): number =>
      hasEvent ? 0 : this.#workspace.isVisible(path) ? 1 : 2;
    return [...this.#watched]
      .filter(([, { dueAt }]) => dueAt <= now)
      .map((entry) => ({ entry, rank: rankOf(...entry) }))
      .toSorted((one, other) => one.rank - other.rank || one.entry[1].dueAt - other.entry[1].dueAt)
      .map(({ entry }) => entry);
  }

  #budgetWait({ hasEvent, snapshot }: PolledDirectory): number {
    return hasEvent ? 0 : this.#budget.waitFor(listingTimeOf(snapshot.size));
  }

  async #run(): Promise<void> {
    this.#cancel = undefined;
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    try {
      this.update();
      const polled: (readonly [path: string, watched: PolledDirectory])[] = [];
      for (const [path, watched] of this.#due(this.#clock.now())) {
        if (this.#budgetWait(watched) > 0) {
          break;
        }
        if (!watched.hasEvent) {
          this.#budget.spend(listingTimeOf(watched.snapshot.size));
        }
        watched.hasEvent = false;
        polled.push([path, watched]);
      }
      await inParallel(polled, ([path, watched]) => this.#poll(path, watched));
    } finally {
      this.#isRunning = false;
      this.#schedule();
    }
  }

  async #poll(path: string, watched: PolledDirectory): Promise<void> {
    const askedAt = this.#clock.now();
    const revision = this.#workspace.revision(path);
    watched.lookedAt = askedAt;
    if (!this.isActive) {
      return;
    }
    if (revision === undefined) {
      watched.dueAt = askedAt + minIntervalMs;
      return;
    }
    try {
      const look = await this.#workspace.list(path, watched.snapshot.etag);
      if (this.#watched.get(path) !== watched) {
        return;
      }
      if (this.#workspace.revision(path) !== revision) {
        // This window changed something meanwhile, so the listing may show either state.
        watched.dueAt = this.#clock.now() + minIntervalMs;
        return;
      }
      const hasChanged = this.#take(path, watched, look, askedAt);
      watched.interval = hasChanged
        ? minIntervalMs
        : longer(watched.interval, this.#workspace.isVisible(path) ? maxVisibleIntervalMs : maxIntervalMs);
      // A report that has arrived meanwhile is about a later change.
      const isReported = !hasChanged && this.#workspace.isReported?.(path) === true;
      watched.dueAt = watched.hasEvent ? watched.dueAt : isReported ? never : this.#clock.now() + watched.interval;
    } catch (error) {
      this.#failed(path, watched, error);
    }
  }

  #take(path: string, watched: PolledDirectory, look: ConditionalListing, askedAt: number): boolean {
    if (look.type === "same") {
      return false;
    }
    const changes = watched.snapshot.update(path, look);
    this.#workspace.setListing(path, askedAt, look);
    const changed = new Set(changes.map((change) => change.path));
    const unreported = watched.snapshot
      .drainUnreported(this.#workspace.outdated(path, look.children))
      .filter((file) => !changed.has(file));
    const all = [...changes, ...unreported.map((file): FileChange => ({ type: "changed", path: file }))];
    for (const change of changes.filter(({ type }) => type === "deleted")) {
      this.#deleteBelow(change.path);
    }
    if (all.length > 0) {
      this.#workspace.report(all);
    }
    return all.length > 0;
  }

  #failed(path: string, watched: PolledDirectory, error: unknown): void {
    const verdict = this.#workspace.classify(error);
    watched.interval = longer(watched.interval, maxIntervalMs);
    watched.dueAt = this.#clock.now() + watched.interval;
    if (verdict === "suspend") {
      this.#isSuspended = true;
    } else if (verdict === "absent" && path !== "") {
      const parent = this.#watched.get(parentOf(path))?.snapshot;
      const wasReported = parent?.lacks(nameOf(path)) ?? false;
      parent?.apply(nameOf(path), undefined);
      this.#deleteBelow(path);
      this.#workspace.setAbsent(path);
      if (!wasReported) {
        this.#workspace.report([{ type: "deleted", path }]);
      }
    }
  }

  #deleteBelow(path: string): void {
    for (const key of this.#watched.keys()) {
      if (key === path || key.startsWith(`${path}/`)) {
        this.#watched.delete(key);
      }
    }
  }
}

function longer(interval: number, max: number): number {
  return Math.min(interval * 2, max);
}
