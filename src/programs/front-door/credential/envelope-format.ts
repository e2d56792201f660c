import * as z from "zod/mini";
import { withoutEnding } from "../../../api/text.ts";

/** The parts of JWE flattened JSON (RFC 7516, 7.2.2), all in base64url. */
export interface JweParts {
  readonly protected: string;
  readonly encrypted_key: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
  readonly aad?: string;
}

/**
 * A custom format: a wrapped AES key next to the encrypted content. The tag can be a separate member, or the end of the
 * ciphertext.
 */
export interface PlainEnvelope {
  readonly algorithm: string | undefined;
  readonly kid: string | undefined;
  readonly encryptedKey: Uint8Array<ArrayBuffer>;
  readonly iv: Uint8Array<ArrayBuffer>;
  /** Ciphertext, followed by the tag. */
  readonly sealed: Uint8Array<ArrayBuffer>;
}

export type EnvelopeShape =
  | { readonly form: "compact"; readonly jwe: string }
  | { readonly form: "json"; readonly jwe: JweParts }
  | { readonly form: "plain"; readonly envelope: PlainEnvelope }
  | { readonly form: "none"; readonly reason: string };

const text = z.string().check(z.minLength(1), z.maxLength(65_536));
const fiveParts = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){4}$/;
const bits128 = 16;
const otherSpelling = "its base64url encoding is not canonical";

const jweFlattened = z.object({
  protected: text,
  encrypted_key: text,
  iv: text,
  ciphertext: text,
  tag: text,
  aad: z.optional(text),
});
const jweGeneral = z.object({
  protected: text,
  recipients: z.array(z.object({ encrypted_key: text })).check(z.minLength(1), z.maxLength(1)),
  iv: text,
  ciphertext: text,
  tag: text,
  aad: z.optional(text),
});

/** Member names of the custom format that services use. */
const plainNames = {
  encryptedKey: ["encryptedKey", "encrypted_key", "wrappedKey", "wrapped_key", "key", "ek"],
  iv: ["iv", "nonce"],
  ciphertext: ["ciphertext", "ct", "data", "encryptedValue", "encrypted_value"],
  tag: ["tag", "authTag", "auth_tag"],
} as const;
const wrappers = ["credential", "envelope", "encrypted_credential", "ciphertext", "data", "value"] as const;

/**
 * Detects the format of an envelope by its structure alone: five parts separated by dots, or the members of an object.
 * Also looks into one level of wrapper objects with common names. Does not try any algorithm.
 */
export function shapeOfEnvelope(value: unknown, depth = 0): EnvelopeShape {
  if (typeof value === "string") {
    const trimmed = value.trim();
    if (fiveParts.test(trimmed) && trimmed.length <= 65_536) {
      return trimmed.split(".").every(isCanonical) ? { form: "compact", jwe: trimmed } : none(otherSpelling);
    }
    return depth < 2 && trimmed.startsWith("{")
      ? shapeOfText(trimmed, depth)
      : none("it is a string in an unknown format");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return none("it is neither a string nor an object");
  }
  const members = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(members, "protected")) {
    return jweOf(members);
  }
  if (memberOf(members, plainNames.encryptedKey) !== undefined) {
    return plainOf(members);
  }
  const inner = memberOf(members, wrappers);
  return inner === undefined || depth > 0
    ? none("it is an object in an unknown format")
    : shapeOfEnvelope(inner, depth + 1);
}

function shapeOfText(json: string, depth: number): EnvelopeShape {
  try {
    return shapeOfEnvelope(JSON.parse(json), depth + 1);
  } catch {
    return none("it is a string in an unknown format");
  }
}

function jweOf(members: Readonly<Record<string, unknown>>): EnvelopeShape {
  const shape = jwePartsOf(members);
  const parts = shape.form === "json" ? Object.values(shape.jwe) : [];
  return parts.every((part) => typeof part === "string" && isCanonical(part)) ? shape : none(otherSpelling);
}

function jwePartsOf(members: Readonly<Record<string, unknown>>): EnvelopeShape {
  if (Object.hasOwn(members, "header") || Object.hasOwn(members, "unprotected")) {
    return none("it has an unprotected header");
  }
  const flattened = z.safeParse(jweFlattened, members);
  if (flattened.success) {
    return { form: "json", jwe: withoutAbsent(flattened.data) };
  }
  const general = z.safeParse(jweGeneral, members);
  const recipient = general.data?.recipients[0];
  if (general.data === undefined || recipient === undefined) {
    return none("it is an incomplete JWE");
  }
  const { recipients: _, ...common } = general.data;
  return { form: "json", jwe: withoutAbsent({ ...common, encrypted_key: recipient.encrypted_key }) };
}

/** True for the canonical encoding. Otherwise unused bits would allow several encodings of one envelope. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

function withoutAbsent({ aad, ...parts }: z.output<typeof jweFlattened>): JweParts {
  return aad === undefined ? parts : { ...parts, aad };
}

function plainOf(members: Readonly<Record<string, unknown>>): EnvelopeShape {
  const [encryptedKey, iv, ciphertext] = (["encryptedKey", "iv", "ciphertext"] as const).map((name) =>
    bytesOf(memberOf(members, plainNames[name])),
  );
  const given = memberOf(members, plainNames.tag);
  const tag = given === undefined ? new Uint8Array() : bytesOf(given);
  if (encryptedKey === undefined || iv === undefined || ciphertext === undefined || tag === undefined) {
    return none("a part of it is missing or is not base64");
  }
  if (iv.length !== 12 || (given !== undefined && tag.length !== bits128)) {
    return none("its initialization vector or tag has the wrong length for AES-GCM");
  }
  const sealed = new Uint8Array(Buffer.concat([ciphertext, tag]));
  if (sealed.length <= bits128) {
    return none("it is empty");
  }
  if (members.enc !== undefined && members.enc !== "A256GCM") {
    return none("its content encryption is not A256GCM");
  }
  const { alg, kid } = members;
  if (!(alg === undefined || typeof alg === "string") || !(kid === undefined || typeof kid === "string")) {
    return none("its alg or kid is not a string");
  }
  return { form: "plain", envelope: { algorithm: alg, kid, encryptedKey, iv, sealed } };
}

function memberOf(members: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  const name = names.find((one) => Object.hasOwn(members, one) && members[one] !== null);
  return name === undefined ? undefined : members[name];
}

/** Decodes base64 in either alphabet, with or without padding. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof value !== "string" || value.length > 65_536 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) {
    return undefined;
  }
  const unpadded = withoutEnding(value, "=").replaceAll("+", "-").replaceAll("/", "_");
  return isCanonical(unpadded) ? new Uint8Array(Buffer.from(unpadded, "base64url")) : undefined;
}

function none(reason: string): EnvelopeShape {
  return { form: "none", reason };
}
