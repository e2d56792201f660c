import { PlatformCredential } from "../../api/http/credentials.ts";
import type { Clocks } from "./clock.ts";
import { type Configuration, platformUrlOf, tenantFor, withTenant } from "./config/configuration.ts";
import type { Credentials } from "./credential/credentials.ts";
import type { Entitlements } from "./credential/entitlements.ts";
import { FailedTokens } from "./http/address-limits.ts";
import { RateLimiter } from "./http/rate-limiter.ts";
import { isRejection, type Rejection } from "./http/rejections.ts";
import type { Caller, CredentialOutcome } from "./mcp/tool-handler.ts";
import type { Traces } from "./observability/traces.ts";
import type { StateStore } from "./shared-state/state-store.ts";
import { extractToken } from "./token/bearer-token.ts";
import type { Claims } from "./token/claims.ts";
import type { KeySet } from "./token/key-set.ts";
import type { Revocations } from "./token/revocations.ts";
import { SignatureCache, verifyToken } from "./token/verification.ts";

interface GateConfiguration {
  readonly token: Configuration["token"];
  readonly platform: Pick<Configuration["platform"], "baseUrl">;
  readonly credentials: Pick<Configuration["credentials"], "slug">;
  readonly limits: Pick<Configuration["limits"], "requestsPerMinute" | "failedTokensPerMinute">;
}

interface GateParts {
  readonly configuration: GateConfiguration;
  readonly keys: Pick<KeySet, "keyFor">;
  readonly entitlements: Pick<Entitlements, "check">;
  readonly credentials: Pick<Credentials, "credential" | "renewed" | "delete">;
  readonly state: StateStore;
  readonly revocations: Pick<Revocations, "check">;
  readonly traces: Traces;
  readonly clock: Clocks;
}

/**
 * Checks requests in the order of the description (API description, 5.3): token, signature and claims, entitlement,
 * stored credential. Any failure rejects the request.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #rate: RateLimiter;
  readonly #failedTokens: FailedTokens;
  readonly #signatures = new SignatureCache();

  constructor(parts: GateParts) {
    const { configuration, state, clock } = parts;
    const { limits } = configuration;
    this.#parts = parts;
    this.#failedTokens = new FailedTokens(limits, state, clock.monotonic);
    const limit = { name: "requests per person", maxPerMinute: limits.requestsPerMinute };
    this.#rate = new RateLimiter(limit, state, clock.monotonic);
  }

  /** Verifies the token in the Authorization headers of a request from this address. */
  async authenticate(
    authorization: readonly string[] | undefined,
    address: string,
    signal: AbortSignal,
  ): Promise<Claims | Rejection> {
    return this.#parts.traces.stage("authenticate", async () => {
      const claims = await this.#verified(authorization, address, signal);
      if (isRejection(claims) && claims.rejection === "invalidToken") {
        await this.#failedTokens.slowDown(address, signal);
      }
      return claims;
    });
  }

  async #verified(
    authorization: readonly string[] | undefined,
    address: string,
    signal: AbortSignal,
  ): Promise<Claims | Rejection> {
    const { configuration, keys, clock } = this.#parts;
    const presented = extractToken(authorization, configuration.token);
    if (isRejection(presented)) {
      return presented;
    }
    return this.#failedTokens.isCrowded(address) && !this.#signatures.remembers(presented.jwt)
      ? this.#failedTokens.refuse(address, signal)
      : verifyToken(presented, configuration.token, keys, this.#signatures, clock.wall());
  }

  /**
   * Counts a request of the caller. Resolves with undefined if the caller is within the rate limit and the token is not
   * revoked.
   */
  async checkUse(claims: Claims): Promise<Rejection | undefined> {
    // In parallel, because each is a round trip with a shared store. The subject is a sufficient key, because there is
    // one issuer.
    const { revocations, traces } = this.#parts;
    const [revoked, overLimit] = await Promise.all([
      traces.stage("revocation", () => revocations.check(claims)),
      traces.stage("limit", () => this.#rate.count(claims.subject)),
    ]);
    return revoked ?? overLimit;
  }

  /** Admits a verified caller who is entitled and has a stored credential. */
  async admit(claims: Claims, requestId: string): Promise<Caller | Rejection> {
    const { configuration, entitlements, credentials, traces } = this.#parts;
    const { issuer, subject, email } = claims;
    const platformUrl = platformUrlOf(configuration.platform.baseUrl, claims.tenant);
    if (platformUrl === undefined) {
      return { rejection: "invalidToken", reason: `it has no tenant in the claim ${configuration.token.tenantClaim}` };
    }
    const tenant = tenantFor(configuration.platform.baseUrl, claims.tenant);
    const entitlement = await traces.stage("entitlement", () => entitlements.check(email, tenant));
    if (isRejection(entitlement)) {
      return entitlement;
    }
    const name = { email, slug: withTenant(configuration.credentials.slug, tenant), tenant };
    const found = await traces.stage("credential", () => credentials.credential(name));
    if (isRejection(found)) {
      return found;
    }
    return {
      issuer,
      subject,
      email,
      requestId,
      tenant,
      platformUrl,
      platformCredential: new PlatformCredential(platformUrl.origin, found.secret),
      renewPlatformCredential: async () => {
        const stored = await traces.stage("credential", () => credentials.renewed(name, found.secret));
        return isRejection(stored) ? undefined : new PlatformCredential(platformUrl.origin, stored.secret);
      },
      credential: async (slug) =>
        outcomeOf(await traces.stage("credential", () => credentials.credential({ email, slug, tenant }))),
      deleteCredential: (slug) => credentials.delete({ email, slug, tenant }),
    };
  }
}

function outcomeOf(found: { readonly secret: string } | Rejection): CredentialOutcome {
  if (!isRejection(found)) {
    return { outcome: "found", secret: found.secret };
  }
  switch (found.rejection) {
    case "noCredential":
      return { outcome: "missing" };
    case "unreadableCredential":
      return { outcome: "unreadable" };
    default:
      return { outcome: "unavailable" };
  }
}
