import assert from "node:assert/strict";
import type { TokenConfiguration } from "../../../../../src/programs/front-door/config/configuration.ts";
import { isRejection, type Rejection } from "../../../../../src/programs/front-door/http/rejections.ts";
import { type Claims, claimsOf, parseEmail, precheck } from "../../../../../src/programs/front-door/token/claims.ts";
import { token } from "./token-configuration.ts";

const now = 1_800_000_000;
const good = { iss: token.issuer, aud: "urn:tools", sub: "anna", email: "anna@example.com", exp: now + 300 };

const reasonOf = (outcome: object | Rejection): string | undefined =>
  isRejection(outcome) && outcome.rejection === "invalidToken" ? outcome.reason : undefined;

function precheckReason(header: unknown, payload: unknown = good, configuration = token): string | undefined {
  const [head, body] = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return reasonOf(precheck({ jwt: `${head}.${body}.AAAA` }, configuration, now));
}

function claims(more: object, configuration: TokenConfiguration = token): Claims {
  const outcome = claimsOf({ ...good, ...more }, configuration, now);
  assert.ok(!("rejection" in outcome), JSON.stringify(outcome));
  return outcome;
}

const claimsReason = (more: object): string | undefined => reasonOf(claimsOf({ ...good, ...more }, token, now));

describe("front door: a token's header", () => {
  it("can name a key and a type", () => {
    for (const more of [{}, { kid: "k" }, { kid: "k".repeat(256) }, { typ: "JWT" }, { typ: "" }]) {
      assert.equal(precheckReason({ alg: "RS256", ...more }), undefined, JSON.stringify(more));
    }
  });

  for (const [name, header, reason] of [
    ["no algorithm", {}, "its algorithm is not RS256"],
    ["another algorithm", { alg: "HS256" }, "its algorithm is not RS256"],
    ["no signature", { alg: "none" }, "its algorithm is not RS256"],
    ...["jku", "jwk", "x5u", "x5c", "crit", "b64", "zip"].map(
      (member) => [member, { alg: "RS256", [member]: null }, `its header has ${member}`] as const,
    ),
    ["an empty key id", { alg: "RS256", kid: "" }, "its key id is not a string of 1 to 256 characters"],
    ["a long key id", { alg: "RS256", kid: "k".repeat(257) }, "its key id is not a string of 1 to 256 characters"],
    ["a number as key id", { alg: "RS256", kid: 1 }, "its key id is not a string of 1 to 256 characters"],
    ["a list as key id", { alg: "RS256", kid: ["k"] }, "its key id is not a string of 1 to 256 characters"],
    ["a number as type", { alg: "RS256", typ: 1 }, "its type is not a string"],
    ["a list instead of a header", ["RS256"], "its header or payload is not a JSON object"],
    ["null instead of a header", null, "its header or payload is not a JSON object"],
    ["a text instead of a header", "RS256", "its header or payload is not a JSON object"],
  ] as const) {
    it(`is rejected with ${name}`, () => assert.equal(precheckReason(header), reason));
  }

  it("is rejected if the header or payload isn't JSON in UTF-8", () => {
    const encode = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString("base64url");
    const header = encode(JSON.stringify({ alg: "RS256" }));
    const notUtf8 = encode(Buffer.concat([Buffer.from('{"iss":"'), Buffer.from([0xff]), Buffer.from('"}')]));
    for (const jwt of [
      `${header}.${encode("{")}.A`,
      `${encode("{")}.${header}.A`,
      `${header}.${notUtf8}.A`,
      header,
      "",
    ]) {
      const outcome = precheck({ jwt }, token, now);
      assert.equal(reasonOf(outcome), "its header or payload is not a JSON object");
    }
  });

  it("must have the required type, with or without `application/`, in any case", () => {
    const required = { ...token, requiredType: "AT+jwt" };
    for (const typ of ["at+jwt", "AT+JWT", "application/at+jwt", "Application/at+JWT"]) {
      assert.equal(precheckReason({ alg: "RS256", typ }, good, required), undefined, typ);
      assert.equal(
        precheckReason({ alg: "RS256", typ }, good, { ...token, requiredType: "application/at+jwt" }),
        undefined,
      );
    }
    for (const typ of [undefined, "", "JWT", "at+jwt+x", "text/at+jwt", "x-application/at+jwt", "atapplication/+jwt"]) {
      const reason = precheckReason({ alg: "RS256", typ }, good, required);
      assert.equal(reason, "its type is not the required one", typ);
    }
  });

  it("is checked with the claims, before any key is fetched", () => {
    assert.equal(precheckReason({ alg: "RS256" }, { ...good, aud: "else" }), "it is for another audience");
  });
});

