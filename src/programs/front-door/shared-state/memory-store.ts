import {
  confirmationMilliseconds,
  type RevocationTimes,
  type StateStore,
  type WindowCount,
  windowMilliseconds,
} from "./state-store.ts";

interface MemoryStoreOptions {
  /** How long a revocation is stored, in seconds. */
  readonly revocationSeconds: number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
}

/** The counts of one window, by key. */
interface Window {
  readonly counts: Map<string, number>;
  readonly endsAt: number;
}

interface RevokedName {
  readonly since: number;
  readonly expiresAt: number;
}

/** Maximum number of stored confirmations, and of stored revocations. Each takes about 150 bytes. */
const maxRemembered = 100_000;

/**
 * Stores the state in this process. Counts requests in fixed one-minute windows, which are the same for all keys of a
 * limit. This takes one number per key and no timers, which matters with ten thousand callers.
 */
export class MemoryStore implements StateStore {
  readonly isAvailable = true;
  readonly #options: MemoryStoreOptions;
  readonly #windows = new Map<string, Window>();
  /** The time of use of each confirmation, oldest first. */
  readonly #used = new Map<string, number>();
  readonly #revoked = new Map<string, RevokedName>();

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  async count(limit: string, key: string): Promise<WindowCount> {
    const now = this.#options.monotonic();
    let window = this.#windows.get(limit);
    if (window === undefined || now >= window.endsAt) {
      window = { counts: new Map(), endsAt: now + windowMilliseconds };
      this.#windows.set(limit, window);
    }
    const counted = (window.counts.get(key) ?? 0) + 1;
    window.counts.set(key, counted);
    return { counted, millisecondsLeft: window.endsAt - now };
  }

  async use(id: string): Promise<{ readonly isFirst: boolean }> {
    const now = this.#options.monotonic();
    // Kept longer than necessary while there is space, so that setting back the wall clock doesn't make them valid
    // again.
    const [oldest] = this.#used;
    if (oldest !== undefined && this.#used.size >= maxRemembered && now - oldest[1] > confirmationMilliseconds) {
      this.#used.delete(oldest[0]);
    }
    if (this.#used.has(id) || this.#used.size >= maxRemembered) {
      return { isFirst: false };
    }
    this.#used.set(id, now);
    return { isFirst: true };
  }

  async revoke(name: string, since: number) {
    const { revocationSeconds, monotonic } = this.#options;
    const now = monotonic();
    if (!this.#revoked.has(name) && this.#revoked.size >= maxRemembered) {
      this.#deleteExpired(now);
      if (this.#revoked.size >= maxRemembered) {
        return { rejection: "unavailable", reason: "too many revocations are stored" } as const;
      }
    }
    const known = this.#revoked.get(name)?.since ?? 0;
    this.#revoked.set(name, { since: Math.max(known, since), expiresAt: now + revocationSeconds * 1000 });
    return undefined;
  }

  async revokedSince(names: readonly string[]): Promise<RevocationTimes> {
    const now = this.#options.monotonic();
    const times = names.map((name) => {
      const revoked = this.#revoked.get(name);
      return revoked === undefined || now >= revoked.expiresAt ? undefined : revoked.since;
    });
    return { times };
  }

  async close(): Promise<void> {}

  #deleteExpired(now: number): void {
    for (const [name, { expiresAt }] of this.#revoked) {
      if (now >= expiresAt) {
        this.#revoked.delete(name);
      }
    }
  }
}
