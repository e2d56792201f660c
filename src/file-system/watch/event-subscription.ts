import type { ContentClient } from "../../api/client/client.ts";
import type { Clock } from "../../api/clock.ts";
import { type ContentEvent, type ContentEvents, subscribeToContentEvents } from "../../api/content-server/events.ts";

/** How long after the watching began the server is asked for its events: a window that opens has other things to do. */
const connectAfter = 3_000;
const firstPause = 5_000;
const longestPause = 300_000;
/** A connection that held that long was no mistake: the next pause is the first again. */
const steadyAfter = 60_000;

interface EventSubscriptionParts {
  readonly connect: () => Promise<ContentClient>;
  readonly clock: Clock;
  /** True while the server may be asked at all. */
  readonly isActive: () => boolean;
  /** The server reports its events, or no longer does. */
  readonly onChanged: (hasEvents: boolean) => void;
  readonly onEvent: (event: ContentEvent) => void;
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
 * The subscription to one content server's events, for as long as it is watched. A server that refuses the first
 * connection is not asked again until its workspace was started anew; a connection that broke comes back with pauses, and
 * only while the window has the focus.
 */
export class EventSubscription {
  readonly #parts: EventSubscriptionParts;
  #state: State = { type: "idle" };
  #pause = firstPause;
  #round = 0;

  constructor(parts: EventSubscriptionParts) {
    this.#parts = parts;
  }

  /** Connects soon, unless it is connected, or known not to be possible, or nothing may be asked. */
  ensure(wait: number = connectAfter): void {
    if (this.#state.type === "idle" && this.#parts.isActive()) {
      const cancel = this.#parts.clock.schedule(wait, () => void this.#connect());
      this.#state = { type: "waiting", cancel };
    }
  }

  /** Ends the connection; `ensure` begins anew, also with a server that had no events before. */
  reset(): void {
    this.#round += 1;
    const state = this.#state;
    this.#state = { type: "idle" };
    this.#pause = firstPause;
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
          if (!isCurrent() || events === undefined) {
            events?.close();
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
        onClose: () => {
          if (isCurrent()) {
            this.#closed(openedAt);
          }
        },
      });
      if (events === undefined) {
        this.#state = { type: "unavailable" };
      }
    } catch {
      // Looks at the directories tell what is wrong with the workspace; events come after it is right again.
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
    if (this.#parts.clock.now() - openedAt >= steadyAfter) {
      this.#pause = firstPause;
    }
    this.#state = { type: "idle" };
    this.#parts.onChanged(false);
    this.ensure(this.#pause);
    this.#pause = Math.min(this.#pause * 2, longestPause);
  }
}
