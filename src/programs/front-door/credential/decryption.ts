import { type KeyObject, webcrypto } from "node:crypto";
import { decodeProtectedHeader, flattenedDecrypt } from "jose";
import type { LimitFunction } from "p-limit";
import type { CredentialConfiguration } from "../config/configuration.ts";
import type { DecryptionKey } from "../config/private-keys.ts";
import { type EnvelopeShape, type JweParts, type PlainEnvelope, shapeOfEnvelope } from "./envelope-format.ts";

type DecryptionOutcome =
  | {
      readonly outcome: "opened";
      readonly plaintext: Uint8Array;
      /** The authenticated header, which can name the owner, the slug, and the tenant of the credential. */
      readonly header: Readonly<Record<string, unknown>>;
    }
  | { readonly outcome: "unreadable"; readonly reason: string };

type Rules = Pick<CredentialConfiguration, "keys" | "allowOaepSha1" | "allowPlainEnvelope">;

const hashes: Readonly<Record<string, string>> = {
  "RSA-OAEP-256": "SHA-256",
  "RSA-OAEP-384": "SHA-384",
  "RSA-OAEP-512": "SHA-512",
};

/**
 * Decrypts an envelope with the key that it names, or with the first key. Accepts only the listed algorithms, and never
 * guesses. Runs outside the event loop, with limited concurrency.
 */
export async function openEnvelope(value: unknown, rules: Rules, limit: LimitFunction): Promise<DecryptionOutcome> {
  const shape = shapeOfEnvelope(value);
  if (shape.form === "none") {
    return { outcome: "unreadable", reason: shape.reason };
  }
  try {
    return await limit(() => opened(shape, rules));
  } catch {
    // All failures have the same reason, because the failed step would reveal information about the key to the
    // envelope's creator.
    return { outcome: "unreadable", reason: "it can't be decrypted" };
  }
}

function opened(shape: Exclude<EnvelopeShape, { form: "none" }>, rules: Rules): Promise<DecryptionOutcome> {
  switch (shape.form) {
    case "compact": {
      const [head = "", key = "", iv = "", ciphertext = "", tag = ""] = shape.jwe.split(".");
      return openJwe({ protected: head, encrypted_key: key, iv, ciphertext, tag }, rules);
    }
    case "json":
      return openJwe(shape.jwe, rules);
    case "plain":
      return openPlain(shape.envelope, rules);
  }
}

async function openJwe(jwe: JweParts, { keys, allowOaepSha1 }: Rules): Promise<DecryptionOutcome> {
  const header = decodeProtectedHeader(jwe);
  if ("zip" in header || "crit" in header) {
    return { outcome: "unreadable", reason: "its header requires an unsupported extension" };
  }
  const { plaintext, protectedHeader = {} } = await flattenedDecrypt(jwe, keyNamed(keys, header.kid), {
    keyManagementAlgorithms: [...Object.keys(hashes), ...(allowOaepSha1 ? ["RSA-OAEP"] : [])],
    contentEncryptionAlgorithms: ["A256GCM", "A256CBC-HS512"],
  });
  return { outcome: "opened", plaintext, header: { ...protectedHeader } };
}

async function openPlain(envelope: PlainEnvelope, rules: Rules): Promise<DecryptionOutcome> {
  const { algorithm = "RSA-OAEP-256", kid, encryptedKey, iv, sealed } = envelope;
  const hash = algorithm === "RSA-OAEP" && rules.allowOaepSha1 ? "SHA-1" : hashes[algorithm];
  if (!rules.allowPlainEnvelope || hash === undefined) {
    return { outcome: "unreadable", reason: "its format or algorithm is not allowed" };
  }
  const key = unwrappingKey(keyNamed(rules.keys, kid), hash);
  const unwrapped = await webcrypto.subtle.decrypt({ name: "RSA-OAEP" }, key, encryptedKey);
  if (unwrapped.byteLength !== 32) {
    return { outcome: "unreadable", reason: "it can't be decrypted" };
  }
  const content = await webcrypto.subtle.importKey("raw", unwrapped, "AES-GCM", false, ["decrypt"]);
  const plaintext = await webcrypto.subtle.decrypt({ name: "AES-GCM", iv, tagLength: 128 }, content, sealed);
  return { outcome: "opened", plaintext: new Uint8Array(plaintext), header: {} };
}

function keyNamed(keys: readonly [DecryptionKey, ...DecryptionKey[]], kid: unknown): KeyObject {
  return (keys.find((one) => one.kid === kid) ?? keys[0]).key;
}

const unwrappingKeys = new WeakMap<KeyObject, Map<string, webcrypto.CryptoKey>>();

function unwrappingKey(key: KeyObject, hash: string): webcrypto.CryptoKey {
  const made = unwrappingKeys.get(key) ?? new Map<string, webcrypto.CryptoKey>();
  unwrappingKeys.set(key, made);
  const known = made.get(hash) ?? key.toCryptoKey({ name: "RSA-OAEP", hash }, false, ["decrypt"]);
  made.set(hash, known);
  return known;
}

/** Identifies a requested credential. */
export interface CredentialName {
  readonly email: string;
  readonly slug: string;
  /** Undefined if the platform's address does not contain a tenant. */
  readonly tenant: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

type StoredSecretOutcome =
  | { readonly outcome: "secret"; readonly secret: string }
  | { readonly outcome: "unreadable"; readonly reason: string };

const tokenNames = ["token", "access_token", "developer_token", "api_key"] as const;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Extracts the token from a decrypted envelope: the plaintext itself, or a member of its JSON object. If the header or
 * the object names an email address, a slug, or a tenant, they must match the request. With `tenantRequired`, one of
 * them must name the tenant.
 */
export function secretWithin(
  { plaintext, header }: { readonly plaintext: Uint8Array; readonly header: Members },
  name: CredentialName,
  tenantRequired: boolean,
): StoredSecretOutcome {
  let text: string;
  try {
    text = utf8.decode(plaintext).trim();
  } catch {
    return unreadable("its content is not text");
  }
  const mayLackTenant = !tenantRequired || name.tenant === undefined || header.tenant !== undefined;
  if (!text.startsWith("{")) {
    const problem = isFor(header, name) ? (mayLackTenant ? undefined : noTenant) : another;
    return problem === undefined ? asSecret(text) : unreadable(problem);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable("its content is not valid JSON");
  }
  const members = value as Members;
  if (!isFor(header, name) || !isFor(members, name)) {
    return unreadable(another);
  }
  if (!mayLackTenant && members.tenant === undefined) {
    return unreadable(noTenant);
  }
  const member = tokenNames.find((one) => Object.hasOwn(members, one));
  return member === undefined ? unreadable("it contains no token") : asSecret(members[member]);
}

const another = "it belongs to another user, slug, or tenant";
const noTenant = "it does not name a tenant";

function isFor(members: Members, { email, slug, tenant }: CredentialName): boolean {
  const named = members.email;
  const isSamePerson =
    named === undefined || (typeof named === "string" && named.toLowerCase() === email.toLowerCase());
  const isSameTenant = tenant === undefined || members.tenant === undefined || members.tenant === tenant;
  return isSamePerson && isSameTenant && (members.slug === undefined || members.slug === slug);
}

/** Checks a token: 1 to 8192 visible ASCII characters, because HTTP headers can't contain anything else. */
function asSecret(value: unknown): StoredSecretOutcome {
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value)
    ? { outcome: "secret", secret: value }
    : unreadable("its token can't be sent in a header");
}

function unreadable(reason: string): StoredSecretOutcome {
  return { outcome: "unreadable", reason };
}
