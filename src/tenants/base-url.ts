import { isConfidential } from "../api/http/credentials.ts";
import { phrase, type Text } from "../api/phrase.ts";
import { withoutEnding } from "../api/text.ts";

/** The result of checking a typed address. */
export type BaseUrlCheck =
  | { readonly valid: true; readonly baseUrl: string }
  | { readonly valid: false; readonly reason: Text };

/**
 * Checks a tenant's address. It must use HTTPS (or HTTP to this computer), and have no user name, query, or fragment. A
 * hostname without a scheme defaults to HTTPS. The result has no trailing slash.
 */
export function checkBaseUrl(text: string): BaseUrlCheck {
  const typed = text.trim();
  if (typed === "") {
    return { valid: false, reason: phrase`Enter the tenant's address, like https://acme.example.com.` };
  }
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (/\s/.test(address) || !URL.canParse(address)) {
    return { valid: false, reason: phrase`"${typed}" isn't an address. Enter one like https://acme.example.com.` };
  }
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") {
    return {
      valid: false,
      reason: phrase`Remove the user name and password. You enter the credential in a later step.`,
    };
  }
  if (url.search !== "" || url.hash !== "") {
    return {
      valid: false,
      reason: phrase`"${typed}" is the address of a page. Enter the tenant's address, like ${url.origin}.`,
    };
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return {
      valid: false,
      reason: phrase`"${url.protocol}//" can't be used. Enter an address that begins with https://.`,
    };
  }
  if (!isConfidential(url)) {
    return {
      valid: false,
      reason: phrase`The credential would be sent to ${url.host} unencrypted. Use https:// (http:// is only for this computer).`,
    };
  }
  return { valid: true, baseUrl: url.origin + withoutEnding(url.pathname, "/") };
}
