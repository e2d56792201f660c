import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { callOnce, expectCall, tally, withCaller } from "../harness/front-door/calls.ts";
import { jweCompact, makeEnvelopeKeys, plainParts } from "../harness/front-door/envelopes.ts";
import {
  credentialSlug,
  movableClock,
  type Person,
  type Rig,
  type RigOptions,
  startRig,
} from "../harness/front-door/rig.ts";

const served = { status: 200 };

/** The front door's clock. It stands still, so that a slow machine does not make anything expire. */
let clock = movableClock({ isStill: true });

async function withRig(work: (rig: Rig) => Promise<void>, options: RigOptions = {}): Promise<void> {
  clock = movableClock({ isStill: true });
  const rig = await startRig({ parts: { clock }, ...options });
  try {
    await work(rig);
  } finally {
    await rig.stop();
  }
}

/** On a slow machine, it takes long until the last of a thousand callers in this process has sent its headers. */
const patient: RigOptions = {
  configure: (usual) => ({
    ...usual,
    internal: { ...usual.internal, timeLimitMilliseconds: 30_000 },
    limits: { ...usual.limits, headersMilliseconds: 120_000, requestMilliseconds: 120_000, callMilliseconds: 120_000 },
  }),
};

describe("front door: concurrent calls", () => {
  it("1,000 concurrent first calls of one user cause one check and one fetch", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      rig.internal.fail("credential", { kind: "late", milliseconds: 1000 });
      const token = rig.token(anna);
      const calls = Array.from({ length: 1000 }, () => token);
      const responses = await withCaller(rig.frontDoor.url, (call) => Promise.all(calls.map(call)));
      assert.deepEqual(tally(responses), { 200: 1000 });
      assert.equal(responses.filter(({ failed }) => failed === true).length, 0);
      const reached = { keySet: 0, entitlement: 1, credential: 1, platform: 1000, stranger: 0 };
      assert.deepEqual(rig.takeReached(), reached);
    }, patient)).timeout(180_000);

  it("300 concurrent first calls of one user without an available credential cause one fetch", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      // Until all of them wait for it, because a failure is not kept.
      rig.internal.fail("entitlement", { kind: "late", milliseconds: 5000 });
      rig.internal.fail("credential", { kind: "status", status: 500 });
      const token = rig.token(anna);
      const calls = Array.from({ length: 300 }, () => token);
      const responses = await withCaller(rig.frontDoor.url, (call) => Promise.all(calls.map(call)));
      assert.deepEqual(tally(responses), { "503 unavailable": 300 });
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 1, credential: 1, platform: 0, stranger: 0 });
      rig.repair();
      await expectCall(rig, anna, served);
    }, patient)).timeout(180_000);

  it("first calls of 100 users cause one fetch each, and each call uses its user's own credential", () =>
    withRig(async (rig) => {
      const people = await Promise.all(Array.from({ length: 100 }, () => rig.person()));
      const callers = people.flatMap((person) => [person, person, person]);
      const emails = new Map(people.map(({ email, credential }) => [credential, email]));
      rig.platform.responseWith({
        status: 200,
        body: (credential) => JSON.stringify([{ id: 1, name: `a role of ${emails.get(credential)}` }]),
      });
      const responses = await withCaller(rig.frontDoor.url, (call) =>
        Promise.all(callers.map((person) => call(rig.token(person)))),
      );
      assert.deepEqual(tally(responses), { 200: 300 });
      assert.deepEqual(
        responses.map(({ text }) => /\\"name\\":\\"a role of ([^"\\]*)\\"/.exec(text)?.[1]),
        callers.map(({ email }) => email),
      );
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 100, credential: 100, platform: 300, stranger: 0 });
    }, patient)).timeout(180_000);

  it("users whose addresses differ only in case are one user", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, served);
      await expectCall(rig, anna, served, rig.issuer.sign({ email: anna.email.toUpperCase(), sub: "anna" }));
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 1, credential: 1, platform: 2, stranger: 0 });
    }));
});

