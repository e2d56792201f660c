import assert from "node:assert/strict";
import { MemoryStore } from "../../../../../src/programs/front-door/shared-state/memory-store.ts";
import type { Claims } from "../../../../../src/programs/front-door/token/claims.ts";
import { Revocations, revocationOf } from "../../../../../src/programs/front-door/token/revocations.ts";

const emails = { lowerCaseEmail: true, allowNonAsciiEmail: false };
const revokedAt = 1_000_000;
const revoked = { rejection: "invalidToken", reason: "it was revoked" };

function claimsWith(given: Partial<Claims>): Claims {
  return {
    issuer: "https://issuer.example.com",
    subject: "anna",
    email: "anna@example.com",
    emailIsVerified: undefined,
    tenant: undefined,
    tokenId: "token-1",
    issuedAt: revokedAt - 100,
    ...given,
  };
}

function revocations(): Revocations {
  const state = new MemoryStore({ revocationSeconds: 3600, monotonic: () => 0 });
  return new Revocations({ configuration: { clockSkewSeconds: 30 }, state, wall: () => revokedAt * 1000 + 999 });
}

describe("front door: revocations", () => {
  it("of a token apply only to that token, regardless of when it was issued", async () => {
    const all = revocations();
    await all.revoke({ kind: "tokenId", value: "token-1" });
    assert.deepEqual(await all.check(claimsWith({ issuedAt: revokedAt + 500 })), revoked);
    assert.equal(await all.check(claimsWith({ tokenId: "token-2" })), undefined);
    assert.equal(await all.check(claimsWith({ tokenId: undefined, issuedAt: undefined })), undefined);
  });

  for (const [kind, value] of [
    ["subject", "anna"],
    ["email", "anna@example.com"],
  ] as const) {
    it(`of a user by ${kind} apply to tokens that were issued before, allowing for clock differences, or without a time`, async () => {
      const all = revocations();
      await all.revoke({ kind, value });
      assert.deepEqual(await all.check(claimsWith({})), revoked);
      assert.deepEqual(await all.check(claimsWith({ issuedAt: undefined })), revoked);
      assert.deepEqual(await all.check(claimsWith({ issuedAt: revokedAt + 30 })), revoked);
      assert.equal(await all.check(claimsWith({ issuedAt: revokedAt + 31 })), undefined);
      assert.equal(await all.check(claimsWith({ subject: "ben", email: "ben@example.com" })), undefined);
    });
  }

  it("distinguish a token's id, a subject, and an address with the same text", async () => {
    const all = revocations();
    await all.revoke({ kind: "subject", value: "token-1" });
    assert.equal(await all.check(claimsWith({})), undefined);
  });

  it("have exactly one target, with an address in its normalized form", () => {
    assert.deepEqual(revocationOf({ tokenId: "a" }, emails), { kind: "tokenId", value: "a" });
    assert.deepEqual(revocationOf({ subject: "a b" }, emails), { kind: "subject", value: "a b" });
    assert.deepEqual(revocationOf({ email: "Anna@Example.com" }, emails), { kind: "email", value: "anna@example.com" });
    for (const body of [
      {},
      [],
      null,
      "anna",
      { tokenId: "" },
      { tokenId: 1 },
      { tokenId: "x".repeat(257) },
      { subject: "x".repeat(256) },
      { email: "no address" },
      { subject: "a", email: "a@example.com" },
      { subject: "a", more: true },
    ]) {
      assert.equal(revocationOf(body, emails), undefined, JSON.stringify(body));
    }
  });
});
