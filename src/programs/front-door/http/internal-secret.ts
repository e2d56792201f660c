import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Configuration } from "../config/configuration.ts";
import type { StateStore } from "../shared-state/state-store.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Rejection } from "./rejections.ts";

/** The internal service calls for all people. */
export const everybody = "";

/** Lets in who knows the internal secret. Guesses have a limit of their own: they take nothing from who knows. */
export class InternalSecretGuard {
  readonly #secrets: readonly string[];
  readonly #guessRate: RateLimiter;

  constructor(
    { internal, limits }: Pick<Configuration, "internal" | "limits">,
    state: Pick<StateStore, "count">,
    monotonic: () => number,
  ) {
    this.#secrets = internal.secrets;
    const limit = { name: "wrong secrets", mostPerMinute: limits.validationsPerMinute };
    this.#guessRate = new RateLimiter(limit, state, monotonic);
  }

  /** Undefined where the request has the secret. */
  async check({ headersDistinct }: IncomingMessage): Promise<Rejection | undefined> {
    return isInternalSecret(headersDistinct["x-webui-secret"], this.#secrets)
      ? undefined
      : ((await this.#guessRate.count(everybody)) ?? { rejection: "wrongSecret" });
  }
}

/** True when the header is there once and is one of the secrets; takes the same time for each wrong one. */
function isInternalSecret(headers: readonly string[] | undefined, secrets: readonly string[]): boolean {
  const [given = ""] = headers ?? [];
  const digest = createHash("sha256").update(given).digest();
  const matches = secrets.map((secret) => timingSafeEqual(digest, createHash("sha256").update(secret).digest()));
  return headers?.length === 1 && matches.includes(true);
}
