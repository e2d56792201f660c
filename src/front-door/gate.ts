import { type IRateLimiterRes, RateLimiterMemory } from "rate-limiter-flexible";
import { PlatformCredential } from "../api/credentials.ts";
import type { Claims } from "./claims.ts";
import type { Configuration } from "./configuration.ts";
import type { Credentials } from "./credentials.ts";
import type { Entitlements } from "./entitlements.ts";
import type { KeySet } from "./key-set.ts";
import { platformUrlOf } from "./platform-address.ts";
import { isRefusal, type Refusal } from "./refusals.ts";
import { extractToken } from "./token.ts";
import type { Caller, CredentialOutcome } from "./tool-handler.ts";
import { verifyToken } from "./verification.ts";

export interface GateParts {
  readonly configuration: Configuration;
  readonly keys: Pick<KeySet, "keyFor">;
  readonly entitlements: Pick<Entitlements, "check">;
  readonly credentials: Pick<Credentials, "credential" | "forget">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The stages in the description's order (API description, 5.3): token, signature and claims, then entitlement, then the
 * stored credential. Whatever fails closes the door.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #limiter: RateLimiterMemory;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#limiter = new RateLimiterMemory({ points: parts.configuration.limits.requestsPerMinute, duration: 60 });
  }

  /** Who calls, by the token in the request's Authorization headers. */
  async authenticate(authorization: readonly string[] | undefined): Promise<Claims | Refusal> {
    const { configuration, keys, now } = this.#parts;
    const presented = extractToken(authorization, configuration.token);
    return isRefusal(presented) ? presented : verifyToken(presented, configuration.token, keys, now());
  }

  /** Counts a request of that person; undefined while they are within their rate. */
  overRate({ issuer, subject }: Claims): Promise<Refusal | undefined> {
    return consume(this.#limiter, JSON.stringify([issuer, subject]), "requests per person");
  }

  /** Lets a verified person in who is entitled and has a credential. */
  async admit(claims: Claims, requestId: string): Promise<Caller | Refusal> {
    const { configuration, entitlements, credentials } = this.#parts;
    const { issuer, subject, email } = claims;
    const platformUrl = platformUrlOf(configuration.platform.baseUrl, claims.tenant);
    if (platformUrl === undefined) {
      return { refusal: "invalidToken", reason: `it names no tenant in ${configuration.token.tenantClaim}` };
    }
    const entitlement = await entitlements.check(email);
    if (isRefusal(entitlement)) {
      return entitlement;
    }
    const found = await credentials.credential({ email, slug: configuration.credentials.slug });
    if (isRefusal(found)) {
      return found;
    }
    return {
      ...{ issuer, subject, email, requestId, platformUrl },
      platformCredential: new PlatformCredential(platformUrl.origin, found.secret),
      credential: async (slug) => outcomeOf(await credentials.credential({ email, slug })),
      forget: (slug) => credentials.forget({ email, slug }),
    };
  }
}

function outcomeOf(found: { readonly secret: string } | Refusal): CredentialOutcome {
  if (!isRefusal(found)) {
    return { outcome: "found", secret: found.secret };
  }
  switch (found.refusal) {
    case "noCredential":
      return { outcome: "missing" };
    case "unreadableCredential":
      return { outcome: "unreadable" };
    default:
      return { outcome: "unavailable" };
  }
}

/** Takes one point from a limit; a refusal says when there is one again. */
export async function consume(limiter: RateLimiterMemory, key: string, limit: string): Promise<Refusal | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (refused) {
    const { msBeforeNext = 1000 }: Partial<IRateLimiterRes> = refused instanceof Error ? {} : Object(refused);
    return { refusal: "overLimit", limit, retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
  }
}
