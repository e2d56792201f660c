import type { ContentClient } from "../../api/client/client.ts";
import type { Clock } from "../../api/clock.ts";
import {
  type ContentEvent,
  type ContentEvents,
  type RoomEvent,
  subscribeToContentEvents,
} from "../../api/content-server/events.ts";

/** Milliseconds until the first connection, because an opening window has more important requests. */
const connectDelayMs = 3_000;
const firstPauseMs = 5_000;
const maxPauseMs = 300_000;
/** Milliseconds after which a connection counts as stable, which resets the pause between attempts. */
const stableAfterMs = 60_000;

interface EventSubscriptionParts {
  readonly connect: () => Promise<ContentClient>;
  readonly clock: Clock;
  /** True while requests to the server are allowed. */
  readonly isActive: () => boolean;
  /** Called when the server starts or stops reporting events. */
  readonly onChanged: (hasEvents: boolean) => void;
  readonly onEvent: (event: ContentEvent) => void;
  readonly onRoom?: (event: RoomEvent) => void;
  readonly subscribe?: typeof subscribeToContentEvents;
}

type State =
  | { readonly type: "idle" }
  | { readonly type: "waiting"; readonly cancel: () => void }
  | { readonly type: "connecting" }
  | { readonly type: "open"; readonly events: ContentEvents }
  /** The server has no events, or none for this client. */
  | { readonly type: "unavailable" };

/**
 * Subscribes to the events of one content server while it is watched. If the server refuses the first connection,
 * doesn't retry until the workspace is restarted. Reopens a broken connection after a pause, and only while the window
 * has the focus.
 */
export class EventSubscription {
  readonly #parts: EventSubscriptionParts;
  #state: State = { type: "idle" };
  #pause = firstPauseMs;
  #round = 0;

  constructor(parts: EventSubscriptionParts) {
    this.#parts = parts;
  }

  /** Connects soon, unless it is connected, events are unavailable, or requests are not allowed. */
  ensure(wait: number = connectDelayMs): void {
    if (this.#state.type === "idle" && this.#parts.isActive()) {
      const cancel = this.#parts.clock.schedule(wait, () => void this.#connect());
      this.#state = { type: "waiting", cancel };
    }
  }

  /** Closes the connection. After that, `ensure` tries again, even if the server had no events before. */
  reset(): void {
    this.#round += 1;
    const state = this.#state;
    this.#state = { type: "idle" };
    this.#pause = firstPauseMs;
    if (state.type === "waiting") {
      state.cancel();
    } else if (state.type === "open") {
      state.events.close();
      this.#parts.onChanged(false);
    }
  }

  async #connect(): Promise<void> {
    const round = this.#round;
    const isCurrent = (): boolean => round === this.#round;
    if (!this.#parts.isActive()) {
      this.#state = { type: "idle" };
      return;
    }
    this.#state = { type: "connecting" };
    let openedAt: number | undefined;
    try {
      const client = await this.#parts.connect();
      if (!isCurrent()) {
        return;
      }
      const subscribe = this.#parts.subscribe ?? subscribeToContentEvents;
      const events = subscribe(client, {
        onOpen: () => {
          if (!isCurrent()) {
            events.close();
            return;
          }
          openedAt = this.#parts.clock.now();
          this.#state = { type: "open", events };
          this.#parts.onChanged(true);
        },
        onEvent: (event) => {
          if (isCurrent()) {
            this.#parts.onEvent(event);
          }
        },
        onRoom: (event) => {
          if (isCurrent()) {
            this.#parts.onRoom?.(event);
          }
        },
        onClose: () => {
          if (isCurrent()) {
            this.#closed(openedAt);
          }
        },
      });
    } catch {
      // Polling reports the cause. The subscription is retried when the workspace is available again.
      if (isCurrent()) {
        this.#state = { type: "idle" };
      }
    }
  }

  #closed(openedAt: number | undefined): void {
    if (openedAt === undefined) {
      this.#state = { type: "unavailable" };
      return;
    }
    if (this.#parts.clock.now() - openedAt >= stableAfterMs) {
      this.#pause = firstPauseMs;
    }
    this.#state = { type: "idle" };
    this.#parts.onChanged(false);
    this.ensure(this.#pause);
    this.#pause = Math.min(this.#pause * 2, maxPauseMs);
  }
}
