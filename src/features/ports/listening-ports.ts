import * as vscode from "vscode";
import type { Companion } from "../../api/companion/companion.ts";
import { type ListeningPort, watchPorts } from "../../api/companion/operations/ports.ts";
import { errorMessage } from "../../api/error-message.ts";
import type { Presence } from "../../api/presence.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import type { PortServices } from "./port-services.ts";

/** Milliseconds after a lost connection until the next attempt. */
const retryPauseMs = 2000;

interface FollowedPlace {
  readonly place: CompanionPlace;
  followers: number;
  /** What was reported last. */
  ports: readonly ListeningPort[] | undefined;
  watching: { readonly companion: Companion; readonly end: AbortController; isLive: boolean } | undefined;
  /** The companion that doesn't know the ports of its system, or has failed. */
  without: Companion | undefined;
}

export interface ListeningPortsParts extends Pick<PortServices, "companions" | "log"> {
  readonly presence: Presence;
  /** True if all workspaces with a companion are followed. */
  readonly followsAll: () => boolean;
}

/**
 * The ports on which programs listen in workspaces, while something needs them, somebody uses the window, and the
 * workspace's companion runs anyway: none is started for it.
 */
export class ListeningPorts implements vscode.Disposable {
  readonly #parts: ListeningPortsParts;
  readonly #places = new Map<string, FollowedPlace>();
  readonly #changed = new vscode.EventEmitter<CompanionPlace>();
  readonly #listener: { dispose(): void };

  readonly onDidChange = this.#changed.event;

  constructor(parts: ListeningPortsParts) {
    this.#parts = parts;
    this.#listener = parts.presence.onChange(() => this.updateAll());
  }

  /** What was reported last. */
  latest(place: CompanionPlace): readonly ListeningPort[] {
    return this.#places.get(placeKey(place))?.ports ?? [];
  }

  /** The ports, up to date within seconds. Undefined if they aren't followed or can't be read. */
  live(place: CompanionPlace): readonly ListeningPort[] | undefined {
    const followed = this.#places.get(placeKey(place));
    return followed?.watching?.isLive === true ? followed.ports : undefined;
  }

  /** Follows the ports of a workspace until it is disposed of. */
  follow(place: CompanionPlace): vscode.Disposable {
    const followed = this.#of(place);
    followed.followers += 1;
    this.update(place);
    return new vscode.Disposable(() => {
      followed.followers -= 1;
      this.update(place);
    });
  }

  /** Begins or ends to follow a workspace, because its companion may have changed. */
  update(place: CompanionPlace): void {
    const { companions, followsAll, presence } = this.#parts;
    const followed = this.#of(place);
    const companion = companions.running(place);
    const { watching } = followed;
    if (watching !== undefined && watching.companion !== companion) {
      this.#stop(followed);
      this.#report(followed, undefined);
    }
    if (!presence.isPresent || companion === undefined || !(followed.followers > 0 || followsAll())) {
      this.#stop(followed);
    } else if (followed.watching === undefined && followed.without !== companion) {
      void this.#watch(followed, companion);
    }
  }

  updateAll(): void {
    for (const { place } of [...this.#places.values()]) {
      this.update(place);
    }
  }

  /** Removes the workspaces of a tenant, because the user has signed out. */
  remove(tenantId: string): void {
    for (const [key, followed] of this.#places) {
      if (followed.place.tenantId === tenantId) {
        this.#stop(followed);
        this.#places.delete(key);
      }
    }
  }

  dispose(): void {
    this.#listener.dispose();
    for (const followed of this.#places.values()) {
      this.#stop(followed);
    }
    this.#places.clear();
    this.#changed.dispose();
  }

  async #watch(followed: FollowedPlace, companion: Companion): Promise<void> {
    const end = new AbortController();
    const watching = { companion, end, isLive: false };
    followed.watching = watching;
    const take = (ports: readonly ListeningPort[]): void => {
      if (followed.watching === watching) {
        this.#report(followed, ports);
      }
    };
    const onFailure = (): void => {
      if (followed.watching === watching) {
        this.#stop(followed);
        this.#report(followed, undefined);
        const timer = setTimeout(() => this.update(followed.place), retryPauseMs);
        timer.unref();
      }
    };
    try {
      const subscription = await companion.subscribe(
        watchPorts,
        {},
        { onPush: ({ ports }) => take(ports), onFailure },
        { signal: end.signal },
      );
      if (end.signal.aborted) {
        subscription.dispose();
        return;
      }
      if (!subscription.result.isKnown) {
        subscription.dispose();
        followed.without = companion;
        this.#stop(followed);
        return;
      }
      end.signal.addEventListener("abort", () => subscription.dispose(), { once: true });
      watching.isLive = true;
      take(subscription.result.ports);
    } catch (error) {
      if (followed.watching === watching) {
        this.#parts.log.debug(`ports: ${errorMessage(error)}`);
        followed.without = companion;
        this.#stop(followed);
      }
    }
  }

  #stop(followed: FollowedPlace): void {
    const { watching } = followed;
    followed.watching = undefined;
    watching?.end.abort();
  }

  #report(followed: FollowedPlace, ports: readonly ListeningPort[] | undefined): void {
    followed.ports = ports;
    this.#changed.fire(followed.place);
  }

  #of(place: CompanionPlace): FollowedPlace {
    const { tenantId, workspaceId } = place;
    const key = placeKey(place);
    const followed = this.#places.get(key) ?? {
      place: { tenantId, workspaceId },
      followers: 0,
      ports: undefined,
      watching: undefined,
      without: undefined,
    };
    this.#places.set(key, followed);
    return followed;
  }
}

/** A key for a workspace in maps. */
export function placeKey({ tenantId, workspaceId }: CompanionPlace): string {
  return `${tenantId}/${workspaceId}`;
}
