import { LRUCache } from "lru-cache";
import type { StateStore } from "../shared-state/state-store.ts";
import { isRejection, type Rejection } from "./rejections.ts";

interface RateLimit {
  /** The name of the limit in the log and the metrics. */
  readonly name: string;
  readonly maxPerMinute: number;
}

/** Maximum number of keys over the limit that are cached. */
const maxRemembered = 10_000;

/** Limits requests per key in fixed one-minute windows. The store does the counting. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #state: Pick<StateStore, "count">;
  readonly #monotonic: () => number;
  /**
   * The end of the window for keys over the limit, so that clients that don't wait don't cause requests to the store.
   */
  readonly #over = new LRUCache<string, number>({ max: maxRemembered });

  /** `monotonic` is in milliseconds. */
  constructor(limit: RateLimit, state: Pick<StateStore, "count">, monotonic: () => number) {
    this.#limit = limit;
    this.#state = state;
    this.#monotonic = monotonic;
  }

  /**
   * Counts a request. Returns a rejection with the time until the next window if the key is over the limit, or another
   * rejection if the store doesn't respond.
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
    if (window.counted <= this.#limit.maxPerMinute) {
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
