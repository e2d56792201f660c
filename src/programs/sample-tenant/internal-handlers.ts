import { createCipheriv, type KeyObject, publicEncrypt, randomBytes } from "node:crypto";
import { PlatformError } from "./platform/errors.ts";

/** What a person has stored with the service. */
export interface StoredCredential {
  readonly email: string;
  readonly slug: string;
  readonly credential: string;
}

export interface InternalServiceOptions {
  /** What `X-Webui-Secret` has to be; random when left out. */
  readonly secret?: string;
  readonly stored: readonly StoredCredential[];
  /** E-mail addresses of those who are entitled to a resource, by its name. */
  readonly entitled: Readonly<Record<string, readonly string[]>>;
  /** For whom credentials are encrypted; a key pair of its own when left out. */
  readonly publicKey?: KeyObject;
  /** Whether a stored credential still opens the platform. */
  readonly isValid: (credential: string) => boolean;
}

/** A request to the internal service that has brought the secret, its input in the operation's shape. */
export interface InternalCall {
  readonly service: Required<InternalServiceOptions>;
  readonly parameters: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** Gives the JSON of a 200. */
export type InternalHandler = (call: InternalCall) => Promise<unknown>;

/** The other side of the operations of API description, 4.8. */
export const internalHandlers = {
  "frontDoor.credentials.validate": async ({ service, body }) => {
    const { email, slug } = body as { readonly email: string; readonly slug: string };
    const stored = storedOf(service, email, slug);
    return stored !== undefined && service.isValid(stored.credential);
  },
  "frontDoor.entitlements.check": async ({ service, query }) => {
    const entitled = service.entitled[query.get("resource") ?? ""] ?? [];
    return { entitled: entitled.includes(query.get("email") ?? "") };
  },
  "frontDoor.credentials.get": async ({ service, parameters }) => {
    const [email = "", slug = ""] = [parameters.get("email"), parameters.get("slug")];
    const stored = storedOf(service, email, slug);
    if (stored === undefined) {
      throw new PlatformError(404, `${email} has stored no credential ${slug}`);
    }
    return sealed(stored.credential, service.publicKey);
  },
} satisfies Readonly<Record<string, InternalHandler>>;

function storedOf({ stored }: InternalServiceOptions, email: string, slug: string): StoredCredential | undefined {
  return stored.find((one) => one.email === email && one.slug === slug);
}

/** Encrypts with a key of its own (AES-256-GCM), which only the holder of the private key can read (RSA-OAEP-256). */
function sealed(text: string, publicKey: KeyObject): Readonly<Record<string, string>> {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const encryptedKey = publicEncrypt({ key: publicKey, oaepHash: "sha256" }, key);
  return {
    ...{ alg: "RSA-OAEP-256", enc: "A256GCM", encrypted_key: encryptedKey.toString("base64url") },
    ...{ iv: iv.toString("base64url"), ciphertext: ciphertext.toString("base64url") },
    tag: cipher.getAuthTag().toString("base64url"),
  };
}
