import * as vscode from "vscode";
import type { Companion } from "../../api/companion/companion.ts";
import { watchResources } from "../../api/companion/operations/resources.ts";
import { errorMessage } from "../../api/error-message.ts";
import type { Log } from "../../api/http/log.ts";
import type { Presence } from "../../api/presence.ts";
import type { ResourceUsage } from "../../api/resources/resource-usage.ts";
import { readServerMetrics } from "../../api/resources/server-metrics.ts";
import type { CompanionPlace, Companions } from "../companions.ts";
import type { Connections } from "../connections.ts";
import type { TenantSecrets } from "../tenant-secrets.ts";
import { WindowActivity } from "../window-activity.ts";
import type { WorkspaceLifecycle } from "./workspace-lifecycle.ts";

/** Milliseconds between two requests to a server that reports its own usage. */
const requestIntervalMs = 10_000;
/** Milliseconds after a failure until the next attempt: the first, and the longest pause. */
const firstPauseMs = 10_000;
const maxPauseMs = 300_000;

export interface ResourceUsageParts {
  readonly companions: Pick<Companions, "running" | "onDidChange">;
  readonly connections: Pick<Connections, "content">;
  readonly secrets: Pick<TenantSecrets, "onDidSignOut">;
  readonly lifecycle: Pick<WorkspaceLifecycle, "onDidChangeState">;
  readonly log: Pick<Log, "debug">;
}

/**
 * What workspaces and their kernels use, while something shows it and somebody uses the window: pushed by a companion
 * that runs anyway, or read from a server that reports it (jupyter-resource-usage).
 */
export class ResourceUsages implements vscode.Disposable {
  readonly #parts: ResourceUsageParts;
  readonly #presence: Presence;
  readonly #places = new Map<string, WatchedPlace>();
  readonly #changed = new vscode.EventEmitter<CompanionPlace>();
  readonly #listeners: vscode.Disposable;

  /** Fires when the usage of a workspace is known, has changed, or isn't known anymore. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: ResourceUsageParts, presence: Presence & vscode.Disposable) {
    this.#parts = parts;
    this.#presence = presence;
    const { companions, lifecycle, secrets } = parts;
    this.#listeners = vscode.Disposable.from(
      presence,
      presence.onChange(() => this.#all((place) => place.update())),
      companions.onDidChange((place) => this.#places.get(keyOf(place))?.renew()),
      lifecycle.onDidChangeState(({ state, ...place }) =>
        state === "started" ? this.#places.get(keyOf(place))?.renew() : undefined,
      ),
      secrets.onDidSignOut((tenantId) => {
        for (const [key, watched] of this.#places) {
          if (watched.place.tenantId === tenantId) {
            watched.end();
            this.#places.delete(key);
          }
        }
      }),
    );
  }

  /** What was reported last, while the workspace is watched. */
  latest(place: CompanionPlace): ResourceUsage | undefined {
    return this.#places.get(keyOf(place))?.usage;
  }

  /**
   * Keeps the usage up to date until it is disposed of, because something shows it. `asksServer`: whether that is worth
   * requests of its own, for example because the user asked for it. Opening a file isn't.
   */
  watch(place: CompanionPlace, { asksServer }: { readonly asksServer: boolean }): vscode.Disposable {
    const key = keyOf(place);
    let watched = this.#places.get(key);
    if (watched === undefined) {
      watched = new WatchedPlace(place, this.#parts, this.#presence, () => this.#changed.fire(place));
      this.#places.set(key, watched);
    }
    const shown = watched;
    shown.watchers += 1;
    shown.asksServer ||= asksServer;
    shown.update();
    let isWatching = true;
    return new vscode.Disposable(() => {
      if (isWatching) {
        isWatching = false;
        shown.watchers -= 1;
        shown.update();
      }
    });
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#all((place) => place.end());
    this.#places.clear();
    this.#changed.dispose();
  }

  #all(work: (place: WatchedPlace) => void): void {
    for (const place of [...this.#places.values()]) {
      work(place);
    }
  }
}

export function resourceUsages(parts: ResourceUsageParts): ResourceUsages {
  return new ResourceUsages(parts, new WindowActivity());
}

/** Where the usage comes from at the moment. */
type Source =
  | { readonly type: "none" }
  | { readonly type: "companion"; readonly companion: Companion; readonly stop: () => void }
  | { readonly type: "server"; readonly stop: () => void }
  /** Neither has it. */
  | { readonly type: "missing"; readonly companion: Companion | undefined; readonly stop: () => void };

class WatchedPlace {
  readonly place: CompanionPlace;
  readonly #parts: ResourceUsageParts;
  readonly #presence: Presence;
  readonly #onChange: () => void;
  /** Number of views that show the usage. */
  watchers = 0;
  /** True once a view was worth requests of its own. */
  asksServer = false;
  usage: ResourceUsage | undefined;
  #source: Source = { type: "none" };
  #pauseMs = firstPauseMs;
  #hasEnded = false;

