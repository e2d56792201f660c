import type { InternalServiceConfiguration } from "../config/configuration.ts";
import { isRejection, type Rejection } from "../http/rejections.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { InternalService } from "./internal-service.ts";
import { LookupCache, type LookupOutcome } from "./lookup-cache.ts";

type EntitlementOutcome = { readonly entitled: true } | Rejection;

/** A cached result. All entries share two objects, which saves memory. */
type Verdict = { readonly isEntitled: boolean };

const entitled: Verdict = { isEntitled: true };
const denied: Verdict = { isEntitled: false };

interface EntitlementOptions {
  readonly configuration: InternalServiceConfiguration;
  readonly service: Pick<InternalService, "entitlement">;
  readonly metrics: Metrics;
  readonly cacheSize: number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
}

/**
 * Checks who may use the tools. By default, positive results are cached for 30 seconds and negative ones for 5.
 * Failures are not cached, and reject the request. Concurrent checks of one user share one request.
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
        const response = await service.entitlement(email, tenant);
        switch (response.outcome) {
          case "entitled":
            return { value: entitled, milliseconds: configuration.allowedSeconds * 1000 };
          case "denied":
            return { value: denied, milliseconds: configuration.deniedSeconds * 1000 };
          case "unavailable":
            return { rejection: "unavailable", reason: response.reason };
        }
      },
    });
  }

  /** Checks a user. If tenants have their own platforms, the result applies only to `tenant`. */
  async check(email: string, tenant: string | undefined): Promise<EntitlementOutcome> {
    // Addresses and tenants contain no spaces.
    const { outcome, use } = await this.#cache.get(tenant === undefined ? email : `${email} ${tenant}`);
    const result = isRejection(outcome) ? "failed" : outcome.isEntitled ? "entitled" : "denied";
    this.#metrics.entitlements.inc({ result, cache: use });
    if (isRejection(outcome)) {
      return outcome;
    }
    return outcome.isEntitled ? { entitled: true } : { rejection: "notEntitled" };
  }
}
