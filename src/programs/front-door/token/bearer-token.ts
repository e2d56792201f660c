import type { TokenConfiguration } from "../config/configuration.ts";
import type { Rejection } from "../http/rejections.ts";

/** The JWT as the client sent it, with the prefix removed. */
export interface PresentedToken {
  readonly jwt: string;
}

/** Longer ones are refused unread. */
const longestToken = 8192;
const threeParts = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Takes the token from the values of all Authorization headers (API description, 5.3). A missing token stays missing:
 * no header, an empty one and another scheme than Bearer are one outcome. The prefix is removed once and by its length,
 * since its underscore may stand in a JWT as well.
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
  if (presented.length > longestToken + prefix.length) {
    return { rejection: "invalidToken", reason: "it is too long" };
  }
  const hasPrefix = presented.startsWith(prefix);
  if (!hasPrefix && prefixRequired) {
    return { rejection: "invalidToken", reason: "it does not begin with the prefix" };
  }
  return formed(hasPrefix ? presented.slice(prefix.length) : presented);
}

/** Lets through three parts of base64url in their one spelling: signatures must not be had in several. */
function formed(jwt: string): PresentedToken | Rejection {
  if (!threeParts.test(jwt)) {
    return { rejection: "invalidToken", reason: "it is not three parts of base64url" };
  }
  const isCanonical = jwt.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
  return isCanonical ? { jwt } : { rejection: "invalidToken", reason: "it has base64url in another spelling" };
}
