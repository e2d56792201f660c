import { hash, type KeyObject, verify } from "node:crypto";
import { errors, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import type { TokenConfiguration } from "../config/configuration.ts";
import { isRejection, type Rejection } from "../http/rejections.ts";
import type { PresentedToken } from "./bearer-token.ts";
import { type Claims, claimsOf, precheck } from "./claims.ts";
import type { KeySet } from "./key-set.ts";

/**
 * Verifies a token: what can be seen to be wrong first, then the key, then the signature, then the claims as they were
 * signed. RS256 alone, whatever the token says. `now` is in milliseconds since 1970.
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
    // The key itself is of no use: nothing can be said of the token.
    return { rejection: "unavailable", reason: "key set: a key of it cannot be used" };
  }
}

/**
 * Whether the RS256 signature of a compact JWS belongs to the key. Refuses at a third of what the library takes, which
 * starts a thread and makes an error; the library alone accepts, once for each token.
 */
function isSigned(jwt: string, key: KeyObject): boolean {
  const end = jwt.lastIndexOf(".");
  return verify("RSA-SHA256", Buffer.from(jwt.slice(0, end)), key, Buffer.from(jwt.slice(end + 1), "base64url"));
}

/** Judged only when the signature is right: whoever gets 403 has shown who they are. */
function withVerifiedEmail(claims: Claims, { emailVerifiedRequired }: TokenConfiguration): Claims | Rejection {
  const { emailIsVerified } = claims;
  return emailIsVerified === false || (emailIsVerified === undefined && emailVerifiedRequired)
    ? { rejection: "emailNotVerified" }
    : claims;
}

/** A bound, not a time: what is remembered never becomes wrong. */
const mostTokens = 2000;

/**
 * Which tokens were signed with which key: to verify a signature costs more than all else that the gate does for a token.
 * Only that is remembered, by the digest of the whole token. Its claims and times are judged anew for each request, and a
 * key that the set has no more, or has read anew, vouches for nothing.
 */
export class SignatureCache {
  readonly #keys = new LRUCache<string, KeyObject>({ max: mostTokens });

  has(jwt: string, key: KeyObject): boolean {
    return this.#keys.get(digestOf(jwt)) === key;
  }

  /** True where some key was found to have signed the token. */
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
