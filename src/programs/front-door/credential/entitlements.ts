import type { InternalServiceConfiguration } from "../config/configuration.ts";
import { isRejection, type Rejection } from "../http/rejections.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { InternalService } from "./internal-service.ts";
import { LookupCache, type LookupOutcome } from "./lookup-cache.ts";

type EntitlementOutcome = { readonly entitled: true } | Rejection;

/** What the cache holds. One object for everybody: a cache of many people has no copies of it. */
type Verdict = { readonly isEntitled: boolean };

const entitled: Verdict = { isEntitled: true };
const denied: Verdict = { isEntitled: false };

interface EntitlementOptions {
  readonly configuration: InternalServiceConfiguration;
  readonly service: Pick<InternalService, "entitlement">;
  readonly metrics: Metrics;
  readonly cacheSize: number;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonic: () => number;
}

/**
 * Who may use the tools. By default a yes is cached for 30 s and a no for 5 s; a failure is not cached and refuses the
 * request. Concurrent checks of one person are one request.
 */
export class Entitlements {
  readonly #cache: LookupCache<Verdict>;
  readonly #metrics: Metrics;

  constructor({ configuration, service, metrics, cacheSize, monotonic }: EntitlementOptions) {
    this.#metrics = metrics;
    this.#cache = new LookupCache<Verdict>({
      maximumSize: cacheSize,
      monotonic,
      lookUp: async (key): Promise<LookupOutcome<Verdict>> => {
        const [email = "", tenant] = key.split(" ");
        const answer = await service.entitlement(email, tenant);
        switch (answer.outcome) {
          case "entitled":
            return { value: entitled, milliseconds: configuration.allowedSeconds * 1000 };
          case "denied":
            return { value: denied, milliseconds: configuration.deniedSeconds * 1000 };
          case "unavailable":
            return { rejection: "unavailable", reason: answer.reason };
        }
      },
    });
  }

  /** With the tenant, where each has a platform of its own: who may use one may not use another for that. */
  async check(email: string, tenant: string | undefined): Promise<EntitlementOutcome> {
    // Neither an address nor a tenant has a space.
    const { outcome, use } = await this.#cache.get(tenant === undefined ? email : `${email} ${tenant}`);
    const result = isRejection(outcome) ? "failed" : outcome.isEntitled ? "entitled" : "denied";
    this.#metrics.entitlements.inc({ result, cache: use });
    if (isRejection(outcome)) {
      return outcome;
    }
    return outcome.isEntitled ? { entitled: true } : { rejection: "notEntitled" };
  }
}
