import { tenantPattern } from "../../../api/catalogue/models/front-door.ts";
import type { TokenConfiguration } from "../config/configuration.ts";
import type { Rejection } from "../http/rejections.ts";
import type { PresentedToken } from "./bearer-token.ts";

/** The content of a token before its signature is verified. */
interface UnverifiedToken {
  readonly kid: string | undefined;
  readonly claims: Claims;
}

/** The identity in a token. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** The value of `email_verified`; undefined if the token doesn't contain it. */
  readonly emailIsVerified: boolean | undefined;
  /** The value for `{tenant}` in the platform's address. */
  readonly tenant: string | undefined;
  /** Seconds since 1970; undefined if the token does not contain it. */
  readonly issuedAt: number | undefined;
  /** The token's id (`jti`), if it has one. */
  readonly tokenId: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The maximum length of a token's ID (`jti`), in characters. A token with another ID is rejected. */
export const maxTokenIdLength = 256;

/** Header members that name sources of keys, or extensions that are not supported. */
const refusedMembers = ["jku", "jwk", "x5u", "x5c", "crit", "b64", "zip"] as const;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Checks a token before its signature, so that an invalid token doesn't cause a request for keys. Don't trust the
 * result before the signature is verified.
 */
export function precheck(
  { jwt }: PresentedToken,
  token: TokenConfiguration,
  nowSeconds: number,
): UnverifiedToken | Rejection {
  const [head = "", body = ""] = jwt.split(".");
  const header = membersOf(head);
  const payload = membersOf(body);
  if (header === undefined || payload === undefined) {
    return invalid("its header or payload is not a JSON object");
  }
  const { alg, kid, typ } = header;
  if (alg !== "RS256") {
    return invalid("its algorithm is not RS256");
  }
  const refused = refusedMembers.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) {
    return invalid(`its header has ${refused}`);
  }
  if (kid !== undefined && (typeof kid !== "string" || kid.length === 0 || kid.length > 256)) {
    return invalid("its key id is not a string of 1 to 256 characters");
  }
  if (typ !== undefined && typeof typ !== "string") {
    return invalid("its type is not a string");
  }
  if (token.requiredType !== undefined && mediaType(typ ?? "") !== mediaType(token.requiredType)) {
    return invalid("its type is not the required one");
  }
  const claims = claimsOf(payload, token, nowSeconds);
  return "rejection" in claims ? claims : { kid, claims };
}

/** Reads and validates the claims. `nowSeconds` is in seconds since 1970. */
export function claimsOf(payload: Members, token: TokenConfiguration, nowSeconds: number): Claims | Rejection {
  const { iss, aud, sub, exp, nbf, iat, jti } = payload;
  if (iss !== token.issuer) {
    return invalid("its issuer is wrong");
  }
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.some((one) => typeof one === "string" && token.audiences.includes(one))) {
    return invalid("it is for another audience");
  }
  const fault = timeProblem({ exp, nbf, iat }, token, nowSeconds);
  if (fault !== undefined) {
    return invalid(fault);
  }
  if (typeof sub !== "string" || sub.length === 0 || sub.length > 255) {
    return invalid("its subject is not a string of 1 to 255 characters");
  }
  const email = parseEmail(Object.hasOwn(payload, token.emailClaim) ? payload[token.emailClaim] : undefined, token);
  if (!email.valid) {
    return invalid(`its email address: ${email.reason}`);
  }
  if (jti !== undefined && (typeof jti !== "string" || jti.length === 0 || jti.length > maxTokenIdLength)) {
    return invalid(`its ID is not a string of 1 to ${maxTokenIdLength} characters, so it could not be revoked`);
  }
  const verified = payload.email_verified;
  const tenant = Object.hasOwn(payload, token.tenantClaim) ? payload[token.tenantClaim] : undefined;
  return {
    issuer: iss,
    subject: sub,
    email: email.email,
    emailIsVerified: verified === undefined ? undefined : verified === true || verified === "true",
    tenant: typeof tenant === "string" && tenantPattern.test(tenant) ? tenant : undefined,
    issuedAt: typeof iat === "number" ? iat : undefined,
    tokenId: jti,
  };
}

function timeProblem(
  { exp, nbf, iat }: { readonly exp: unknown; readonly nbf: unknown; readonly iat: unknown },
  { clockSkewSeconds: skew, maximumLifetimeSeconds }: TokenConfiguration,
  now: number,
): string | undefined {
  if (typeof exp !== "number" || !Number.isFinite(exp)) {
    return "it has no expiry";
  }
  if (exp <= now - skew) {
    return "it has expired";
  }
  if (exp - now > maximumLifetimeSeconds + skew) {
    return "it expires too far ahead";
  }
  if (nbf !== undefined && (typeof nbf !== "number" || !(nbf <= now + skew))) {
    return "it is not valid yet";
  }
  if (iat !== undefined && (typeof iat !== "number" || !(iat <= now + skew))) {
    return "it was issued in the future";
  }
  return undefined;
}

function membersOf(part: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(part, "base64url")));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

function mediaType(type: string): string {
  return type.toLowerCase().replace(/^application\//, "");
}

function invalid(reason: string): Rejection {
  return { rejection: "invalidToken", reason };
}

type EmailOutcome =
  | { readonly valid: true; readonly email: string }
  | { readonly valid: false; readonly reason: string };

/** RFC 5321's dot-string without characters that are special in URLs. */
const localPart = /^[a-z0-9!$&'*+=^_`{|}~-]+(?:\.[a-z0-9!$&'*+=^_`{|}~-]+)*$/i;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const localLetters = /^[\p{L}\p{M}\p{N}!$&'*+=^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!$&'*+=^_`{|}~-]+)*$/u;
const domainLetters = /^(?:[\p{L}\p{M}\p{N}-]+\.)*[\p{L}\p{M}\p{N}-]+$/u;

/**
 * Validates an email address, which identifies a user and becomes a path segment. It must have one `@`, no `/ \ ? # %`,
 * no spaces or control characters, and at most 254 characters. It must be ASCII, or, if the configuration allows it,
 * NFC.
 */
export function parseEmail(
  value: unknown,
  { lowerCaseEmail, allowNonAsciiEmail }: Pick<TokenConfiguration, "lowerCaseEmail" | "allowNonAsciiEmail">,
): EmailOutcome {
  if (typeof value !== "string") {
    return { valid: false, reason: "it is not a string" };
  }
  if (value.length === 0 || value.length > 254) {
    return { valid: false, reason: "it is empty or too long" };
  }
  const parts = value.split("@");
  const [local = "", host = ""] = parts;
  if (parts.length !== 2 || local.length > 64) {
    return { valid: false, reason: "it does not have the form of an address" };
  }
  const isAscii = localPart.test(local) && host.split(".").every((label) => domainLabel.test(label));
  // Only NFC, because two forms of the same name would be two users in a cache, but one user elsewhere.
  const isOther =
    allowNonAsciiEmail && value.normalize("NFC") === value && localLetters.test(local) && domainLetters.test(host);
  if (!isAscii && !isOther) {
    return { valid: false, reason: "it contains a character that is not allowed" };
  }
  return { valid: true, email: lowerCaseEmail ? value.toLowerCase() : value };
}
