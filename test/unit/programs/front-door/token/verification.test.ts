import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { TokenConfiguration } from "../../../../../src/programs/front-door/config/configuration.ts";
import { isRejection } from "../../../../../src/programs/front-door/http/rejections.ts";
import { SignatureCache, verifyToken } from "../../../../../src/programs/front-door/token/verification.ts";

const issuer = "https://issuer.example.com";
const audience = "platform-tools";
const now = Date.parse("2026-11-21T12:00:00Z");
const token: TokenConfiguration = {
  ...{ prefix: "platform_", prefixRequired: true, jwksUrl: new URL(`${issuer}/jwks.json`), issuer },
  ...{ audiences: [audience], emailClaim: "email", tenantClaim: "tenant" },
  ...{
    emailVerifiedRequired: false,
    lowerCaseEmail: true,
    allowNonAsciiEmail: false,
    clockSkewSeconds: 0,
    maximumLifetimeSeconds: 86_400,
    revocationSeconds: 30 * 24 * 3600,
  },
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

  /** Why the token is refused; undefined where it is not. */
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

  it("gives the same person again", async () => {
    assert.equal(await reason({ jwt }), undefined);
  });

  it("says nothing of the same claims with another signature", async () => {
    const [header, payload] = jwt.split(".");
    const [, , signature] = (await signed(other.privateKey)).split(".");
    assert.equal(await reason({ jwt: `${header}.${payload}.${signature}` }), "its signature is wrong");
  });

  it("says nothing once another key has its id", async () => {
    assert.equal(await reason({ jwt, key: other.publicKey }), "its signature is wrong");
  });

  it("says nothing of the token's times, which are judged anew", async () => {
    assert.equal(await reason({ jwt, at: now + 60_000 }), "it has expired");
  });

  it("says nothing of what the configuration asks for", async () => {
    assert.equal(await reason({ jwt }, { ...token, audiences: ["another"] }), "it is for another audience");
  });

  it("is not remembered where it was wrong", async () => {
    const forged = await signed(other.privateKey);
    assert.equal(await reason({ jwt: forged }), "its signature is wrong");
    assert.ok(!signatures.has(forged, pair.publicKey));
  });
});
