import { LRUCache } from "lru-cache";
import type { InternalServiceConfiguration } from "../config/configuration.ts";
import type { Refusal } from "../http/rejections.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { InternalService } from "./internal-service.ts";
import { cacheOptions, cacheUse, keptOrNot, Unkept } from "./lookup-cache.ts";

export type EntitlementOutcome = { readonly entitled: true } | Refusal;

// One for all: a cache of many people has no copies of it.
const entitled: EntitlementOutcome = { entitled: true };
const notEntitled: EntitlementOutcome = { refusal: "notEntitled" };

interface EntitlementOptions {
  readonly configuration: InternalServiceConfiguration;
  readonly service: Pick<InternalService, "entitlement">;
  readonly metrics: Metrics;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Who may use the tools. A yes is remembered for 30 s and a no for 5 s where nothing else is configured, a failure not at
 * all: then the door stays closed. Same-moment questions about one person are one request.
 */
export class Entitlements {
  readonly #cache: LRUCache<string, EntitlementOutcome>;
  readonly #metrics: Metrics;

  constructor({ configuration, service, metrics, size, now }: EntitlementOptions) {
    this.#metrics = metrics;
    this.#cache = new LRUCache<string, EntitlementOutcome>({
      ...cacheOptions(size, now),
      fetchMethod: async (email, _, { options }) => {
        const answer = await service.entitlement(email);
        switch (answer.outcome) {
          case "entitled":
            options.ttl = configuration.allowedSeconds * 1000;
            return entitled;
          case "denied":
            options.ttl = configuration.deniedSeconds * 1000;
            return notEntitled;
          case "unavailable":
            throw new Unkept({ refusal: "unavailable", reason: answer.reason });
        }
      },
    });
  }

  async check(email: string): Promise<EntitlementOutcome> {
    const status: LRUCache.Status<string, EntitlementOutcome> = {};
    const outcome = await keptOrNot(() => this.#cache.fetch(email, { status }));
    const result = "refusal" in outcome ? (outcome.refusal === "notEntitled" ? "denied" : "failed") : "entitled";
    this.#metrics.entitlements.inc({ result, cache: cacheUse(status.fetch) });
    return outcome;
  }
}
