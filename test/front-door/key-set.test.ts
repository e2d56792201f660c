import assert from "node:assert/strict";
import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createLog } from "../../src/programs/front-door/observability/log.ts";
import { expectCall, tally, withCaller } from "../harness/front-door/calls.ts";
import type { KeySetResponse } from "../harness/front-door/issuer.ts";
import { movableClock, type Person, type Rig, type RigOptions, ready, startRig } from "../harness/front-door/rig.ts";
import { until } from "../harness/until.ts";

const served = { status: 200 };
const invalid = { status: 401, reason: "invalid_token" };
const closed = { status: 503, reason: "unavailable" };
const servedOnce = { keySet: 0, entitlement: 1, credential: 1, platform: 1, stranger: 0 };
const nowhere = { keySet: 0, entitlement: 0, credential: 0, platform: 0, stranger: 0 };

/** The front door's clock. */
let clock = movableClock();

async function withRig(work: (rig: Rig) => Promise<void>, options: RigOptions = {}): Promise<void> {
  clock = movableClock();
  const rig = await startRig({ parts: { clock }, ...options });
  try {
    await work(rig);
  } finally {
    await rig.stop();
  }
}

/** The claims of a token for a user, by the front door's clock. */
function claimsAhead({ email }: Person): Readonly<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1000) + clock.passed;
  return { email, sub: email, iat: now, exp: now + 300 };
}

function tokenAhead(rig: Rig, person: Person): string {
  return rig.issuer.sign(claimsAhead(person));
}

describe("front door: rotation of the issuer's keys", () => {
  // Proves 5.3: the key set comes from a configurable address
  it("accepts a token of a new key after one fetch of the key set, and removes the old key", () =>
    withRig(async (rig) => {
      const [anna, ben, carla] = [await rig.person(), await rig.person(), await rig.person()];
      await expectCall(rig, anna, served);
      assert.deepEqual(rig.takeReached(), servedOnce);
      const old = rig.token(ben);
      await rig.issuer.rotate();
      await expectCall(rig, carla, served);
      assert.deepEqual(rig.takeReached(), { ...servedOnce, keySet: 1 });
      await expectCall(rig, ben, invalid, old);
      assert.deepEqual(rig.takeReached(), nowhere);
    }));

  it("keys that stay in the set next to the new one remain valid", () =>
    withRig(async (rig) => {
      const [anna, ben] = [await rig.person(), await rig.person()];
      const old = rig.token(ben);
      await rig.issuer.rotate({ keepEarlier: true });
      await expectCall(rig, anna, served);
      await expectCall(rig, ben, served, old);
      assert.equal(rig.takeReached().keySet, 1);
    }));

  it("a token from the issuer's own endpoint is served, before and after a rotation", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, served, await rig.issuer.token(anna.email));
      await rig.issuer.rotate();
      await expectCall(rig, anna, served, await rig.issuer.token(anna.email));
    }));

  it("a new key within the cooldown must wait for its end", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, invalid, rig.issuer.sign(rig.claims(anna), { header: { kid: "bogus" } }));
      assert.deepEqual(rig.takeReached(), { ...nowhere, keySet: 1 });
      await rig.issuer.rotate();
      await expectCall(rig, anna, invalid);
      assert.deepEqual(rig.takeReached(), nowhere);
      clock.passed = 31;
      await expectCall(rig, anna, served, tokenAhead(rig, anna));
      assert.deepEqual(rig.takeReached(), { ...servedOnce, keySet: 1 });
    }));

  it("the key set is fetched again in the background while nobody calls", () =>
    withRig(
      async (rig) => {
        await until("the set was fetched twice", () => rig.issuer.keySetRequests >= 2);
      },
      { configure: (usual) => ({ ...usual, jwks: { ...usual.jwks, freshSeconds: 0.5 } }) },
    ));
});

