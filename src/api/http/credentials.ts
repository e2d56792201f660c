import { inspect } from "node:util";
import { phrase, type Text } from "../phrase.ts";
import { redacted } from "./named-values.ts";

/** A secret string. It becomes `[redacted]` when it is printed, concatenated, or serialized. */
class Secret {
  readonly #value: string;
  /** The only origin (`https://host:port`) that this secret may be sent to. */
  readonly origin: string;

  constructor(origin: string, value: string) {
    this.origin = new URL(origin).origin;
    this.#value = value;
  }

  /** The plain secret, for the transport, the secret storage, and a server that the user adds to another extension. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}

/** The credential of a tenant (API description, 5.1). Never accepted by a content server. */
export class PlatformCredential extends Secret {
  readonly kind = "platform";
}

/** The token of one workspace's content server (API description, 5.2), which accepts no other credential. */
export class NotebookToken extends Secret {
  readonly kind = "notebook";
}

/** The secret that the front door and the internal service share (API description, 5.3). Not used in the editor. */
export class InternalSecret extends Secret {
  readonly kind = "internal";
}

interface Credentials {
  readonly platform: PlatformCredential;
  readonly notebook: NotebookToken;
  readonly internal: InternalSecret;
}

export type CredentialKind = keyof Credentials;
export type CredentialOf<Kind extends CredentialKind> = Credentials[Kind];
export type AnyCredential = Credentials[CredentialKind];

/** True for HTTPS, and for HTTP to this computer. */
export function isConfidential(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The result of cleaning a pasted secret. */
export type PastedSecret =
  | { readonly valid: true; readonly secret: string }
  | { readonly valid: false; readonly reason: Text };

/**
 * Cleans a pasted token. Trims it, and removes line breaks and the header name, scheme, or quotes that a browser's
 * network view includes.
 */
export function cleanPastedSecret(text: string): PastedSecret {
  const bare = text
    .trim()
    .replace(/^["'`]|["'`]$/g, "")
    .replace(/^(?:authorization|x-[\w-]+)\s*:\s*/i, "")
    .replace(/^(?:bearer|token)\s+/i, "")
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .join("");
  if (bare === "") {
    return { valid: false, reason: phrase`The token is empty.` };
  }
  if (/\s/.test(bare)) {
    return { valid: false, reason: phrase`The token contains a space. Paste only the token.` };
  }
  if (!/^[\x21-\x7e]+$/.test(bare)) {
    return { valid: false, reason: phrase`The token contains an invalid character. Paste it again.` };
  }
  return { valid: true, secret: bare };
}
