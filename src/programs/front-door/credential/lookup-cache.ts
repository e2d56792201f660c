import type { LRUCache } from "lru-cache";
import type { Refusal } from "../http/rejections.ts";

/** An outcome that all who wait for it get, and nobody after them: a failure must not outlive its moment. */
export class Unkept extends Error {
  override readonly name = "Unkept";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.refusal);
    this.refusal = refusal;
  }
}

/**
 * What the caches have in common: their bound, and the clock that tests may set. Every entry gets a time of its own when
 * it is fetched; the one here is the least for what would have none. Who waits for an entry gets it, even when it was
 * dropped meanwhile.
 */
export function cacheOptions(max: number, now: () => number) {
  return { max, ttl: 1, ttlResolution: 0, perf: { now }, ignoreFetchAbort: true } as const;
}

/** The outcome of a cache's `fetch`, an unkept one included. */
export async function keptOrNot<T extends object>(fetch: () => Promise<T | undefined>): Promise<T | Refusal> {
  try {
    return (await fetch()) ?? { refusal: "unavailable", reason: "the outcome was dropped while it was fetched" };
  } catch (error) {
    if (error instanceof Unkept) {
      return error.refusal;
    }
    throw error;
  }
}

/** For the metrics: from the cache, together with somebody who had asked already, or asked anew. */
export function cacheUse(fetch: LRUCache.Status<string, unknown>["fetch"]): "hit" | "shared" | "miss" {
  return fetch === "hit" ? "hit" : fetch === "inflight" ? "shared" : "miss";
}
