import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { SignJWT } from "jose";
import type { TokenConfiguration } from "../../../../../src/programs/front-door/config/configuration.ts";
import { isRejection } from "../../../../../src/programs/front-door/http/rejections.ts";
import { SignatureCache, verifyToken } from "../../../../../src/programs/front-door/token/verification.ts";

const issuer = "https://issuer.example.com";
const audience = "platform-tools";
const now = Date.parse("2026-11-21T12:00:00Z");
const token: TokenConfiguration = {
  prefix: "platform_",
  prefixRequired: true,
  jwksUrl: new URL(`${issuer}/jwks.json`),
  issuer,
  audiences: [audience],
  emailClaim: "email",
  tenantClaim: "tenant",
  emailVerifiedRequired: false,
  lowerCaseEmail: true,
  allowNonAsciiEmail: false,
  clockSkewSeconds: 0,
  maximumLifetimeSeconds: 86_400,
  revocationSeconds: 30 * 24 * 3600,
};

describe("front door: a signature that was verified before", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let signatures: SignatureCache;
  let jwt: string;

  before(async () => {
    jwt = await signed(pair.privateKey);
  });
  beforeEach(async () => {
    signatures = new SignatureCache();
    assert.equal(await reason({ jwt }), undefined);
    assert.ok(signatures.has(jwt, pair.publicKey));
  });

  function signed(key: KeyObject): Promise<string> {
    return new SignJWT({ email: "anna@example.com" })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject("anna")
      .setExpirationTime(now / 1000 + 60)
      .sign(key);
  }

  /** The reason why the token is rejected; undefined if it is accepted. */
  async function reason(
    given: { readonly jwt: string; readonly key?: KeyObject; readonly at?: number },
    configuration = token,
  ): Promise<string | undefined> {
    const keys = { keyFor: async () => ({ outcome: "key" as const, key: given.key ?? pair.publicKey }) };
    const outcome = await verifyToken({ jwt: given.jwt }, configuration, keys, signatures, given.at ?? now);
    if (!isRejection(outcome)) {
      assert.equal(outcome.subject, "anna");
      return undefined;
    }
    return outcome.rejection === "invalidToken" ? outcome.reason : outcome.rejection;
  }

  it("returns the same user again", async () => {
    assert.equal(await reason({ jwt }), undefined);
  });

  it("doesn't apply to the same claims with another signature", async () => {
    const [header, payload] = jwt.split(".");
    const [, , signature] = (await signed(other.privateKey)).split(".");
    assert.equal(await reason({ jwt: `${header}.${payload}.${signature}` }), "its signature is wrong");
  });

  it("doesn't apply once another key has its id", async () => {
    assert.equal(await reason({ jwt, key: other.publicKey }), "its signature is wrong");
  });

  it("doesn't apply to the token's times, which are checked again", async () => {
    assert.equal(await reason({ jwt, at: now + 60_000 }), "it has expired");
  });

  it("doesn't apply to the requirements of the configuration", async () => {
    assert.equal(await reason({ jwt }, { ...token, audiences: ["another"] }), "it is for another audience");
  });

  it("is not cached if it was invalid", async () => {
    const forged = await signed(other.privateKey);
    assert.equal(await reason({ jwt: forged }), "its signature is wrong");
    assert.ok(!signatures.has(forged, pair.publicKey));
  });
});

describe("front door: a token that is not cached", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  type Found = Awaited<ReturnType<Parameters<typeof verifyToken>[2]["keyFor"]>>;
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

  /** A token that was signed with the key, and the result if the set has `found`. */
  async function outcomeOf(
    more: object = {},
    configuration: TokenConfiguration = token,
    { privateKey, publicKey } = pair,
    found: Found = { outcome: "key", key: publicKey },
  ): Promise<Awaited<ReturnType<typeof verifyToken>>> {
    const payload = {
      iss: issuer,
      aud: audience,
      sub: "anna",
      email: "anna@example.com",
      exp: now / 1000 + 60,
      ...more,
    };
    const content = `${encode({ alg: "RS256", kid: "one" })}.${encode(payload)}`;
    const jwt = `${content}.${sign("RSA-SHA256", Buffer.from(content), privateKey).toString("base64url")}`;
    const signatures = new SignatureCache();
    const keys = { keyFor: async () => found };
    const first = await verifyToken({ jwt }, configuration, keys, signatures, now);
    // Its signature may be cached by now. The result must not depend on that.
    assert.deepEqual(await verifyToken({ jwt }, configuration, keys, signatures, now), first);
    return first;
  }

  it("is rejected if the key set can't be read or doesn't have the key", async () => {
    assert.deepEqual(await outcomeOf({}, token, pair, { outcome: "unavailable", reason: "timed out" }), {
      rejection: "unavailable",
      reason: "key set: timed out",
    });
    assert.deepEqual(await outcomeOf({}, token, pair, { outcome: "unknown" }), {
      rejection: "invalidToken",
      reason: "no key of the set has its key id",
    });
  });

  it("is rejected as unavailable if the key is too short", async () => {
    const outcome = await outcomeOf({}, token, generateKeyPairSync("rsa", { modulusLength: 1024 }));
    assert.deepEqual(outcome, { rejection: "unavailable", reason: "key set: a key of it can't be used" });
  });

  it("is rejected if the issuer has not verified the address, or must have but doesn't report it", async () => {
    const required = { ...token, emailVerifiedRequired: true };
    for (const [verified, configuration, isRefused] of [
      [undefined, token, false],
      [true, token, false],
      [false, token, true],
      [undefined, required, true],
      [true, required, false],
      [false, required, true],
    ] as const) {
      const outcome = await outcomeOf({ email_verified: verified }, configuration);
      assert.deepEqual(
        isRejection(outcome) ? outcome : undefined,
        isRefused ? { rejection: "emailNotVerified" } : undefined,
      );
    }
  });
});