describe("front door: unknown key ids", () => {
  it("a thousand of them at once cause one fetch of the key set", () =>
    withRig(
      async (rig) => {
        const anna = await rig.person();
        const tokens = Array.from({ length: 1000 }, (_, nth) =>
          rig.issuer.sign(rig.claims(anna), { header: { kid: `bogus-${nth}` } }),
        );
        rig.issuer.responseKeySet({ kind: "late", milliseconds: 200 });
        const responses = await withCaller(rig.frontDoor.url, (call) => Promise.all(tokens.map(call)));
        assert.deepEqual(tally(responses), { "401 invalid_token": 1000 });
        assert.deepEqual(rig.takeReached(), { ...nowhere, keySet: 1 });
      },
      // The issuer and the callers are in this process, too, so that the issuer may answer only after all calls are sent.
      { configure: (usual) => ({ ...usual, jwks: { ...usual.jwks, timeLimitMilliseconds: 60_000 } }) },
    ));

  it("a known key is accepted immediately while a fetch for another one hangs", () =>
    withRig(
      async (rig) => {
        const anna = await rig.person();
        rig.issuer.responseKeySet({ kind: "hang" });
        await withCaller(rig.frontDoor.url, async (call) => {
          let isResponded = false;
          const waiting = call(rig.issuer.sign(rig.claims(anna), { header: { kid: "bogus" } })).then((response) => {
            isResponded = true;
            return response;
          });
          await until("the issuer is asked", () => rig.issuer.keySetRequests > 0);
          const known = await call(rig.token(anna));
          assert.deepEqual([known.status, isResponded], [200, false]);
          assert.equal((await waiting).status, 503);
        });
        assert.equal(rig.takeReached().keySet, 1);
      },
      { configure: (usual) => ({ ...usual, jwks: { ...usual.jwks, timeLimitMilliseconds: 1500 } }) },
    ));

  it("are rejected as unavailable while the issuer is down, without more fetches", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      rig.issuer.responseKeySet({ kind: "cut" });
      const bogus = (): string => rig.issuer.sign(rig.claims(anna), { header: { kid: "bogus" } });
      for (let nth = 0; nth < 20; nth += 1) await expectCall(rig, anna, closed, bogus());
      const { keySet } = rig.takeReached();
      assert.ok(keySet === 1 || keySet === 2, `${keySet} requests`);
      await expectCall(rig, anna, served);
    }));
});

const spoiledSets: readonly (readonly [name: string, response: (rig: { stranger: string }) => KeySetResponse])[] = [
  ["cut", () => ({ kind: "cut" })],
  ["never answered", () => ({ kind: "hang" })],
  ["later than the limit", () => ({ kind: "late", milliseconds: 4_000 })],
  ["status 500", () => ({ kind: "status", status: 500 })],
  ["status 404", () => ({ kind: "status", status: 404 })],
  ["status 204", () => ({ kind: "status", status: 204 })],
  ["redirected to another server", ({ stranger }) => ({ kind: "redirect", location: stranger })],
  ["redirected to itself", () => ({ kind: "redirect", location: "/jwks" })],
  ["no JSON", () => ({ kind: "text", text: "<html>Sign in</html>" })],
  ["empty", () => ({ kind: "text", text: "" })],
  ["a list", () => ({ kind: "text", text: "[]" })],
  ["null", () => ({ kind: "text", text: "null" })],
  ["with keys that are no list", () => ({ kind: "text", text: '{"keys":{"0":{}}}' })],
  [
    "of 20,001 keys",
    () => ({ kind: "with-keys", keys: Array.from({ length: 20_000 }, (_, nth) => ({ kid: `k${nth}` })) }),
  ],
  ["of 51 keys", () => ({ kind: "with-keys", keys: Array.from({ length: 50 }, (_, nth) => ({ kid: `k${nth}` })) })],
  ["of more than 64 KiB", () => ({ kind: "with-keys", keys: [{ kty: "oct", k: "A".repeat(70_000) }] })],
];

describe("front door: a key set that is unavailable at the start", () => {
  for (const [name, response] of spoiledSets) {
    it(`${name}: the front door runs, is not ready, rejects calls, and recovers by itself`, () =>
      withRig(
        async (rig) => {
          const anna = await rig.person();
          if (name.startsWith("redirected to another")) {
            rig.issuer.responseKeySet({ kind: "redirect", location: `${rig.stranger.url}/jwks` });
          }
          const health = async (path: string): Promise<number> =>
            (await fetch(`${rig.frontDoor.internalUrl}${path}`)).status;
          assert.deepEqual([await health("/healthz"), await health("/readyz")], [200, 503]);
          await expectCall(rig, anna, closed);
          const { keySet, ...others } = rig.takeReached();
          assert.deepEqual(others, { entitlement: 0, credential: 0, platform: 0, stranger: 0 });
          assert.ok(keySet <= 3);
          // After the longest pause, the next call asks again.
          clock.passed += 31;
          await expectCall(rig, anna, closed, tokenAhead(rig, anna));
          await until("the issuer was asked again", () => rig.issuer.keySetRequests > 0);
          assert.equal(rig.takeReached().stranger, 0);
          rig.issuer.responseKeySet({ kind: "serve" });
          clock.passed += 60;
          await expectCall(rig, anna, served, tokenAhead(rig, anna));
          await ready(rig.frontDoor);
        },
        {
          waitUntilReady: false,
          prepare: ({ issuer }) => issuer.responseKeySet(response({ stranger: "http://127.0.0.1:9/" })),
        },
      ));
  }
});

