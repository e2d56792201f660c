import type { Rejection } from "./rejections.ts";

const windowMilliseconds = 60_000;

/**
 * Limits requests per caller in fixed one-minute windows. Costs one number per caller of the current window and no timer,
 * because ten thousand callers at a time are normal.
 */
export class RateLimiter {
  readonly #limit: string;
  readonly #mostPerMinute: number;
  readonly #monotonic: () => number;
  #counts = new Map<string, number>();
  #endsAt = 0;

  /** `limit` names it in the log and in the metrics; `monotonic` is in milliseconds of a clock that only goes forward. */
  constructor(limit: string, mostPerMinute: number, monotonic: () => number) {
    this.#limit = limit;
    this.#mostPerMinute = mostPerMinute;
    this.#monotonic = monotonic;
  }

  /** Counts one request; gives a rejection with the time until the next window when the caller is over the limit. */
  count(caller: string): Rejection | undefined {
    const now = this.#monotonic();
    if (now >= this.#endsAt) {
      this.#counts = new Map();
      this.#endsAt = now + windowMilliseconds;
    }
    const counted = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, counted);
    if (counted <= this.#mostPerMinute) {
      return undefined;
    }
    return {
      rejection: "overLimit",
      limit: this.#limit,
      retryAfterSeconds: Math.max(1, Math.ceil((this.#endsAt - now) / 1000)),
    };
  }
}
