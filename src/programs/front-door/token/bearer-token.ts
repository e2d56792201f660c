import type { TokenConfiguration } from "../config/configuration.ts";
import type { Rejection } from "../http/rejections.ts";

/** The client's JWT without the prefix. */
export interface PresentedToken {
  readonly jwt: string;
}

/** Maximum length of a token, in characters. Longer tokens are rejected without parsing. */
const maxTokenLength = 8192;
const threeParts = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Extracts the token from the values of all Authorization headers (API description, 5.3). A missing header, an empty
 * one, and a scheme other than Bearer all count as a missing token. The prefix is removed once, by its length, because
 * its underscore can also occur in a JWT.
 */
export function extractToken(
  headers: readonly string[] | undefined,
  { prefix, prefixRequired }: Pick<TokenConfiguration, "prefix" | "prefixRequired">,
): PresentedToken | Rejection {
  if (headers === undefined || headers.length === 0) {
    return { rejection: "missingToken" };
  }
  if (headers.length > 1) {
    return { rejection: "invalidRequest", reason: "authorization: more than one header" };
  }
  const presented = /^bearer(?: +(.*))?$/is.exec(headers[0] ?? "")?.[1]?.trim() ?? "";
  if (presented === "") {
    return { rejection: "missingToken" };
  }
  if (presented.includes(" ")) {
    return { rejection: "invalidRequest", reason: "authorization: a space within the token" };
  }
  if (presented.length > maxTokenLength + prefix.length) {
    return { rejection: "invalidToken", reason: "it is too long" };
  }
  const hasPrefix = presented.startsWith(prefix);
  if (!hasPrefix && prefixRequired) {
    return { rejection: "invalidToken", reason: "it does not begin with the prefix" };
  }
  return formed(hasPrefix ? presented.slice(prefix.length) : presented);
}

/** Accepts only three parts in canonical base64url, so that a token has only one valid form. */
function formed(jwt: string): PresentedToken | Rejection {
  if (!threeParts.test(jwt)) {
    return { rejection: "invalidToken", reason: "it is not three parts of base64url" };
  }
  return jwt.split(".").every(isCanonical)
    ? { jwt }
    : { rejection: "invalidToken", reason: "its base64url encoding is not canonical" };
}

/** The valid last characters of a part by its length modulo 4. Any other character has unused bits. */
const lastCharacters = [undefined, new Set<string>(), lastCharactersAfter(), lastCharactersAfter(0)];

function lastCharactersAfter(...before: readonly number[]): ReadonlySet<string> {
  const allBytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([...before, byte]));
  return new Set(allBytes.map((bytes) => bytes.toString("base64url").slice(-1)));
}

/** True for the canonical encoding of the bytes. */
function isCanonical(part: string): boolean {
  return lastCharacters[part.length % 4]?.has(part.slice(-1)) ?? true;
}