describe("front door: a key set that is unavailable later", () => {
  for (const [name, response] of spoiledSets) {
    it(`${name}: known keys remain valid`, () =>
      withRig(async (rig) => {
        rig.issuer.responseKeySet(response({ stranger: `${rig.stranger.url}/jwks` }));
        clock.passed = 1200;
        const [anna, ben] = [await rig.person(), await rig.person()];
        await expectCall(rig, anna, served, tokenAhead(rig, anna));
        assert.deepEqual(rig.takeReached(), servedOnce);
        // An unknown key ID causes a fetch of the set.
        await expectCall(rig, anna, closed, rig.issuer.sign(claimsAhead(anna), { header: { kid: "bogus" } }));
        const { keySet, ...others } = rig.takeReached();
        assert.deepEqual(others, { entitlement: 0, credential: 0, platform: 0, stranger: 0 });
        assert.ok(keySet > 0);
        await expectCall(rig, ben, served, tokenAhead(rig, ben));
        assert.equal(rig.takeReached().stranger, 0);
      }));
  }

  it("only for the lifetime of stale keys", () =>
    withRig(async (rig) => {
      const anna = await rig.person();
      rig.issuer.responseKeySet({ kind: "cut" });
      clock.passed = 86_000;
      await expectCall(rig, anna, served, tokenAhead(rig, anna));
      clock.passed = 87_000;
      await expectCall(rig, anna, closed, tokenAhead(rig, anna));
      rig.issuer.responseKeySet({ kind: "serve" });
      clock.passed = 87_100;
      await expectCall(rig, anna, served, tokenAhead(rig, anna));
    }));
});

const ellipticKey = generateKeyPairSync("ec", { namedCurve: "P-256" });
const setsWithoutKeys: readonly (readonly [name: string, text: string])[] = [
  ["an empty set", '{"keys":[]}'],
  ["a set with a key for HS256 alone", '{"keys":[{"kty":"oct","kid":"key-1","k":"AAAA"}]}'],
  [
    "a set with a key of an elliptic curve alone",
    JSON.stringify({ keys: [{ ...ellipticKey.publicKey.export({ format: "jwk" }), kid: "key-1" }] }),
  ],
];

describe("front door: an issuer that revokes its keys", () => {
  for (const [name, text] of setsWithoutKeys) {
    it(`${name} replaces the known keys until there are keys again`, () =>
      withRig(async (rig) => {
        const anna = await rig.person();
        const token = rig.token(anna);
        await expectCall(rig, anna, served, token);
        rig.issuer.responseKeySet({ kind: "text", text });
        // An unknown key ID causes a fetch of the set.
        await expectCall(rig, anna, invalid, rig.issuer.sign(rig.claims(anna), { header: { kid: "bogus" } }));
        rig.takeReached();
        await expectCall(rig, anna, invalid, token);
        assert.deepEqual(rig.takeReached(), nowhere);
        rig.issuer.responseKeySet({ kind: "serve" });
        clock.passed = 31;
        await expectCall(rig, anna, served, tokenAhead(rig, anna));
      }));

    it(`${name} at the start rejects calls until there are keys`, () =>
      withRig(
        async (rig) => {
          const anna = await rig.person();
          await expectCall(rig, anna, invalid);
          rig.issuer.responseKeySet({ kind: "serve" });
          clock.passed = 31;
          await expectCall(rig, anna, served, tokenAhead(rig, anna));
        },
        { prepare: ({ issuer }) => issuer.responseKeySet({ kind: "text", text }) },
      ));
  }

  it("a key whose private half is published is rejected under any id, with an alarm in the log", () => {
    const lines: string[] = [];
    const log = createLog("info", { write: (line: string) => void lines.push(line) });
    return withRig(
      async (rig) => {
        const anna = await rig.person();
        const token = rig.token(anna);
        await expectCall(rig, anna, served, token);
        const { privateJwk } = rig.issuer.key;
        // The issuer's own key is also in the set, as it should be.
        rig.issuer.responseKeySet({ kind: "with-keys", keys: [{ ...privateJwk, kid: "another" }] });
        await expectCall(rig, anna, invalid, rig.issuer.sign(rig.claims(anna), { header: { kid: "another" } }));
        await expectCall(rig, anna, invalid, token);
        const alarm = lines.find((line) => line.includes('"alarm":"privateKeysPublished"')) ?? "";
        assert.match(alarm, /"level":"error".*"count":1/);
        assert.ok(lines.every((line) => !line.includes(String(privateJwk.d))));
        const metrics = await (await fetch(`${rig.frontDoor.internalUrl}/metrics`)).text();
        assert.match(metrics, /^frontdoor_jwks_private_keys_total 1$/m);
      },
      { parts: { clock, log } },
    );
  });
});

