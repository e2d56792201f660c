import { bearer, type Case, callWith, describeCases, prefix } from "../harness/front-door/cases.ts";
import { signText } from "../harness/front-door/issuer.ts";
import type { Rig } from "../harness/front-door/rig.ts";

const invalid = { status: 401, code: "invalid_token", challenge: "invalid_token" } as const;
/** Without a challenge, because a new token alone would not help. */
const unverified = { status: 403, code: "email_not_verified" } as const;
const served = { status: 200, reached: { entitlement: 1, credential: 1, platform: 1 } } as const;
const now = (): number => Math.floor(Date.now() / 1000);
const hour = 3600;

/** A token signed by the issuer, with these claims in addition to the valid ones. */
function claims(name: string, make: (rig: Rig) => Readonly<Record<string, unknown>>): Pick<Case, "name" | "send"> {
  return {
    name,
    send: async (rig, person) =>
      callWith(bearer(`${prefix}${rig.issuer.sign({ ...rig.claims(person), ...make(rig) })}`)),
  };
}

/** Claims as JSON text that no JSON writer produces, before or after the valid ones. */
function literally(name: string, claim: string, place: "before" | "behind" = "behind"): Pick<Case, "name" | "send"> {
  return {
    name,
    send: async (rig, person) => {
      const inner = JSON.stringify(rig.goodClaims(person)).slice(1, -1);
      const text = place === "before" ? `{${claim},${inner}}` : `{${inner},${claim}}`;
      return callWith(bearer(`${prefix}${signText(rig.issuer.key, text)}`));
    },
  };
}

/** Email addresses that would lead elsewhere as part of a path, or that only look like a user's. */
const badAddresses: readonly (readonly [name: string, email: unknown])[] = [
  ["two dots", ".."],
  ["one dot", "."],
  ["a way upwards", "../entitlements/check"],
  ["a way upwards with an @", "a/../../x@example.com"],
  ["a slash behind the @", "a@example.com/secrets"],
  ["a backslash", "a\\..\\b@example.com"],
  ["a question mark", "a@example.com?slug=x"],
  ["a number sign", "a@example.com#x"],
  ["a percent sign", "%2e%2e@example.com"],
  ["an encoded slash", "a%2fb@example.com"],
  ["a semicolon and dots", "..;@example.com/.."],
  ["no @", "anna.example.com"],
  ["two @", "anna@evil.example@example.com"],
  ["nothing before the @", "@example.com"],
  ["nothing behind the @", "anna@"],
  ["a space", "anna smith@example.com"],
  ["a space before it", " anna@example.com"],
  ["a line break behind it", "anna@example.com\n"],
  ["a header within", "anna@example.com\r\nX-Webui-Secret: x"],
  ["a zero byte", "anna\u0000@example.com"],
  ["a Cyrillic а", "\u0430nna@example.com"],
  ["a full-width @", "anna\uff20example.com"],
  ["a full-width slash", "anna\uff0f..@example.com"],
  ["a combining accent", "anne\u0301@example.com"],
  ["a right-to-left mark", "anna\u202e@example.com"],
  ["255 letters", `${"a".repeat(243)}@example.com`],
  ["an empty text", ""],
  ["a number", 7],
  ["null", null],
  ["true", true],
  ["a list", ["anna@example.com"]],
  ["an object", { address: "anna@example.com" }],
];

