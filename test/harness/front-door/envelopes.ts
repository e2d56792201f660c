// Valid and corrupted envelopes of stored credentials.
import {
  constants,
  createCipheriv,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  type RsaPrivateKey,
  randomBytes,
} from "node:crypto";
import { CompactEncrypt, FlattenedEncrypt } from "jose";

/** An RSA key pair for envelopes. */
export interface EnvelopeKeys {
  readonly publicKey: KeyObject;
  /** PKCS#8, PEM. */
  readonly privatePem: string;
  /** PKCS#1, PEM. */
  readonly privatePkcs1Pem: string;
}

export function makeEnvelopeKeys(modulusLength = 2048): EnvelopeKeys {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength });
  return {
    publicKey,
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    privatePkcs1Pem: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
}

export interface JweOptions {
  readonly alg?: string;
  readonly enc?: string;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** JWE compact: RSA-OAEP-256 and A256GCM by default. */
export function jweCompact(text: string, publicKey: KeyObject, options: JweOptions = {}): Promise<string> {
  const { alg = "RSA-OAEP-256", enc = "A256GCM", header = {} } = options;
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ ...header, alg, enc }).encrypt(publicKey);
}

/**
 * JWE compact with any header, which is authenticated as it should be: a 256-bit key, encrypted with RSA, and AES-GCM,
 * whatever the header says.
 */
export function jweWithHeader(
  text: string | Buffer,
  publicKey: KeyObject,
  header: object,
  padding: PlainOptions["padding"] = "oaep",
): string {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const head = Buffer.from(JSON.stringify(header)).toString("base64url");
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(head));
  const ciphertext = Buffer.concat([cipher.update(text), cipher.final()]);
  const parts = [publicEncrypt(wrappingOf(publicKey, padding), key), iv, ciphertext, cipher.getAuthTag()];
  return [head, ...parts.map((part) => part.toString("base64url"))].join(".");
}

/** The same, as an object with its parts. */
export async function jweObject(text: string, publicKey: KeyObject): Promise<Readonly<Record<string, unknown>>> {
  const jwe = await new FlattenedEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM" })
    .encrypt(publicKey);
  return { ...jwe };
}

export interface PlainOptions {
  readonly oaepHash?: "sha1" | "sha256";
  readonly encoding?: "base64" | "base64url";
  /** Bytes of the wrapped key, of the initialization vector, and of the tag: 32, 12, and 16. */
  readonly keyLength?: number;
  readonly ivLength?: number;
  readonly tagLength?: number;
  readonly padding?: "oaep" | "pkcs1";
}

/** The four parts of our own format. */
export interface PlainParts {
  readonly encryptedKey: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}

/** Our own format: RSA-OAEP-SHA256 around an AES-GCM key, with each part as text. */
export function plainParts(text: string, publicKey: KeyObject, options: PlainOptions = {}): PlainParts {
  const { oaepHash = "sha256", encoding = "base64", keyLength = 32, ivLength = 12, tagLength = 16 } = options;
  const key = randomBytes(keyLength);
  const iv = randomBytes(ivLength);
  const algorithm = keyLength === 16 ? "aes-128-gcm" : keyLength === 24 ? "aes-192-gcm" : "aes-256-gcm";
  const cipher = createCipheriv(algorithm, key, iv);
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const wrapping = wrappingOf(publicKey, options.padding, oaepHash);
  return {
    encryptedKey: publicEncrypt(wrapping, key).toString(encoding),
    iv: iv.toString(encoding),
    ciphertext: ciphertext.toString(encoding),
    tag: cipher.getAuthTag().subarray(0, tagLength).toString(encoding),
  };
}

function wrappingOf(key: KeyObject, padding: PlainOptions["padding"], oaepHash = "sha256"): RsaPrivateKey {
  return padding === "pkcs1"
    ? { key, padding: constants.RSA_PKCS1_PADDING }
    : { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash };
}

/** Changes the character at `position` (a fraction of the length) to another one in the base64url alphabet. */
export function spoiled(text: string, position = 0.5): string {
  const at = Math.min(text.length - 1, Math.floor(text.length * position));
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
}
