import { hash, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";

/** A bound, not a time: what is remembered never becomes wrong. */
const mostTokens = 2000;

/**
 * Which tokens were signed with which key: to verify a signature costs more than all else that the gate does for a token.
 * Only that is remembered, by the digest of the whole token. Its claims and times are judged anew for each request, and a
 * key that the set has no more, or has read anew, vouches for nothing.
 */
export class VerifiedSignatures {
  readonly #keys = new LRUCache<string, KeyObject>({ max: mostTokens });

  has(jwt: string, key: KeyObject): boolean {
    return this.#keys.get(digestOf(jwt)) === key;
  }

  add(jwt: string, key: KeyObject): void {
    this.#keys.set(digestOf(jwt), key);
  }
}

function digestOf(jwt: string): string {
  return hash("sha256", jwt, "base64url");
}