const cases: readonly Case[] = [
  { ...claims("expired an hour ago", () => ({ iat: now() - 2 * hour, exp: now() - hour })), expected: invalid },
  { ...claims("expired just beyond the skew", () => ({ exp: now() - 65 })), expected: invalid },
  { ...claims("expired within the skew", () => ({ exp: now() - 5 })), expected: served },
  { ...claims("no expiry", () => ({ exp: undefined })), expected: invalid },
  { ...claims("an expiry that is a text", () => ({ exp: String(now() + 300) })), expected: invalid },
  { ...claims("an expiry that is null", () => ({ exp: null })), expected: invalid },
  { ...claims("an expiry that is a list", () => ({ exp: [now() + 300] })), expected: invalid },
  { ...claims("an expiry in ten years", () => ({ exp: now() + 10 * 365 * 24 * hour })), expected: invalid },
  { ...claims("an expiry of 1e308", () => ({ exp: 1e308 })), expected: invalid },
  { ...claims("an expiry in milliseconds", () => ({ exp: Date.now() + 300_000 })), expected: invalid },
  { ...claims("an expiry below zero", () => ({ exp: -1 })), expected: invalid },
  { ...claims("an expiry of zero", () => ({ exp: 0 })), expected: invalid },
  { ...literally("an expiry of 1e999, which reads as infinite", '"exp":1e999'), expected: invalid },
  { ...claims("valid from an hour on", () => ({ nbf: now() + hour })), expected: invalid },
  { ...claims("valid from within the skew on", () => ({ nbf: now() + 5 })), expected: served },
  { ...claims("a beginning that is a text", () => ({ nbf: "0" })), expected: invalid },
  { ...claims("issued in an hour", () => ({ iat: now() + hour, exp: now() + hour + 300 })), expected: invalid },
  { ...claims("issued within the skew", () => ({ iat: now() + 5 })), expected: served },
  { ...claims("a time of issue that is a text", () => ({ iat: String(now()) })), expected: invalid },
  // Proves 5.3: issuer and audience are configurable, and required
  { ...claims("no issuer", () => ({ iss: undefined })), expected: invalid },
  // Proves 5.3: issuer and audience are configurable, and required
  { ...claims("another issuer", () => ({ iss: "https://issuer.example.com" })), expected: invalid },
  { ...claims("the issuer with a slash", (rig) => ({ iss: `${rig.issuer.url}/` })), expected: invalid },
  { ...claims("the issuer in capitals", (rig) => ({ iss: rig.issuer.url.toUpperCase() })), expected: invalid },
  {
    ...claims("the issuer with more behind it", (rig) => ({ iss: `${rig.issuer.url}.example.com` })),
    expected: invalid,
  },
  { ...claims("a list of issuers", (rig) => ({ iss: [rig.issuer.url] })), expected: invalid },
  { ...claims("an empty issuer", () => ({ iss: "" })), expected: invalid },
  // Proves 5.3: issuer and audience are configurable, and required
  { ...claims("no audience", () => ({ aud: undefined })), expected: invalid },
  // Proves 5.3: issuer and audience are configurable, and required
  { ...claims("another audience", () => ({ aud: "urn:other" })), expected: invalid },
  {
    ...claims("the beginning of the audience", (rig) => ({ aud: rig.issuer.audience.slice(0, -1) })),
    expected: invalid,
  },
  { ...claims("the audience and more", (rig) => ({ aud: `${rig.issuer.audience}:more` })), expected: invalid },
  { ...claims("a list of other audiences", () => ({ aud: ["urn:a", "urn:b"] })), expected: invalid },
  { ...claims("an empty list of audiences", () => ({ aud: [] })), expected: invalid },
  { ...claims("the audience nested in a list", (rig) => ({ aud: [[rig.issuer.audience]] })), expected: invalid },
  { ...claims("an audience that is true", () => ({ aud: true })), expected: invalid },
  { ...claims("a list that has the audience", (rig) => ({ aud: ["urn:a", rig.issuer.audience] })), expected: served },
  { ...claims("no subject", () => ({ sub: undefined })), expected: invalid },
  { ...claims("an empty subject", () => ({ sub: "" })), expected: invalid },
  { ...claims("a subject that is a number", () => ({ sub: 7 })), expected: invalid },
  { ...claims("a subject that is an object", () => ({ sub: { id: 7 } })), expected: invalid },
  { ...claims("an ID that is a number, which could not be revoked", () => ({ jti: 7 })), expected: invalid },
  { ...claims("an empty ID", () => ({ jti: "" })), expected: invalid },
  { ...claims("an ID of 257 characters", () => ({ jti: "x".repeat(257) })), expected: invalid },
  { ...claims("an ID of 256 characters", () => ({ jti: "x".repeat(256) })), expected: served },
  { ...claims("no e-mail address", () => ({ email: undefined })), expected: invalid },
  { ...claims("an address that is not verified", () => ({ email_verified: false })), expected: unverified },
  {
    ...claims("an address whose verification is the text false", () => ({ email_verified: "false" })),
    expected: unverified,
  },
  { ...claims("an address whose verification is null", () => ({ email_verified: null })), expected: unverified },
  {
    name: "an address that is not verified in a token of a wrong signature: the signature is judged first",
    send: async (rig, person) => {
      const token = rig.issuer.sign({ ...rig.claims(person), email_verified: false });
      return callWith(bearer(`${prefix}${token.slice(0, -8)}AAAAAAAA`));
    },
    expected: invalid,
  },
  { ...claims("no word of verification", () => ({ email_verified: undefined })), expected: served },
  { ...claims("an address that is verified", () => ({ email_verified: true })), expected: served },
  {
    ...literally("a claim named __proto__, which is a claim as any other", '"__proto__":{"email":"x@example.com"}'),
    expected: served,
  },
  {
    ...literally("an address in __proto__ alone", '"email":null,"__proto__":{"email":"x@example.com"}'),
    expected: invalid,
  },
  {
    ...literally("another issuer first: the last of two counts", '"iss":"https://issuer.example.com"', "before"),
    expected: served,
  },
  {
    ...literally("another issuer last: the last of two counts", '"iss":"https://issuer.example.com"'),
    expected: invalid,
  },
  ...badAddresses.map(([name, email]) => ({
    ...claims(`an address that is or has ${name}`, () => ({ email })),
    expected: invalid,
  })),
];

describeCases("front door: what the token claims", cases);

const strict: readonly Case[] = [
  { ...claims("no word of verification", () => ({ email_verified: undefined })), expected: unverified },
  { ...claims("an address that is not verified", () => ({ email_verified: false })), expected: unverified },
  { ...claims("an address that is verified", () => ({ email_verified: true })), expected: served },
];
describeCases("front door: required verification of addresses", strict, {
  configure: (usual) => ({ ...usual, token: { ...usual.token, emailVerifiedRequired: true } }),
});