/** A published key that must not count, and a signature that anyone who trusts it would accept. */
interface UselessKey {
  readonly name: string;
  readonly jwk: object;
  readonly sign: (input: string) => Buffer;
  /** The key id in the token; "odd" by default. */
  readonly kid?: string;
}

const strong = generateKeyPairSync("rsa", { modulusLength: 2048 });
const strongJwk = { ...strong.publicKey.export({ format: "jwk" }), kid: "odd" };
const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
const symmetric = Buffer.from("a-symmetric-key-of-the-tests-0123456789");
const signedWith = (key: KeyObject) => (input: string) => createSign("RSA-SHA256").update(input).sign(key);
const signedWithStrong = signedWith(strong.privateKey);

/** The padded hash (RFC 8017, 9.2), which is its own signature under an exponent of 1. */
function paddedHash(input: string): Buffer {
  const hash = createHash("sha256").update(input).digest();
  const named = Buffer.concat([Buffer.from("3031300d060960864801650304020105000420", "hex"), hash]);
  return Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(256 - 3 - named.length, 0xff), Buffer.from([0]), named]);
}

const uselessKeys: readonly UselessKey[] = [
  {
    name: "1,024 bits",
    jwk: { ...weak.publicKey.export({ format: "jwk" }), kid: "odd" },
    sign: signedWith(weak.privateKey),
  },
  {
    name: "an elliptic curve",
    jwk: { ...ellipticKey.publicKey.export({ format: "jwk" }), kid: "odd" },
    sign: signedWith(ellipticKey.privateKey),
  },
  {
    name: "a symmetric key",
    jwk: { kty: "oct", kid: "odd", k: symmetric.toString("base64url") },
    sign: (input) => createHmac("sha256", symmetric).update(input).digest(),
  },
  { name: "no modulus", jwk: { kty: "RSA", kid: "odd", e: "AQAB" }, sign: signedWithStrong },
  {
    name: "a modulus that is no base64url",
    jwk: { kty: "RSA", kid: "odd", n: "%%%", e: "AQAB" },
    sign: signedWithStrong,
  },
  { name: "an exponent of 1", jwk: { ...strongJwk, e: "AQ" }, sign: paddedHash },
  { name: "for encryption", jwk: { ...strongJwk, use: "enc" }, sign: signedWithStrong },
  { name: "for encryption, by its operations", jwk: { ...strongJwk, key_ops: ["encrypt"] }, sign: signedWithStrong },
  { name: "for another algorithm", jwk: { ...strongJwk, alg: "RS512" }, sign: signedWithStrong },
  { name: "a number as its id", jwk: { ...strongJwk, kid: 7 }, sign: signedWithStrong, kid: "7" },
];

describe("front door: unusable keys next to a valid one", () => {
  for (const { name, jwk, sign, kid = "odd" } of uselessKeys) {
    it(`${name}: the valid key is accepted, and the other is rejected`, () =>
      withRig(
        async (rig) => {
          const [anna, ben] = [await rig.person(), await rig.person()];
          await expectCall(rig, anna, served);
          assert.deepEqual(rig.takeReached(), servedOnce);
          const input = [{ alg: "RS256", kid }, rig.goodClaims(ben)]
            .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
            .join(".");
          await expectCall(rig, ben, invalid, `${input}.${sign(input).toString("base64url")}`);
          assert.deepEqual(rig.takeReached(), { ...nowhere, keySet: 1 });
        },
        { prepare: ({ issuer }) => issuer.responseKeySet({ kind: "with-keys", keys: [jwk] }) },
      ));
  }
});

describe("front door: a clock that is not the issuer's", () => {
  for (const [name, seconds, expected] of [
    ["20 seconds ahead of a token that has just expired for it", 25, served],
    ["45 seconds ahead of it", 45, invalid],
    ["20 seconds behind a token's time of issue", -20, served],
    ["60 seconds behind it", -60, invalid],
  ] as const) {
    it(name, () =>
      withRig(async (rig) => {
        const anna = await rig.person();
        clock.wallJump = seconds;
        const now = Math.floor(Date.now() / 1000);
        const token = rig.issuer.sign({ ...rig.claims(anna), iat: now, exp: now + (seconds > 0 ? 5 : 300) });
        await expectCall(rig, anna, expected, token);
        assert.deepEqual(rig.takeReached(), expected === served ? servedOnce : nowhere);
      }),
    );
  }
});
