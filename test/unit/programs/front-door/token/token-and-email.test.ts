import assert from "node:assert/strict";
import fc from "fast-check";
import type { TokenConfiguration } from "../../../../../src/programs/front-door/config/configuration.ts";
import { isRejection } from "../../../../../src/programs/front-door/http/rejections.ts";
import { extractToken } from "../../../../../src/programs/front-door/token/bearer-token.ts";
import { claimsOf, parseEmail, precheck } from "../../../../../src/programs/front-door/token/claims.ts";

const prefix = "pwt_";
const withPrefix = { prefix, prefixRequired: true };
const asciiOnly = { emailVerifiedRequired: false, lowerCaseEmail: true, allowNonAsciiEmail: false };
const anyLetters = { lowerCaseEmail: false, allowNonAsciiEmail: true };
const base64url = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];
const runs = { numRuns: 2000 };

/** Any bytes as one part of a token. */
const part = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("base64url"));
const jwt = fc.tuple(part, part, part).map((parts) => parts.join("."));

describe("properties of the token's parsing", () => {
  // Proves 5.3: the prefix is removed before the token is verified
  it("a token after the prefix stays unchanged, regardless of its beginning", () => {
    fc.assert(
      fc.property(jwt, fc.constantFrom("Bearer", "bearer", "BEARER", "bEaReR"), fc.nat(3), (token, scheme, spaces) => {
        const header = `${scheme} ${" ".repeat(spaces)}${prefix}${token}`;
        assert.deepEqual(extractToken([header], withPrefix), { jwt: token });
      }),
      runs,
    );
  });

  it("the prefix is removed once, even if the token itself begins with it", () => {
    fc.assert(
      fc.property(fc.nat(3), jwt, (times, token) => {
        const outcome = extractToken([`Bearer ${prefix.repeat(times + 1)}${token}`], withPrefix);
        assert.deepEqual(outcome, { jwt: `${prefix.repeat(times)}${token}` });
      }),
      runs,
    );
  });

  it("only three parts in canonical base64url are accepted", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 80 }),
          fc.string({ unit: fc.constantFrom(...base64url, ".", "=", " ", "_"), maxLength: 60 }),
          jwt,
        ),
        fc.boolean(),
        (text, prefixRequired) => {
          const outcome = extractToken([`Bearer ${text}`], { prefix, prefixRequired });
          if (isRejection(outcome)) return;
          assert.match(outcome.jwt, /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
          for (const one of outcome.jwt.split(".")) {
            assert.equal(Buffer.from(one, "base64url").toString("base64url"), one);
          }
          assert.ok(text.trim().endsWith(outcome.jwt));
        },
      ),
      runs,
    );
  });

  it("a changed character is rejected or changes the bytes, so a token has only one encoding", () => {
    fc.assert(
      fc.property(jwt, fc.nat(), fc.constantFrom(...base64url), (token, at, letter) => {
        const place = at % token.length;
        const other = `${token.slice(0, place)}${letter}${token.slice(place + 1)}`;
        fc.pre(other !== token && token[place] !== ".");
        const outcome = extractToken([`Bearer ${prefix}${other}`], withPrefix);
        if (isRejection(outcome)) return;
        const bytes = (text: string): string =>
          text
            .split(".")
            .map((one) => Buffer.from(one, "base64url").toString("hex"))
            .join(".");
        assert.notEqual(bytes(outcome.jwt), bytes(token));
      }),
      runs,
    );
  });

  it("more than one header is malformed, regardless of the content", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 5 }), (headers) => {
        const outcome = extractToken(headers, withPrefix);
        assert.equal(isRejection(outcome) && outcome.rejection, "invalidRequest");
      }),
    );
  });

  // Proves 5.3: a missing token stays missing
  it("a missing or empty header, and other schemes, count as a missing token", () => {
    fc.assert(
      fc.property(fc.constantFrom("Basic", "DPoP", "Bearerx", "", "token"), fc.string(), (scheme, rest) => {
        const outcome = extractToken([scheme === "" ? "" : `${scheme} ${rest}`], withPrefix);
        assert.equal(isRejection(outcome) && outcome.rejection, "missingToken");
      }),
    );
    assert.deepEqual(extractToken(undefined, withPrefix), { rejection: "missingToken" });
    assert.deepEqual(extractToken([], withPrefix), { rejection: "missingToken" });
  });
});

const token: TokenConfiguration = {
  prefix,
  prefixRequired: true,
  jwksUrl: new URL("https://issuer.example.com/jwks"),
  issuer: "https://issuer.example.com",
  audiences: ["urn:tools"],
  emailClaim: "email",
  emailVerifiedRequired: false,
  lowerCaseEmail: true,
  allowNonAsciiEmail: false,
  tenantClaim: "tenant",
  clockSkewSeconds: 30,
  maximumLifetimeSeconds: 3600,
  revocationSeconds: 7200,
};
const now = 1_800_000_000;
const good = { iss: token.issuer, aud: "urn:tools", sub: "anna", email: "anna@example.com", iat: now, exp: now + 300 };

