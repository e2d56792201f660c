import { LRUCache } from "lru-cache";
import type { StateStore } from "../shared-state/state-store.ts";
import { isRejection, type Rejection } from "./rejections.ts";

interface RateLimit {
  /** Names it in the log and in the metrics. */
  readonly name: string;
  readonly mostPerMinute: number;
}

/** Keys over the limit that are remembered. */
const mostRemembered = 10_000;

/** Limits requests per key in one-minute windows, wherever they are counted. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #state: Pick<StateStore, "count">;
  readonly #monotonic: () => number;
  /** Until when a key is over the limit: a client that does not wait costs the store nothing. */
  readonly #over = new LRUCache<string, number>({ max: mostRemembered });

  /** `monotonic` is in milliseconds of a clock that only goes forward. */
  constructor(limit: RateLimit, state: Pick<StateStore, "count">, monotonic: () => number) {
    this.#limit = limit;
    this.#state = state;
    this.#monotonic = monotonic;
  }

  /**
   * Counts one request; gives a rejection with the time until the next window when the key is over the limit, and another
   * one when it cannot be counted.
   */
  async count(key: string): Promise<Rejection | undefined> {
    const endsAt = this.#over.get(key) ?? 0;
    const left = endsAt - this.#monotonic();
    if (left > 0) {
      return this.#rejection(left);
    }
    const window = await this.#state.count(this.#limit.name, key);
    if (isRejection(window)) {
      return window;
    }
    if (window.counted <= this.#limit.mostPerMinute) {
      return undefined;
    }
    this.#over.set(key, this.#monotonic() + window.millisecondsLeft);
    return this.#rejection(window.millisecondsLeft);
  }

  #rejection(millisecondsLeft: number): Rejection {
    const retryAfterSeconds = Math.max(1, Math.ceil(millisecondsLeft / 1000));
    return { rejection: "overLimit", limit: this.#limit.name, retryAfterSeconds };
  }
}
