import { LRUCache } from "lru-cache";
import { isRejection, type Rejection } from "../http/rejections.ts";

/** What a lookup found: a value and how long it may be cached, or a rejection, which is never cached. */
export type LookupOutcome<Value> = { readonly value: Value; readonly milliseconds: number } | Rejection;

/** For the metrics: from the cache, shared with a lookup in progress, or looked up. */
type CacheUse = "hit" | "shared" | "miss";

interface LookupCacheOptions<Value> {
  readonly maximumSize: number;
  /** Milliseconds of a clock that never jumps; never 0, which the library takes for an entry without a time. */
  readonly monotonic: () => number;
  readonly lookUp: (key: string) => Promise<LookupOutcome<Value>>;
  /** Called with each value that leaves the cache. */
  readonly dispose?: (value: Value) => void;
}

/** Carries a rejection out of the library's `fetch`, which caches everything that does not throw. */
class RejectedLookup extends Error {
  override readonly name = "RejectedLookup";
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.rejection);
    this.rejection = rejection;
  }
}

/**
 * A bounded cache of lookups. Concurrent lookups of one key share one request. A failure goes to everybody who waits for
 * it and to nobody after them.
 */
export class LookupCache<Value extends object> {
  readonly #cache: LRUCache<string, Value>;

  constructor({ maximumSize, monotonic, lookUp, dispose }: LookupCacheOptions<Value>) {
    this.#cache = new LRUCache<string, Value>({
      max: maximumSize,
      // Each entry gets its own time when it is fetched; the library wants one for all as well.
      ttl: 1,
      ttlResolution: 0,
      perf: { now: monotonic },
      // A lookup that is waited for ends with its value, even when its entry was deleted meanwhile.
      ignoreFetchAbort: true,
      ...(dispose === undefined ? {} : { dispose }),
      fetchMethod: async (key, _, { options }) => {
        const outcome = await lookUp(key);
        if (isRejection(outcome)) {
          throw new RejectedLookup(outcome);
        }
        options.ttl = outcome.milliseconds;
        return outcome.value;
      },
    });
  }

  async get(key: string): Promise<{ readonly outcome: Value | Rejection; readonly use: CacheUse }> {
    const status: LRUCache.Status<string, Value> = {};
    const outcome = await this.#fetch(key, status);
    return { outcome, use: status.fetch === "hit" ? "hit" : status.fetch === "inflight" ? "shared" : "miss" };
  }

  delete(key: string): void {
    this.#cache.delete(key);
  }

  /** Removes what has expired: the cache itself does that only when the entry is asked for again. */
  purgeExpired(): void {
    this.#cache.purgeStale();
  }

  clear(): void {
    this.#cache.clear();
  }

  async #fetch(key: string, status: LRUCache.Status<string, Value>): Promise<Value | Rejection> {
    try {
      const value = await this.#cache.fetch(key, { status });
      return value ?? { rejection: "unavailable", reason: "the outcome was dropped while it was fetched" };
    } catch (error) {
      if (error instanceof RejectedLookup) {
        return error.rejection;
      }
      throw error;
    }
  }
}
