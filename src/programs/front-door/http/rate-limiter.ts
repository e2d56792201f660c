import type { Refusal } from "./rejections.ts";

const windowMilliseconds = 60_000;

/**
 * Counts requests by whom they are of, in minutes that follow each other and are the same for all: one number for each
 * caller of the minute and no timer, since ten thousand callers at once are nothing unusual.
 */
export class RequestRate {
  readonly #limit: string;
  readonly #mostPerMinute: number;
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #endsAt = 0;

  /** `limit` names it in the log and in the metrics; `now` is in milliseconds of a clock that only goes forward. */
  constructor(limit: string, mostPerMinute: number, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#mostPerMinute = mostPerMinute;
    this.#now = now;
  }

  /** Counts one request; a refusal where it is one too many, with the time until there is room again. */
  count(caller: string): Refusal | undefined {
    const now = this.#now();
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
      refusal: "overLimit",
      limit: this.#limit,
      retryAfterSeconds: Math.max(1, Math.ceil((this.#endsAt - now) / 1000)),
    };
  }
}
