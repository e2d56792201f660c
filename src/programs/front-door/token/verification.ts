import { hash, type KeyObject, verify } from "node:crypto";
import { errors, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import type { TokenConfiguration } from "../config/configuration.ts";
import { isRejection, type Rejection } from "../http/rejections.ts";
import type { PresentedToken } from "./bearer-token.ts";
import { type Claims, claimsOf, precheck } from "./claims.ts";
import type { KeySet } from "./key-set.ts";

/**
 * Verifies a token: first the unsigned checks, then the key, the signature, and the signed claims. Accepts only RS256,
 * regardless of the token's header. `now` is in milliseconds since 1970.
 */
export async function verifyToken(
  presented: PresentedToken,
  token: TokenConfiguration,
  keys: Pick<KeySet, "keyFor">,
  signatures: SignatureCache,
  now: number,
): Promise<Claims | Rejection> {
  const nowSeconds = Math.floor(now / 1000);
  const unverified = precheck(presented, token, nowSeconds);
  if (isRejection(unverified)) {
    return unverified;
  }
  const found = await keys.keyFor(unverified.kid);
  if (found.outcome === "unavailable") {
    return { rejection: "unavailable", reason: `key set: ${found.reason}` };
  }
  if (found.outcome === "unknown") {
    return { rejection: "invalidToken", reason: "no key of the set has its key id" };
  }
  if (signatures.has(presented.jwt, found.key)) {
    return withVerifiedEmail(unverified.claims, token);
  }
  try {
    if (!isSigned(presented.jwt, found.key)) {
      return { rejection: "invalidToken", reason: "its signature is wrong" };
    }
    const { payload } = await jwtVerify(presented.jwt, found.key, {
      algorithms: ["RS256"],
      issuer: token.issuer,
      audience: [...token.audiences],
      requiredClaims: ["exp", "sub"],
      clockTolerance: token.clockSkewSeconds,
      currentDate: new Date(now),
    });
    signatures.add(presented.jwt, found.key);
    const claims = claimsOf(payload, token, nowSeconds);
    return isRejection(claims) ? claims : withVerifiedEmail(claims, token);
  } catch (error) {
    if (error instanceof errors.JOSEError) {
      return { rejection: "invalidToken", reason: error.code };
    }
    // The key itself is unusable, so the token may still be valid.
    return { rejection: "unavailable", reason: "key set: a key of it can't be used" };
  }
}

/**
 * True if the RS256 signature of a compact JWS matches the key. Rejecting a token here costs a third of what it costs
 * in the library, which starts a thread and creates an error. A token is accepted only after the library has verified
 * it once.
 */
function isSigned(jwt: string, key: KeyObject): boolean {
  const end = jwt.lastIndexOf(".");
  return verify("RSA-SHA256", Buffer.from(jwt.slice(0, end)), key, Buffer.from(jwt.slice(end + 1), "base64url"));
}

/** Checked only after the signature, so that a 403 is sent only to a caller with a valid token. */
function withVerifiedEmail(claims: Claims, { emailVerifiedRequired }: TokenConfiguration): Claims | Rejection {
  const { emailIsVerified } = claims;
  return emailIsVerified === false || (emailIsVerified === undefined && emailVerifiedRequired)
    ? { rejection: "emailNotVerified" }
    : claims;
}

/** Entries never become invalid, so only their number is limited. */
const maxTokens = 2000;

/**
 * Caches which tokens were signed with which key, because verifying a signature costs more than all other checks of a
 * token. The key of an entry is the digest of the whole token. Claims and times are checked for each request. An entry
 * is ignored if its key was removed from the set or fetched again.
 */
export class SignatureCache {
  readonly #keys = new LRUCache<string, KeyObject>({ max: maxTokens });

  has(jwt: string, key: KeyObject): boolean {
    return this.#keys.get(digestOf(jwt)) === key;
  }

  /** True if the token was signed with any key. */
  remembers(jwt: string): boolean {
    return this.#keys.has(digestOf(jwt));
  }

  add(jwt: string, key: KeyObject): void {
    this.#keys.set(digestOf(jwt), key);
  }
}

function digestOf(jwt: string): string {
  return hash("sha256", jwt, "base64url");
}
