import type { TokenConfiguration } from "../config/configuration.ts";

export type EmailOutcome =
  | { readonly valid: true; readonly email: string }
  | { readonly valid: false; readonly reason: string };

/** RFC 5321's dot-string without what could mean something in an address of the web. */
const localPart = /^[a-z0-9!$&'*+=^_`{|}~-]+(?:\.[a-z0-9!$&'*+=^_`{|}~-]+)*$/i;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const localLetters = /^[\p{L}\p{M}\p{N}!$&'*+=^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!$&'*+=^_`{|}~-]+)*$/u;
const domainLetters = /^(?:[\p{L}\p{M}\p{N}-]+\.)*[\p{L}\p{M}\p{N}-]+$/u;

/**
 * Reads an e-mail address that becomes a segment of a path and names a person: one `@`, no `/ \ ? # %`, no space and no
 * control character, at most 254 characters, ASCII unless the configuration says otherwise, in NFC.
 */
export function parseEmail(
  value: unknown,
  { lowerCaseEmail, allowNonAsciiEmail }: Pick<TokenConfiguration, "lowerCaseEmail" | "allowNonAsciiEmail">,
): EmailOutcome {
  if (typeof value !== "string") {
    return { valid: false, reason: "it is no text" };
  }
  if (value.length === 0 || value.length > 254) {
    return { valid: false, reason: "it is empty or too long" };
  }
  const parts = value.split("@");
  const [local = "", host = ""] = parts;
  if (parts.length !== 2 || local.length > 64) {
    return { valid: false, reason: "it has not the form of an address" };
  }
  const isAscii = localPart.test(local) && domain.test(host);
  // Only the composed form is taken: two spellings of one name would be two people in a cache, and one elsewhere.
  const isOther =
    allowNonAsciiEmail && value.normalize("NFC") === value && localLetters.test(local) && domainLetters.test(host);
  if (!isAscii && !isOther) {
    return { valid: false, reason: "it has a character that an address here cannot have" };
  }
  return { valid: true, email: lowerCaseEmail ? value.toLowerCase() : value };
}
