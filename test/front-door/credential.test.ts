import { deflateRawSync } from "node:zlib";
import { type Case, describeCases, goodCall } from "../harness/front-door/cases.ts";
import {
  jweCompact,
  jweObject,
  jweWithHeader,
  makeEnvelopeKeys,
  type PlainOptions,
  plainParts,
  spoiled,
} from "../harness/front-door/envelopes.ts";
import type { InternalFault } from "../harness/front-door/internal-service.ts";
import type { Rig } from "../harness/front-door/rig.ts";

const served = { status: 200, reached: { entitlement: 1, credential: 1, platform: 1 } } as const;
const missing = { status: 403, code: "no_credential", reached: { entitlement: 1, credential: 1 } } as const;
const closed = { status: 503, code: "unavailable", reached: { entitlement: 1, credential: 1 } } as const;
const unreadable = { status: 502, code: "unreadable_credential", reached: { entitlement: 1, credential: 1 } } as const;

/** A valid call while the credential's endpoint fails in this way. */
function failing(name: string, fault: (rig: Rig) => InternalFault): Omit<Case, "expected"> {
  return {
    name,
    send: (rig, person) => {
      rig.internal.fail("credential", fault(rig));
      return goodCall(rig, person);
    },
  };
}

/** A valid call of a user whose credential is stored in this form. */
function stored(name: string, seal: (credential: string, rig: Rig, email: string) => unknown): Omit<Case, "expected"> {
  return {
    name,
    person: (rig) => ({ seal: (credential, email) => seal(credential, rig, email) }),
    send: goodCall,
  };
}

const jwe = (credential: string, rig: Rig): Promise<string> => jweCompact(credential, rig.envelopeKeys.publicKey);
const plain = (credential: string, rig: Rig, options: PlainOptions = {}): ReturnType<typeof plainParts> =>
  plainParts(credential, rig.envelopeKeys.publicKey, options);

/** A JWE with one of its five parts changed. */
const withPart = (part: number, change: (text: string) => string) => async (credential: string, rig: Rig) =>
  (await jwe(credential, rig))
    .split(".")
    .map((text, nth) => (nth === part ? change(text) : text))
    .join(".");

const usualHeader = { alg: "RSA-OAEP-256", enc: "A256GCM" };

/** An envelope that can be opened but for its header, in which `more` replaces the usual members. */
const withHeader =
  (more: object, padding?: "pkcs1") =>
  (credential: string, rig: Rig): string =>
    jweWithHeader(credential, rig.envelopeKeys.publicKey, { ...usualHeader, ...more }, padding);

const faults: readonly Case[] = [
  {
    ...failing("ten megabytes", () => ({ kind: "text" as const, text: JSON.stringify("x".repeat(10_000_000)) })),
    expected: unreadable,
  },
  // Proves 4.8: GET platform-cred with email and slug returns
  { name: "nothing stored", person: { envelope: null }, send: goodCall, expected: missing },
  ...[400, 401, 403, 429, 500, 502, 503].map((status) => ({
    ...failing(`status ${status}`, () => ({ kind: "status" as const, status, body: '"an envelope"' })),
    expected: closed,
  })),
  ...[301, 302, 303, 307, 308].map((status) => ({
    ...failing(`a redirect ${status} to a stranger`, (rig) => ({
      kind: "redirect" as const,
      status,
      location: `${rig.stranger.url}/envelope`,
    })),
    expected: closed,
  })),
  { ...failing("a connection that is cut", () => ({ kind: "cut" })), expected: closed },
  { ...failing("an answer that is cut half-way", () => ({ kind: "cut-half-way" })), expected: closed },
  { ...failing("no answer", () => ({ kind: "hang" })), expected: closed },
  { ...failing("a late answer within the limit", () => ({ kind: "late", milliseconds: 100 })), expected: served },
  { ...failing("a late answer beyond the limit", () => ({ kind: "late", milliseconds: 2_500 })), expected: closed },
  { ...failing("two megabytes", () => ({ kind: "text", text: `"${"x".repeat(2_000_000)}"` })), expected: unreadable },
  {
    ...failing("a page", () => ({ kind: "text", text: "<html>Sign in</html>", contentType: "text/html" })),
    expected: unreadable,
  },
  { ...failing("no body", () => ({ kind: "text", text: "" })), expected: unreadable },
  { ...failing("null", () => ({ kind: "text", text: "null" })), expected: unreadable },
  { ...failing("a number", () => ({ kind: "text", text: "7" })), expected: unreadable },
  { ...failing("a list", () => ({ kind: "text", text: "[]" })), expected: unreadable },
  { ...failing("an empty object", () => ({ kind: "text", text: "{}" })), expected: unreadable },
];

