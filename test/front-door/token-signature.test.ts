import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { bearer, type Case, callWith, describeCases, prefix } from "../harness/front-door/cases.ts";
import { makeSigningKey, type SigningKey } from "../harness/front-door/issuer.ts";
import type { Person, Rig } from "../harness/front-door/rig.ts";

const invalid = { status: 401, code: "invalid_token", challenge: "invalid_token" } as const;
const served = { status: 200, reached: { entitlement: 1, credential: 1, platform: 1 } } as const;
/** An unknown key may cause one fetch of the key set. */
const unknownKey = { ...invalid, reached: { keySet: "at-most-1" } } as const;

let attacker: SigningKey;
before(async () => {
  attacker = await makeSigningKey("attacker");
});

const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token assembled by hand: the given header, a payload with the valid claims, and a signature by the function. */
function made(
  name: string,
  header: (rig: Rig) => unknown,
  signature: (signed: string, rig: Rig) => string,
): Pick<Case, "name" | "send"> {
  return {
    name,
    send: (rig, person) => {
      const signed = `${encode(header(rig))}.${encode(rig.goodClaims(person))}`;
      return callWith(bearer(`${prefix}${signed}.${signature(signed, rig)}`));
    },
  };
}

const headerOf = (rig: Rig, more: object = {}): object => ({ alg: "RS256", kid: rig.issuer.key.kid, ...more });
const genuine = (signed: string, rig: Rig): string =>
  createSign("RSA-SHA256").update(signed).sign(privateKeyOf(rig.issuer.key), "base64url");
const publicKeyOf = (key: SigningKey): KeyObject => createPublicKey({ key: { ...key.publicJwk }, format: "jwk" });
const privateKeyOf = (key: SigningKey): KeyObject => createPrivateKey({ key: { ...key.privateJwk }, format: "jwk" });
const bits = Buffer.from("not a signature of anything").toString("base64url");

/** A token that the issuer signed, with a custom header. */
function withHeader(name: string, header: (rig: Rig) => object): Pick<Case, "name" | "send"> {
  return made(name, (rig) => headerOf(rig, header(rig)), genuine);
}

/** A valid token whose parts are then changed. */
function changed(
  name: string,
  change: (parts: { header: string; payload: string; signature: string }, rig: Rig) => string | Promise<string>,
): Pick<Case, "name" | "send"> {
  return {
    name,
    send: async (rig, person) => {
      const [header = "", payload = "", signature = ""] = rig.token(person).split(".");
      return callWith(bearer(`${prefix}${await change({ header, payload, signature }, rig)}`));
    },
  };
}

/** A signed payload that is not an object with claims. */
function payload(name: string, text: string | Buffer): Pick<Case, "name" | "send"> {
  return {
    name,
    send: (rig) => {
      const signed = `${encode(headerOf(rig))}.${Buffer.from(text).toString("base64url")}`;
      return callWith(bearer(`${prefix}${signed}.${genuine(signed, rig)}`));
    },
  };
}

const hmac = (secret: (rig: Rig) => string | Buffer) => (signed: string, rig: Rig) =>
  createHmac("sha256", secret(rig)).update(signed).digest("base64url");