describe("front door: what is cached, and for how long", () => {
  it("an entitlement and a credential for 30 seconds", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      for (const [seconds, fetches] of [
        [0, 1],
        [29, 0],
        [31, 1],
        [60, 0],
        [62, 1],
      ] as const) {
        clock.passed = seconds;
        await expectCall(rig, anna, served);
        const { entitlement, credential, platform } = rig.takeReached();
        assert.deepEqual([entitlement, credential, platform], [fetches, fetches, 1], `after ${seconds} s`);
      }
    }));

  it("not longer if the wall clock is set back", () =>
    withRig(async (rig) => {
      const [anna, ben] = [await rig.person(), await rig.person({ entitled: false })];
      await expectCall(rig, anna, served);
      await expectCall(rig, ben, { status: 403, reason: "not_entitled" });
      rig.internal.entitled.delete(anna.email);
      rig.internal.entitled.add(ben.email);
      clock.passed = 31;
      clock.wallJump = -3600;
      const now = Math.floor(clock.wall() / 1000);
      const times = { iat: now, exp: now + 300 };
      const tokenOf = (person: typeof anna): string => rig.issuer.sign({ ...rig.claims(person), ...times });
      rig.takeReached();
      await expectCall(rig, anna, { status: 403, reason: "not_entitled" }, tokenOf(anna));
      await expectCall(rig, ben, served, tokenOf(ben));
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 2, credential: 1, platform: 1, stranger: 0 });
    }));

  it("expired keys, rates, and pauses follow the monotonic clock", () =>
    withRig(
      async (rig) => {
        const anna = await rig.person();
        await expectCall(rig, anna, served);
        rig.issuer.responseKeySet({ kind: "cut" });
        clock.passed = 86_401;
        clock.wallJump = -86_401;
        await expectCall(rig, anna, { status: 503, reason: "unavailable" });
        rig.issuer.responseKeySet({ kind: "serve" });
        clock.passed += 2;
        clock.wallJump -= 7200;
        const now = Math.floor(clock.wall() / 1000);
        const token = rig.issuer.sign({ ...rig.claims(anna), iat: now, exp: now + 300 });
        await expectCall(rig, anna, served, token);
        await expectCall(rig, anna, { status: 429, reason: "rate_limited" }, token);
        clock.passed += 61;
        await expectCall(rig, anna, served, token);
      },
      { configure: (usual) => ({ ...usual, limits: { ...usual.limits, requestsPerMinute: 1 } }) },
    ));

  it("a revoked entitlement is cached no longer than that", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, served);
      rig.internal.entitled.delete(anna.email);
      await expectCall(rig, anna, served);
      clock.passed = 31;
      rig.takeReached();
      await expectCall(rig, anna, { status: 403, reason: "not_entitled" });
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 1, credential: 0, platform: 0, stranger: 0 });
    }));

  it("a denial is cached for five seconds", () =>
    withRig(async (rig) => {
      const anna = await rig.person({ entitled: false });
      const denied = { status: 403, reason: "not_entitled" };
      await expectCall(rig, anna, denied);
      rig.internal.entitled.add(anna.email);
      clock.passed = 4;
      await expectCall(rig, anna, denied);
      assert.equal(rig.takeReached().entitlement, 1);
      clock.passed = 6;
      await expectCall(rig, anna, served);
    }));

  it("a failure of the internal service is not cached", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      const closed = { status: 503, reason: "unavailable" };
      for (const endpoint of ["entitlement", "credential"] as const) {
        rig.internal.fail(endpoint, { kind: "status", status: 500 });
        await expectCall(rig, anna, closed);
        rig.internal.fail(endpoint, undefined);
      }
      await expectCall(rig, anna, served);
    }));

  it("an expired entitlement rejects calls while the internal service is down", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, served);
      clock.passed = 31;
      rig.internal.fail("entitlement", { kind: "cut" });
      await expectCall(rig, anna, { status: 503, reason: "unavailable" });
      assert.equal(rig.takeReached().platform, 1);
    }));

  it("a credential that the platform rejects is fetched again once, and a new one serves the same call", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, served);
      rig.platform.credentials.delete(anna.credential);
      rig.platform.credentials.add("the-next-credential");
      rig.internal.store(
        anna.email,
        credentialSlug,
        await jweCompact("the-next-credential", rig.envelopeKeys.publicKey),
      );
      rig.takeReached();
      for (const expected of [
        { credential: 1, platform: 2 },
        { credential: 0, platform: 1 },
      ]) {
        const response = await callOnce(rig, anna);
        assert.deepEqual([response.status, response.failed], [200, undefined], response.text);
        const { credential, platform } = rig.takeReached();
        assert.deepEqual({ credential, platform }, expected);
      }
      rig.platform.credentials.delete("the-next-credential");
      const refused = await callOnce(rig, anna);
      assert.equal(refused.failed, true);
      assert.match(refused.text, /the platform rejected the stored credential \(401\)\. Store a new one/);
      const { credential, platform } = rig.takeReached();
      assert.deepEqual([credential, platform], [1, 1]);
    }));

  it("at most the maximum number of credentials", () =>
    withRig(
      async (rig) => {
        const people = [await rig.person(), await rig.person(), await rig.person()];
        const fetches = async (callers: readonly Person[]): Promise<number> => {
          rig.takeReached();
          for (const person of callers) await expectCall(rig, person, served);
          return rig.takeReached().credential;
        };
        assert.equal(await fetches(people), 3);
        assert.equal(await fetches(people.slice(1)), 0);
        // The first one replaces the second one, which then replaces the third one.
        assert.equal(await fetches(people), 3);
      },
      { configure: (usual) => ({ ...usual, credentials: { ...usual.credentials, cacheSize: 2 } }) },
    ));
});