const forms: readonly Case[] = [
  { ...stored("JWE as a text", jwe), expected: served },
  { ...stored("JWE as JSON text", async (text, rig) => JSON.stringify(await jwe(text, rig))), expected: served },
  ...["credential", "envelope", "encrypted_credential", "ciphertext", "data", "value"].map((member) => ({
    ...stored(`JWE in the member ${member}`, async (text: string, rig: Rig) => ({ [member]: await jwe(text, rig) })),
    expected: served,
  })),
  { ...stored("JWE as an object", (text, rig) => jweObject(text, rig.envelopeKeys.publicKey)), expected: served },
  {
    ...stored("JWE with A256CBC-HS512", (text, rig) =>
      jweCompact(text, rig.envelopeKeys.publicKey, { enc: "A256CBC-HS512" }),
    ),
    expected: served,
  },
  { ...stored("JWE made by hand", withHeader({})), expected: served },
  {
    ...stored("JWE that names the key", (text, rig) =>
      jweCompact(text, rig.envelopeKeys.publicKey, { header: { kid: "envelope-1" } }),
    ),
    expected: served,
  },
  {
    ...stored("JWE that names a key that nobody has: the first is tried", (text, rig) =>
      jweCompact(text, rig.envelopeKeys.publicKey, { header: { kid: "../../etc/passwd" } }),
    ),
    expected: served,
  },
  { ...stored("the four parts in base64", (text, rig) => plain(text, rig)), expected: served },
  {
    ...stored("the four parts in base64url", (text, rig) => plain(text, rig, { encoding: "base64url" })),
    expected: served,
  },
  {
    ...stored("the parts with the tag behind the ciphertext", (text, rig) => {
      const { encryptedKey, iv, ciphertext, tag } = plain(text, rig);
      const joined = Buffer.concat([Buffer.from(ciphertext, "base64"), Buffer.from(tag, "base64")]);
      return { encrypted_key: encryptedKey, nonce: iv, data: joined.toString("base64") };
    }),
    expected: served,
  },
  {
    ...stored("a credential in an object", (text, rig) => jwe(JSON.stringify({ access_token: text }), rig)),
    expected: served,
  },
  {
    ...stored("an object that says for whom it is", (text, rig, email) =>
      jwe(JSON.stringify({ token: text, email, slug: "platform" }), rig),
    ),
    expected: served,
  },
];

