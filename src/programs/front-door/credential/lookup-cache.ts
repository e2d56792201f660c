import { LRUCache } from "lru-cache";
import { isRejection, type Rejection } from "../http/rejections.ts";

/** The result of a lookup: a value with the time for which it can be cached, or a rejection, which is never cached. */
export type LookupOutcome<Value> = { readonly value: Value; readonly milliseconds: number } | Rejection;

/** For the metrics: found in the cache, shared with a lookup in progress, or looked up. */
type CacheUse = "hit" | "shared" | "miss";

interface LookupCacheOptions<Value> {
  readonly maximumSize: number;
  /** A monotonic clock, in milliseconds. Must not return 0, which the library treats as missing. */
  readonly monotonic: () => number;
  readonly lookUp: (key: string) => Promise<LookupOutcome<Value>>;
  /** Called for each value that leaves the cache. */
  readonly dispose?: (value: Value) => void;
}

/** Passes a rejection through the library's `fetch`, which caches every value that is returned. */
class RejectedLookup extends Error {
  override readonly name = "RejectedLookup";
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.rejection);
    this.rejection = rejection;
  }
}

/**
 * A bounded cache of lookups. Concurrent lookups of one key share one request. A failure rejects all waiting callers,
 * but not later ones.
 */
export class LookupCache<Value extends object> {
  readonly #cache: LRUCache<string, Value>;

  constructor({ maximumSize, monotonic, lookUp, dispose }: LookupCacheOptions<Value>) {
    this.#cache = new LRUCache<string, Value>({
      max: maximumSize,
      // Each entry has its own lifetime. The library also requires a default.
      ttl: 1,
      ttlResolution: 0,
      perf: { now: monotonic },
      // A pending lookup resolves with its value, even if its entry was deleted meanwhile.
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

  /** Removes expired entries. The cache itself removes them only when they are requested. */
  purgeExpired(): void {
    this.#cache.purgeStale();
  }

  clear(): void {
    this.#cache.clear();
  }

  async #fetch(key: string, status: LRUCache.Status<string, Value>): Promise<Value | Rejection> {
    try {
      const value = await this.#cache.fetch(key, { status });
      return value ?? { rejection: "unavailable", reason: "the result was discarded while it was fetched" };
    } catch (error) {
      if (error instanceof RejectedLookup) {
        return error.rejection;
      }
      throw error;
    }
  }
}