  constructor(place: CompanionPlace, parts: ResourceUsageParts, presence: Presence, onChange: () => void) {
    this.place = place;
    this.#parts = parts;
    this.#presence = presence;
    this.#onChange = onChange;
  }

  /** Begins or ends to watch, depending on who watches, and whether there is a companion. */
  update(): void {
    const isWanted = !this.#hasEnded && this.watchers > 0 && this.#presence.isPresent;
    const companion = isWanted ? this.#parts.companions.running(this.place) : undefined;
    const source = this.#source;
    if (!isWanted) {
      this.#stop();
      // An old figure says nothing about later.
      this.#report(undefined);
    } else if (companion !== undefined) {
      const isCurrent = (source.type === "companion" || source.type === "missing") && source.companion === companion;
      if (!isCurrent) {
        this.#stop();
        this.#subscribe(companion);
      }
    } else if (source.type === "companion" || (source.type === "missing" && source.companion !== undefined)) {
      this.#stop();
      this.#pollIfWorthwhile();
    } else if (source.type === "none") {
      this.#pollIfWorthwhile();
    }
  }

  /** Tries again what failed before, because something has changed. */
  renew(): void {
    this.#pauseMs = firstPauseMs;
    if (this.#source.type === "missing") {
      this.#stop();
    }
    this.update();
  }

  end(): void {
    this.#hasEnded = true;
    this.update();
  }

  #stop(): void {
    if (this.#source.type !== "none") {
      this.#source.stop();
      this.#source = { type: "none" };
    }
  }

  #report(usage: ResourceUsage | undefined): void {
    if (usage !== undefined || this.usage !== undefined) {
      this.usage = usage;
      this.#onChange();
    }
  }

  #subscribe(companion: Companion): void {
    const controller = new AbortController();
    const { signal } = controller;
    let dispose = (): void => {};
    const stop = (): void => {
      controller.abort();
      dispose();
    };
    this.#source = { type: "companion", companion, stop };
    const fail = (error: unknown): void => (signal.aborted ? undefined : this.#failed(companion, error));
    companion
      .subscribe(
        watchResources,
        {},
        {
          onPush: (usage) => {
            if (!signal.aborted) {
              this.#pauseMs = firstPauseMs;
              this.#report(usage);
            }
          },
          onFailure: fail,
        },
        { signal },
      )
      .then((subscription) => {
        dispose = () => subscription.dispose();
        if (signal.aborted) {
          dispose();
        }
      }, fail);
  }

  #pollIfWorthwhile(): void {
    if (this.asksServer) {
      this.#poll();
    } else {
      this.#report(undefined);
    }
  }

  #poll(): void {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      controller.abort();
      clearTimeout(timer);
    };
    this.#source = { type: "server", stop };
    const { tenantId, workspaceId } = this.place;
    const read = async (): Promise<void> => {
      try {
        const client = await this.#parts.connections.content(tenantId, workspaceId);
        signal.throwIfAborted();
        const usage = await readServerMetrics(client, { signal });
        if (signal.aborted) {
          return;
        }
        this.#report(usage);
        if (usage === undefined) {
          this.#source = { type: "missing", companion: undefined, stop: () => {} };
          return;
        }
        this.#pauseMs = firstPauseMs;
        timer = setTimeout(() => void read(), requestIntervalMs);
      } catch (error) {
        if (!signal.aborted) {
          this.#failed(undefined, error);
        }
      }
    };
    void read();
  }

  /** Waits before the next attempt, twice as long as before. */
  #failed(companion: Companion | undefined, error: unknown): void {
    this.#parts.log.debug(`resources of ${this.place.workspaceId}: ${errorMessage(error)}`);
    const timer = setTimeout(() => {
      this.#source = { type: "none" };
      this.update();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
    this.#source = { type: "missing", companion, stop: () => clearTimeout(timer) };
    this.#report(undefined);
  }
}

function keyOf({ tenantId, workspaceId }: CompanionPlace): string {
  return `${tenantId}/${workspaceId}`;
}