const other = makeEnvelopeKeys();
const attacks: readonly Case[] = [
  {
    ...stored(
      "JWE with a changed header",
      withPart(0, () => Buffer.from(JSON.stringify({ ...usualHeader, typ: "JWE" })).toString("base64url")),
    ),
    expected: unreadable,
  },
  ...(["key", "initial value", "ciphertext", "tag"] as const).map((name, part) => ({
    ...stored(
      `JWE with a changed ${name}`,
      withPart(part + 1, (text) => spoiled(text, 0.3)),
    ),
    expected: unreadable,
  })),
  {
    ...stored("JWE with four parts", async (text, rig) => (await jwe(text, rig)).replace(/\.[^.]+$/, "")),
    expected: unreadable,
  },
  { ...stored("JWE with six parts", async (text, rig) => `${await jwe(text, rig)}.AAAA`), expected: unreadable },
  {
    ...stored(
      "JWE with an empty tag",
      withPart(4, () => ""),
    ),
    expected: unreadable,
  },
  {
    ...stored(
      "JWE with a tag of four bytes",
      withPart(4, (text) => text.slice(0, 6)),
    ),
    expected: unreadable,
  },
  {
    ...stored(
      "JWE with an empty key",
      withPart(1, () => ""),
    ),
    expected: unreadable,
  },
  ...[
    ["dir", { alg: "dir" }],
    ["none", { alg: "none" }],
    ["A256KW", { alg: "A256KW" }],
    ["PBES2 with 2^31 rounds", { alg: "PBES2-HS512+A256KW", p2c: 2 ** 31 - 1, p2s: "AAAA" }],
    ["ECDH-ES", { alg: "ECDH-ES", epk: { kty: "EC" } }],
    ["no algorithm", { alg: undefined }],
    ["an unknown content encryption", { enc: "XOR" }],
    ["a critical extension", { crit: ["exp2"], exp2: 1 }],
  ].map(([name, more]) => ({
    ...stored(`JWE whose header says ${String(name)}`, withHeader(more as object)),
    expected: unreadable,
  })),
  { ...stored("JWE with RSA1_5", withHeader({ alg: "RSA1_5" }, "pkcs1")), expected: unreadable },
  {
    ...stored("JWE with A128CBC-HS256", (text, rig) =>
      jweCompact(text, rig.envelopeKeys.publicKey, { enc: "A128CBC-HS256" }),
    ),
    expected: unreadable,
  },
  {
    ...stored("JWE with a compressed content", (text, rig) =>
      jweWithHeader(deflateRawSync(text), rig.envelopeKeys.publicKey, { ...usualHeader, zip: "DEF" }),
    ),
    expected: unreadable,
  },
  {
    ...stored("JWE with RSA-OAEP and SHA-1", (text, rig) =>
      jweCompact(text, rig.envelopeKeys.publicKey, { alg: "RSA-OAEP" }),
    ),
    expected: unreadable,
  },
  { ...stored("JWE for another key", (text) => jweCompact(text, other.publicKey)), expected: unreadable },
  { ...stored("the parts for another key", (text) => plainParts(text, other.publicKey)), expected: unreadable },
  { ...stored("the parts with SHA-1", (text, rig) => plain(text, rig, { oaepHash: "sha1" })), expected: unreadable },
  {
    ...stored("the parts with PKCS#1 v1.5", (text, rig) => plain(text, rig, { padding: "pkcs1" })),
    expected: unreadable,
  },
  { ...stored("a key of 16 bytes", (text, rig) => plain(text, rig, { keyLength: 16 })), expected: unreadable },
  {
    ...stored("an initial value of 16 bytes", (text, rig) => plain(text, rig, { ivLength: 16 })),
    expected: unreadable,
  },
  { ...stored("a tag of 4 bytes", (text, rig) => plain(text, rig, { tagLength: 4 })), expected: unreadable },
  { ...stored("a tag of 12 bytes", (text, rig) => plain(text, rig, { tagLength: 12 })), expected: unreadable },
  { ...stored("an empty tag", (text, rig) => ({ ...plain(text, rig), tag: "" })), expected: unreadable },
  {
    ...stored("no initial value", (text, rig) => ({ ...plain(text, rig), iv: undefined })),
    expected: unreadable,
  },
  {
    ...stored("a changed ciphertext", (text, rig) => {
      const parts = plain(text, rig);
      return { ...parts, ciphertext: spoiled(parts.ciphertext) };
    }),
    expected: unreadable,
  },
  {
    ...stored("a number as ciphertext", (text, rig) => ({ ...plain(text, rig), ciphertext: 7 })),
    expected: unreadable,
  },
  { ...stored("the credential itself, not encrypted", (text) => text), expected: unreadable },
  { ...stored("the credential itself in an object", (text) => ({ credential: text })), expected: unreadable },
  {
    ...stored("an envelope in an envelope in an envelope", async (text, rig) => ({
      data: { data: { data: await jwe(text, rig) } },
    })),
    expected: unreadable,
  },
  { ...stored("an empty credential", (_, rig) => jwe("", rig)), expected: unreadable },
  { ...stored("a credential of spaces", (_, rig) => jwe("   ", rig)), expected: unreadable },
  {
    ...stored("a credential with a header in it", (text, rig) => jwe(`${text}\r\nX-Admin: 1`, rig)),
    expected: unreadable,
  },
  { ...stored("a credential with a zero byte", (text, rig) => jwe(`${text}\u0000`, rig)), expected: unreadable },
  { ...stored("a credential beyond ASCII", (text, rig) => jwe(`${text}é`, rig)), expected: unreadable },
  {
    ...stored("an envelope of somebody else (e-mail address)", (text, rig) =>
      jwe(JSON.stringify({ token: text, email: "someone.else@example.com" }), rig),
    ),
    expected: unreadable,
  },
  {
    ...stored("an envelope of another slug", (text, rig, email) =>
      jwe(JSON.stringify({ token: text, email, slug: "notebook-abc" }), rig),
    ),
    expected: unreadable,
  },
  { ...stored("an object without a credential", (_, rig) => jwe('{"hello":1}', rig)), expected: unreadable },
  { ...stored("an object whose credential is a number", (_, rig) => jwe('{"token":7}', rig)), expected: unreadable },
];

describeCases("front door: fetching the stored credential", faults);
describeCases("front door: forms of an envelope", forms);
describeCases("front door: envelopes that are refused", attacks);
