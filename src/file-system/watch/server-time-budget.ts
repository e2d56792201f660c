import type { Clock } from "../../api/clock.ts";

/** Milliseconds of a server's processor for each entry of a listing: measured with Jupyter Server. */
const timePerEntry = 0.25;
const timePerListing = 1;
/** Milliseconds of a server's processor that polls may take at once. The same process relays kernel messages. */
const maxAtOnceMs = 1_000;
/** Share of a server's processor that polls may take in the long run. */
const share = 0.1;

/** Milliseconds of a server's processor for a listing with this number of entries. */
export function listingTimeOf(entries: number): number {
  return timePerListing + timePerEntry * entries;
}

/** Limits the time that polls take of one server: one second at once, then a tenth of the time. In milliseconds. */
export class ServerTimeBudget {
  readonly #clock: Clock;
  #available = maxAtOnceMs;
  #at: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** Milliseconds until this time can be spent. A listing that takes more than the whole budget waits for all of it. */
  waitFor(time: number): number {
    this.#refill();
    return Math.max(0, Math.ceil((Math.min(time, maxAtOnceMs) - this.#available) / share));
  }

  spend(time: number): void {
    this.#refill();
    this.#available -= time;
  }

  #refill(): void {
    const now = this.#clock.now();
    this.#available = Math.min(maxAtOnceMs, this.#available + (now - this.#at) * share);
    this.#at = now;
  }
}