describe("front door: a token's claims", () => {
  it("identify the user, and contain only what the token contains", () => {
    assert.deepEqual(claims({}), {
      issuer: token.issuer,
      subject: "anna",
      email: "anna@example.com",
      emailIsVerified: undefined,
      tenant: undefined,
      issuedAt: undefined,
      tokenId: undefined,
    });
    const { tenant, issuedAt, tokenId } = claims({ tenant: "acme", iat: now, jti: "one" });
    assert.deepEqual([tenant, issuedAt, tokenId], ["acme", now, "one"]);
  });

  for (const [name, more, reason] of [
    ["another issuer", { iss: "https://issuer.example.com/" }, "its issuer is wrong"],
    ["no issuer", { iss: undefined }, "its issuer is wrong"],
    ["another audience", { aud: "urn:tool" }, "it is for another audience"],
    ["no audience", { aud: undefined }, "it is for another audience"],
    ["other audiences", { aud: ["urn:a", "urn:b", 1, null] }, "it is for another audience"],
    ["an audience in an audience", { aud: [["urn:tools"]] }, "it is for another audience"],
    ["no expiry", { exp: undefined }, "it has no expiry"],
    ["an expiry that is a text", { exp: String(now + 300) }, "it has no expiry"],
    ["an expiry that never comes", { exp: Number.POSITIVE_INFINITY }, "it has no expiry"],
    ["an expiry in the past", { exp: now - 30 }, "it has expired"],
    ["an expiry that is too far ahead", { exp: now + 3631 }, "it expires too far ahead"],
    ["a time that has not come", { nbf: now + 31 }, "it is not valid yet"],
    ["a time that is a text", { nbf: "0" }, "it is not valid yet"],
    ["a time of issue that has not come", { iat: now + 31 }, "it was issued in the future"],
    ["a time of issue that is a text", { iat: "0" }, "it was issued in the future"],
    ["no subject", { sub: undefined }, "its subject is not a string of 1 to 255 characters"],
    ["an empty subject", { sub: "" }, "its subject is not a string of 1 to 255 characters"],
    ["a long subject", { sub: "s".repeat(256) }, "its subject is not a string of 1 to 255 characters"],
    ["no address", { email: undefined }, "its email address: it is not a string"],
    ["an empty address", { email: "" }, "its email address: it is empty or too long"],
    ["two addresses", { email: "a@b.c,d@e.f" }, "its email address: it does not have the form of an address"],
    ["an address with a slash", { email: "a/b@c.d" }, "its email address: it contains a character that is not allowed"],
  ] as const) {
    it(`are rejected with ${name}`, () => assert.equal(claimsReason(more), reason));
  }

  it("are valid at the ends of their bounds", () => {
    for (const more of [
      { exp: now - 29 },
      { exp: now + 3630 },
      { nbf: now + 30, iat: now + 30 },
      { sub: "s".repeat(255) },
      { aud: ["urn:other", "urn:tools"] },
    ]) {
      assert.equal(claimsReason(more), undefined, JSON.stringify(more));
    }
  });

  it("count as verified only with true, as a JSON value or a string", () => {
    for (const [verified, expected] of [
      [undefined, undefined],
      [true, true],
      ["true", true],
      [false, false],
      ["false", false],
      [1, false],
      [null, false],
      ["TRUE", false],
    ] as const) {
      assert.equal(claims({ email_verified: verified }).emailIsVerified, expected, String(verified));
    }
  });

  it("name a tenant only in the configured claim, and only as a single hostname label", () => {
    assert.equal(claims({ org: "acme", tenant: "other" }, { ...token, tenantClaim: "org" }).tenant, "acme");
    for (const tenant of ["acme.example.com", "a/b", "", "-a", "Acme", 7, ["acme"], "a".repeat(64)]) {
      assert.equal(claims({ tenant }).tenant, undefined, String(tenant));
    }
    assert.equal(claims({}, { ...token, tenantClaim: "constructor" }).tenant, undefined);
  });

  it("use the address in the configured claim, but not in an inherited member", () => {
    assert.equal(claims({ upn: "Bo@Example.com" }, { ...token, emailClaim: "upn" }).email, "bo@example.com");
    const reason = reasonOf(claimsOf(good, { ...token, emailClaim: "constructor" }, now));
    assert.equal(reason, "its email address: it is not a string");
  });

  it("are rejected if they have an ID that could not be revoked", () => {
    assert.equal(claims({}).tokenId, undefined);
    assert.equal(claims({ jti: "j".repeat(256) }).tokenId, "j".repeat(256));
    for (const jti of ["j".repeat(257), "", 7, null, ["j"]]) {
      assert.equal(claimsReason({ jti }), "its ID is not a string of 1 to 256 characters, so it could not be revoked");
    }
  });
});

describe("front door: an email address", () => {
  const ascii = { lowerCaseEmail: true, allowNonAsciiEmail: false };
  const anyLetters = { lowerCaseEmail: false, allowNonAsciiEmail: true };
  const label = "d".repeat(63);

  it("has a local part of at most 64 characters, labels of at most 63, and at most 254 in total", () => {
    const long = `${"l".repeat(64)}@${label}.${label}.${"d".repeat(61)}`;
    assert.equal(long.length, 254);
    assert.deepEqual(parseEmail(long, ascii), { valid: true, email: long });
    assert.equal(parseEmail(`${long}d`, ascii).valid, false);
    assert.equal(parseEmail(`${"l".repeat(65)}@example.com`, ascii).valid, false);
    assert.equal(parseEmail(`a@${label}d.com`, ascii).valid, false);
  });

  for (const text of [
    "a",
    "@example.com",
    "a@",
    "a@b@c.d",
    ".a@b.c",
    "a.@b.c",
    "a..b@b.c",
    "a@-b.c",
    "a@b-.c",
    "a@b..c",
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(parseEmail(text, ascii).valid, false));
  }

  it("keeps its case if case matters, and is converted to lowercase otherwise", () => {
    assert.deepEqual(parseEmail("A.b@Example.COM", anyLetters), { valid: true, email: "A.b@Example.COM" });
    assert.deepEqual(parseEmail("A.b@Example.COM", ascii), { valid: true, email: "a.b@example.com" });
  });

  it("can have letters of any language on both sides if allowed", () => {
    for (const text of ["rené.b@example.com", "a@bücher.example", "用户@例え.jp"]) {
      assert.deepEqual(parseEmail(text, anyLetters), { valid: true, email: text });
      assert.equal(parseEmail(text, ascii).valid, false);
    }
    for (const text of [
      "é..b@example.com",
      ".é@example.com",
      "é.@example.com",
      "é b@example.com",
      "é@bü cher.example",
      "é@.example",
      "é@example.",
    ]) {
      assert.equal(parseEmail(text, anyLetters).valid, false, text);
    }
  });
});