describe("properties of a token's claims", () => {
  it("valid claims are accepted, also by the precheck", () => {
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const made = { jwt: `${encode({ alg: "RS256", kid: "k" })}.${encode(good)}.AAAA` };
    assert.deepEqual(precheck(made, token, now), { kid: "k", claims: claimsOf(good, token, now) });
    assert.equal(isRejection(claimsOf(good, token, now)), false);
  });

  it("any JSON as a claim is read without an exception, and invalid values are rejected", () => {
    fc.assert(
      fc.property(fc.constantFrom("iss", "aud", "sub", "email", "iat", "exp", "nbf"), fc.jsonValue(), (name, value) => {
        const outcome = claimsOf({ ...good, [name]: value }, token, now);
        if (isRejection(outcome)) return;
        if (name === "iss") assert.equal(value, token.issuer);
        if (name === "aud") assert.ok([value].flat().includes("urn:tools"));
        if (name === "sub") assert.ok(typeof value === "string" && value !== "");
        if (name === "email") assert.match(String(value), /^[^@]+@[^@]+$/);
        if (name === "exp") assert.ok(typeof value === "number" && value > now - 30 && value <= now + 3630);
        if (name === "iat" || name === "nbf") assert.ok(typeof value === "number" && value <= now + 30);
      }),
      runs,
    );
  });

  it("a time is accepted exactly within its bounds", () => {
    const times = fc.oneof(fc.integer({ min: now - 5000, max: now + 5000 }), fc.double());
    fc.assert(
      fc.property(times, times, times, (exp, nbf, iat) => {
        const allowed = exp > now - 30 && exp <= now + 3630 && nbf <= now + 30 && iat <= now + 30;
        assert.equal(!isRejection(claimsOf({ ...good, exp, nbf, iat }, token, now)), allowed);
      }),
      runs,
    );
  });

  it("any text as a token's parts is checked without an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (head, body) => {
        const encode = (text: string): string => Buffer.from(text).toString("base64url");
        assert.ok(isRejection(precheck({ jwt: `${encode(head)}.${encode(body)}.AAAA` }, token, now)));
      }),
      runs,
    );
  });
});

/** Texts that resemble an address: its letters, and characters with a meaning in paths. */
const nearAddress = fc.string({
  unit: fc.constantFrom(
    ..."aZ09.-_+@/\\?#%:; \n\r\t\0'\"<>&=,()[]{}|~^`$!*",
    "é",
    "а",
    "＠",
    "／",
    "．",
    "\u202e",
    "\u200b",
    "%2f",
    "..",
  ),
  maxLength: 30,
});

describe("properties of the email address", () => {
  for (const [name, options] of [
    ["ASCII", asciiOnly],
    ["any letters", anyLetters],
  ] as const) {
    it(`an accepted address is a single path segment that survives a round trip (${name})`, () => {
      fc.assert(
        fc.property(
          fc.oneof(
            nearAddress,
            fc.tuple(nearAddress, nearAddress).map((two) => two.join("@")),
          ),
          (text) => {
            const outcome = parseEmail(text, options);
            if (!outcome.valid) return;
            const { email } = outcome;
            assert.equal(email.split("@").length, 2);
            assert.doesNotMatch(email, /[\s/\\?#%\p{Cc}\p{Cf}:;]/u);
            const url = new URL(`https://internal.example.com/cred/${encodeURIComponent(email)}/platform`);
            assert.equal(url.pathname, `/cred/${encodeURIComponent(email)}/platform`);
            assert.equal(url.origin + url.search + url.hash, "https://internal.example.com");
            assert.equal(decodeURIComponent(url.pathname.split("/")[2] ?? ""), email);
          },
        ),
        { numRuns: 20_000 },
      );
    });
  }

  it("parsing is idempotent, and different cases are the same user", () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: "small" }), (address) => {
        const outcome = parseEmail(address, asciiOnly);
        if (!outcome.valid) return;
        assert.deepEqual(parseEmail(outcome.email, asciiOnly), outcome);
        assert.deepEqual(parseEmail(address.toUpperCase(), asciiOnly), outcome);
      }),
      runs,
    );
  });

  it("usual addresses are accepted", () => {
    const word = fc.string({
      unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789"),
      minLength: 1,
      maxLength: 12,
    });
    const local = fc.array(word, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(local, fc.constantFrom(".", "-", "_", "+", "'"), word, (words, joiner, domain) => {
        const address = `${words.join(joiner)}@${domain}.example.com`;
        assert.deepEqual(parseEmail(address, asciiOnly), { valid: true, email: address });
      }),
      runs,
    );
  });

  it("anything other than a string is rejected", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        fc.pre(typeof value !== "string");
        assert.equal(parseEmail(value, anyLetters).valid, false);
      }),
    );
  });

  it("outside of ASCII only the composed form is accepted, if allowed", () => {
    assert.equal(parseEmail("ren\u00e9@example.com", asciiOnly).valid, false);
    assert.deepEqual(parseEmail("ren\u00e9@example.com", anyLetters), { valid: true, email: "ren\u00e9@example.com" });
    assert.equal(parseEmail("rene\u0301@example.com", anyLetters).valid, false);
  });
});
