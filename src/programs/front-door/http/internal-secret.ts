import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Configuration } from "../config/configuration.ts";
import type { StateStore } from "../shared-state/state-store.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Rejection } from "./rejections.ts";
import { headerValues } from "./request-headers.ts";

/** The rate limit key of the internal service, which calls for all users. */
export const everybody = "";

/**
 * Checks the internal secret. Wrong secrets have a separate rate limit, and don't affect callers with the right one.
 */
export class InternalSecretGuard {
  readonly #secrets: readonly string[];
  readonly #guessRate: RateLimiter;

  constructor(
    { internal, limits }: Pick<Configuration, "internal" | "limits">,
    state: Pick<StateStore, "count">,
    monotonic: () => number,
  ) {
    this.#secrets = internal.secrets;
    const limit = { name: "wrong secrets", maxPerMinute: limits.validationsPerMinute };
    this.#guessRate = new RateLimiter(limit, state, monotonic);
  }

  /** Undefined if the request has the secret. */
  async check(request: IncomingMessage): Promise<Rejection | undefined> {
    return isInternalSecret(headerValues(request, "x-webui-secret"), this.#secrets)
      ? undefined
      : ((await this.#guessRate.count(everybody)) ?? { rejection: "wrongSecret" });
  }
}

/** True if the header occurs once and is one of the secrets. Compares in constant time. */
function isInternalSecret(headers: readonly string[], secrets: readonly string[]): boolean {
  const [given = ""] = headers;
  const digest = createHash("sha256").update(given).digest();
  const matches = secrets.map((secret) => timingSafeEqual(digest, createHash("sha256").update(secret).digest()));
  return headers.length === 1 && matches.includes(true);
}