const cases: readonly Case[] = [
  { ...made("put together by hand, as the issuer does it", headerOf, genuine), expected: served },
  { ...withHeader("a type of its own", () => ({ typ: "at+jwt" })), expected: served },
  // Proves 5.3: the token is verified only with RS256
  {
    ...made(
      "algorithm none, no signature",
      (rig) => headerOf(rig, { alg: "none" }),
      () => "",
    ),
    expected: invalid,
  },
  { ...made("algorithm none, a signature", (rig) => headerOf(rig, { alg: "none" }), genuine), expected: invalid },
  {
    ...made(
      "algorithm nOnE",
      (rig) => headerOf(rig, { alg: "nOnE" }),
      () => bits,
    ),
    expected: invalid,
  },
  // Proves 5.3: the token is verified only with RS256
  {
    ...made(
      "HS256 with the public key (PEM) as the secret",
      (rig) => headerOf(rig, { alg: "HS256" }),
      hmac((rig) => publicKeyOf(rig.issuer.key).export({ type: "spki", format: "pem" }).toString()),
    ),
    expected: invalid,
  },
  {
    ...made(
      "HS256 with the public key (DER) as the secret",
      (rig) => headerOf(rig, { alg: "HS256" }),
      hmac((rig) => publicKeyOf(rig.issuer.key).export({ type: "spki", format: "der" })),
    ),
    expected: invalid,
  },
  {
    ...made(
      "HS256 with the modulus as the secret",
      (rig) => headerOf(rig, { alg: "HS256" }),
      hmac((rig) => Buffer.from(rig.issuer.key.publicJwk.n ?? "", "base64url")),
    ),
    expected: invalid,
  },
  {
    ...made(
      "HS256 with an empty secret",
      (rig) => headerOf(rig, { alg: "HS256" }),
      hmac(() => ""),
    ),
    expected: invalid,
  },
  {
    ...made(
      "HS256 with the internal secret",
      (rig) => headerOf(rig, { alg: "HS256" }),
      hmac((rig) => rig.internal.secret),
    ),
    expected: invalid,
  },
  ...(["RS384", "RS512"] as const).map((alg) => ({
    ...made(
      `${alg} by the issuer's key`,
      (rig: Rig) => headerOf(rig, { alg }),
      (signed, rig) =>
        createSign(alg === "RS384" ? "RSA-SHA384" : "RSA-SHA512")
          .update(signed)
          .sign(privateKeyOf(rig.issuer.key), "base64url"),
    ),
    expected: invalid,
  })),
  {
    ...made(
      "PS256 by the issuer's key",
      (rig) => headerOf(rig, { alg: "PS256" }),
      (signed, rig) =>
        sign("sha256", Buffer.from(signed), { key: privateKeyOf(rig.issuer.key), padding: 6, saltLength: 32 }).toString(
          "base64url",
        ),
    ),
    expected: invalid,
  },
  {
    ...made(
      "ES256 by a key of one's own",
      (rig) => headerOf(rig, { alg: "ES256" }),
      (signed) =>
        sign("sha256", Buffer.from(signed), {
          key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
          dsaEncoding: "ieee-p1363",
        }).toString("base64url"),
    ),
    expected: invalid,
  },
  {
    ...made(
      "EdDSA by a key of one's own",
      (rig) => headerOf(rig, { alg: "EdDSA" }),
      (signed) => sign(null, Buffer.from(signed), generateKeyPairSync("ed25519").privateKey).toString("base64url"),
    ),
    expected: invalid,
  },
  { ...made("no algorithm", (rig) => ({ kid: rig.issuer.key.kid }), genuine), expected: invalid },
  { ...withHeader("a number as algorithm", () => ({ alg: 256 })), expected: invalid },
  { ...withHeader("a list of algorithms", () => ({ alg: ["RS256"] })), expected: invalid },
  { ...withHeader("the algorithm in small letters", () => ({ alg: "rs256" })), expected: invalid },
  { ...made("a header that is no JSON", () => "{alg", genuine), expected: invalid },
  { ...made("a header that is a list", () => [{ alg: "RS256" }], genuine), expected: invalid },
  { ...made("a header that is null", () => null, genuine), expected: invalid },
  ...[
    ["unknown", "some-other-key"],
    ["a path", "../../../../etc/passwd"],
    ["an address", "http://127.0.0.1:1/key"],
    ["a query of a data base", "' OR 1=1 --"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["empty", ""],
    ["of 300 letters", "k".repeat(300)],
  ].map(([name, kid]) => ({ ...withHeader(`a key id that is ${name}`, () => ({ kid })), expected: unknownKey })),
  { ...withHeader("a key id that is an object", () => ({ kid: { kid: "key-1" } })), expected: invalid },
  { ...withHeader("a key id that is a list", (rig) => ({ kid: [rig.issuer.key.kid] })), expected: invalid },
  { ...withHeader("a key id that is a number", () => ({ kid: 1 })), expected: invalid },
  {
    name: "signed by another key under the known key id",
    send: async (rig, person) =>
      callWith(
        bearer(`${prefix}${rig.issuer.sign(rig.claims(person), { key: { ...attacker, kid: rig.issuer.key.kid } })}`),
      ),
    expected: invalid,
  },
  {
    name: "signed by another key under its own key id",
    send: async (rig, person) => callWith(bearer(`${prefix}${rig.issuer.sign(rig.claims(person), { key: attacker })}`)),
    expected: unknownKey,
  },
  ...(["jku", "x5u"] as const).map((name) => ({
    name: `a key address of the token's own (${name})`,
    send: async (rig: Rig, person: Person) => {
      const header = { [name]: `${rig.stranger.url}/keys` };
      return callWith(
        bearer(
          `${prefix}${rig.issuer.sign(rig.claims(person), { key: { ...attacker, kid: rig.issuer.key.kid }, header })}`,
        ),
      );
    },
    expected: invalid,
  })),
  {
    name: "a key of the token's own (jwk)",
    send: async (rig, person) => {
      const header = { jwk: attacker.publicJwk };
      return callWith(
        bearer(
          `${prefix}${rig.issuer.sign(rig.claims(person), { key: { ...attacker, kid: rig.issuer.key.kid }, header })}`,
        ),
      );
    },
    expected: invalid,
  },
  {
    name: "a certificate of the token's own (x5c)",
    send: async (rig, person) => {
      const header = { x5c: ["MIIBszCCAVmgAwIBAgIUE"] };
      return callWith(
        bearer(
          `${prefix}${rig.issuer.sign(rig.claims(person), { key: { ...attacker, kid: rig.issuer.key.kid }, header })}`,
        ),
      );
    },
    expected: invalid,
  },
  ...[
    ["jku", (rig: Rig) => `${rig.stranger.url}/keys`],
    ["x5u", (rig: Rig) => `${rig.stranger.url}/certificate`],
    ["jwk", (rig: Rig) => rig.issuer.key.publicJwk],
    ["x5c", () => ["MIIBszCCAVmgAwIBAgIUE"]],
    ["zip", () => "DEF"],
  ].map(([name, value]) => ({
    ...withHeader(`a header with ${String(name)}, although the issuer signed it`, (rig) => ({
      [String(name)]: typeof value === "function" ? value(rig) : value,
    })),
    expected: invalid,
  })),
  { ...withHeader("a critical extension that nobody knows", () => ({ crit: ["exp2"], exp2: 1 })), expected: invalid },
  { ...withHeader("an unencoded payload (b64)", () => ({ crit: ["b64"], b64: false })), expected: invalid },
  { ...withHeader("an empty list of critical extensions", () => ({ crit: [] })), expected: invalid },
  {
    ...changed("a payload of another person behind the signature", ({ header, payload: text, signature }) => {
      const claims = JSON.parse(Buffer.from(text, "base64url").toString());
      return `${header}.${encode({ ...claims, email: "someone.else@example.com" })}.${signature}`;
    }),
    expected: invalid,
  },
  {
    ...changed("a signature of another token", async ({ header, payload: text }, rig) => {
      const other = rig.issuer.sign({ email: "someone.else@example.com" });
      return `${header}.${text}.${other.split(".")[2]}`;
    }),
    expected: invalid,
  },
  {
    ...changed("a signature with one bit changed", ({ header, payload: text, signature }) => {
      const spoiled = Buffer.from(signature, "base64url");
      spoiled[100] = (spoiled[100] ?? 0) ^ 1;
      return `${header}.${text}.${spoiled.toString("base64url")}`;
    }),
    expected: invalid,
  },
  {
    ...changed(
      "a shortened signature",
      ({ header, payload: text, signature }) => `${header}.${text}.${signature.slice(0, -8)}`,
    ),
    expected: invalid,
  },
  { ...changed("no signature", ({ header, payload: text }) => `${header}.${text}.`), expected: invalid },
  {
    ...changed("a signature of zeros", ({ header, payload: text }) => `${header}.${text}.${"A".repeat(342)}`),
    expected: invalid,
  },
  { ...payload("a payload that is no JSON", "{not json"), expected: invalid },
  { ...payload("a payload that is a list", "[]"), expected: invalid },
  { ...payload("a payload that is a text", '"anna@example.com"'), expected: invalid },
  { ...payload("a payload that is null", "null"), expected: invalid },
  { ...payload("a payload that is not UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), expected: invalid },
  { ...payload("a payload of 2,000 nested lists", `{"a":${"[".repeat(2000)}${"]".repeat(2000)}}`), expected: invalid },
];

describeCases("front door: who signed the token", cases);