describe("front door: private keys that change", () => {
  const next = makeEnvelopeKeys();
  const nextKey = { kid: "envelope-2", key: createPrivateKey(next.privatePem) };

  // Proves 5.3: the credential is decrypted with the server's
  it("envelopes for the old and the new key are decrypted while both are configured", () =>
    withRig(
      async (rig) => {
        const seals = [
          (credential: string) => jweCompact(credential, next.publicKey, { header: { kid: "envelope-2" } }),
          (credential: string) => jweCompact(credential, next.publicKey),
          (credential: string) => jweCompact(credential, rig.envelopeKeys.publicKey, { header: { kid: "envelope-1" } }),
          (credential: string) => ({ kid: "envelope-1", ...plainParts(credential, rig.envelopeKeys.publicKey) }),
        ];
        for (const seal of seals) await expectCall(rig, await rig.person({ seal }), served);
        const unnamed = await rig.person({ seal: (credential) => jweCompact(credential, rig.envelopeKeys.publicKey) });
        await expectCall(rig, unnamed, { status: 502, reason: "unreadable_credential" });
      },
      {
        configure: (usual) => ({
          ...usual,
          credentials: { ...usual.credentials, keys: [nextKey, ...usual.credentials.keys] },
        }),
      },
    ));

  it("envelopes for a removed key can't be decrypted, and cause no request", () =>
    withRig(
      async (rig) => {
        const anna = await rig.person();
        await expectCall(rig, anna, { status: 502, reason: "unreadable_credential" });
        assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 1, credential: 1, platform: 0, stranger: 0 });
      },
      { configure: (usual) => ({ ...usual, credentials: { ...usual.credentials, keys: [nextKey] } }) },
    ));
});

describe("front door: the secret of the internal service changes", () => {
  it("a secret that is no longer accepted rejects calls", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      rig.internal.changeSecret("the-internal-secret-after-it-0123456789");
      await expectCall(rig, anna, { status: 503, reason: "unavailable" });
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 1, credential: 0, platform: 0, stranger: 0 });
    }));
});
