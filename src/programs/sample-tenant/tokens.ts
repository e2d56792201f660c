import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Incoming } from "./http.ts";

/** The tokens of one run: random, or derived from a secret so that they are the same after a restart. */
export class Tokens {
  readonly #secret: string;

  constructor(secret: string = randomBytes(32).toString("hex")) {
    this.#secret = secret;
  }

  /** The credential of the platform. */
  get platform(): string {
    return this.#derive("platform");
  }

  /** The token of one workspace's content server. */
  notebook(workspaceId: string): string {
    return this.#derive(`notebook ${workspaceId}`);
  }

  #derive(purpose: string): string {
    return createHmac("sha256", this.#secret).update(purpose).digest("hex").slice(0, 48);
  }
}

/** The token of a request: `Authorization: token X` or `Bearer X` in any case, or `?token=X`. */
export function tokenIn(incoming: Incoming): string | undefined {
  const header = /^(?:token|bearer)\s+(\S+)\s*$/i.exec(incoming.request.headers.authorization ?? "");
  return header?.[1] ?? incoming.query.get("token") ?? undefined;
}

/** Compares two tokens in constant time. */
export function isSameToken(given: string | undefined, expected: string): boolean {
  const left = Buffer.from(given ?? "");
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
