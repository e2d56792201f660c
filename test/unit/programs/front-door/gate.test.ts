import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { Gate } from "../../../../src/programs/front-door/gate.ts";
import { isRejection, type Rejection } from "../../../../src/programs/front-door/http/rejections.ts";
import { noTraces } from "../../../../src/programs/front-door/observability/traces.ts";
import { MemoryStore } from "../../../../src/programs/front-door/shared-state/memory-store.ts";
import type { Claims } from "../../../../src/programs/front-door/token/claims.ts";
import { token } from "./token/token-configuration.ts";

type Parts = ConstructorParameters<typeof Gate>[0];

const now = Date.parse("2026-11-21T12:00:00Z");
const claims: Claims = {
  issuer: token.issuer,
  subject: "anna",
  email: "anna@example.com",
  emailIsVerified: true,
  tenant: "acme",
  issuedAt: undefined,
  tokenId: undefined,
};
const refusals: readonly Rejection[] = [
  { rejection: "noCredential" },
  { rejection: "unreadableCredential", reason: "r" },
  { rejection: "unavailable", reason: "r" },
];

/** Counts like the in-memory store, and records what. */
class CountingStore extends MemoryStore {
  readonly counted: string[] = [];

  override count(limit: string, key: string): ReturnType<MemoryStore["count"]> {
    this.counted.push(`${limit}: ${key}`);
    return super.count(limit, key);
  }
}

describe("front door: the gate", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let asked: string[];
  let stages: string[];
  let state: CountingStore;
  let entitlement: Awaited<ReturnType<Parts["entitlements"]["check"]>>;
  let credential: Awaited<ReturnType<Parts["credentials"]["credential"]>>;
  let revocation: Rejection | undefined;

  beforeEach(() => {
    asked = [];
    stages = [];
    state = new CountingStore({ revocationSeconds: 1, monotonic: () => 0 });
    entitlement = { entitled: true };
    credential = { secret: "stored" };
    revocation = undefined;
  });

  function gateWith({ baseUrl = "https://{tenant}.example.com", failedTokensPerMinute = 100 } = {}): Gate {
    const named = ({ email, slug, tenant }: { email: string; slug: string; tenant: string | undefined }): string =>
      `${email} ${slug} ${tenant}`;
    return new Gate({
      configuration: {
        token,
        platform: { baseUrl },
        credentials: { slug: "platform-{tenant}" },
        limits: { requestsPerMinute: 2, failedTokensPerMinute },
      },
      keys: {
        keyFor: async (kid) => {
          asked.push(`key ${kid}`);
          return { outcome: "key", key: pair.publicKey };
        },
      },
      entitlements: {
        check: async (email, tenant) => {
          asked.push(`entitlement ${email} ${tenant}`);
          return entitlement;
        },
      },
      credentials: {
        credential: async (name) => {
          asked.push(`credential ${named(name)}`);
          return credential;
        },
        renewed: async (name, refused) => {
          asked.push(`renewed ${named(name)} ${refused}`);
          return credential;
        },
        delete: (name) => void asked.push(`forget ${named(name)}`),
      },
      state,
      revocations: { check: async () => revocation },
      traces: {
        ...noTraces,
        stage: (stage, work) => {
          stages.push(stage);
          return noTraces.stage(stage, work);
        },
      },
      clock: { wall: () => now, monotonic: () => 0 },
    });
  }

  async function admitted(gate: Gate, who = claims): Promise<Exclude<Awaited<ReturnType<Gate["admit"]>>, Rejection>> {
    const caller = await gate.admit(who, "r1");
    assert.ok(!isRejection(caller), JSON.stringify(caller));
    return caller;
  }

  const signed = (): Promise<string> =>
    new SignJWT({ email: "anna@example.com" })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuer(token.issuer)
      .setAudience("urn:tools")
      .setSubject("anna")
      .setExpirationTime(now / 1000 + 60)
      .sign(pair.privateKey);

  it("verifies the token in the Authorization header, and requests no key without one", async () => {
    const gate = gateWith();
    const { signal } = new AbortController();
    assert.deepEqual(await gate.authenticate(undefined, "192.0.2.1", signal), { rejection: "missingToken" });
    assert.deepEqual(asked, []);
    const verified = await gate.authenticate([`Bearer pwt_${await signed()}`], "192.0.2.1", signal);
    assert.equal("subject" in verified && verified.subject, "anna");
    assert.deepEqual(asked, ["key one"]);
  });

  it("counts only invalid tokens per address and requests per user", async () => {
    const gate = gateWith();
    const { signal } = new AbortController();
    await gate.authenticate(undefined, "192.0.2.1", signal);
    await gate.authenticate([`Bearer pwt_${await signed()}`], "192.0.2.1", signal);
    await gate.authenticate(["Bearer pwt_a b"], "192.0.2.1", signal);
    assert.deepEqual(state.counted, []);
    await gate.authenticate(["Bearer pwt_x"], "192.0.2.1", signal);
    await gate.checkUse(claims);
    assert.deepEqual(state.counted, ["failed tokens per address: 192.0.2.1", "requests per person: anna"]);
  });

  it("is traced stage by stage", async () => {
    const gate = gateWith();
    await gate.authenticate(undefined, "192.0.2.1", new AbortController().signal);
    await gate.checkUse(claims);
    const caller = await admitted(gate);
    assert.deepEqual(stages.splice(0), ["authenticate", "revocation", "limit", "entitlement", "credential"]);
    await caller.credential("notebook-1");
    await caller.renewPlatformCredential();
    assert.deepEqual(stages, ["credential", "credential"]);
  });

  it("delays an address that sends too many invalid tokens, but not others", async () => {
    const gate = gateWith({ failedTokensPerMinute: 1 });
    const cancellation = new AbortController();
    const wrong = (): ReturnType<Gate["authenticate"]> =>
      gate.authenticate(["Bearer pwt_x"], "192.0.2.1", cancellation.signal);
    assert.equal(((await wrong()) as Rejection).rejection, "invalidToken");
    const jwt = await signed();
    const held = Array.from({ length: 20 }, wrong);
    // Within one turn of the event loop: none of the waits can end before all of them have begun.
    for (let step = 0; step < 100; step += 1) await undefined;
    const refused = gate.authenticate([`Bearer pwt_${jwt}`], "192.0.2.1", cancellation.signal);
    assert.ok(!isRejection(await gate.authenticate([`Bearer pwt_${jwt}`], "192.0.2.2", cancellation.signal)));
    // A token that was verified before is not an attacker's guess.
    assert.ok(!isRejection(await gate.authenticate([`Bearer pwt_${jwt}`], "192.0.2.1", cancellation.signal)));
    cancellation.abort();
    const outcomes = await Promise.all([refused, ...held]);
    assert.deepEqual(
      outcomes.map((outcome) => isRejection(outcome) && outcome.rejection),
      ["overLimit", ...held.map(() => "invalidToken")],
    );
  });

  it("rejects a revoked token first, then a user over the rate limit", async () => {
    const gate = gateWith();
    assert.equal(await gate.checkUse(claims), undefined);
    revocation = { rejection: "invalidToken", reason: "it is revoked" };
    assert.deepEqual(await gate.checkUse(claims), revocation);
    revocation = undefined;
    assert.equal((await gate.checkUse(claims))?.rejection, "overLimit");
    assert.equal(await gate.checkUse({ ...claims, subject: "bert" }), undefined);
  });

  it("checks the entitlement before it requests the credential, each for the user and the tenant", async () => {
    const caller = await admitted(gateWith());
    assert.deepEqual(asked, ["entitlement anna@example.com acme", "credential anna@example.com platform-acme acme"]);
    const { issuer, subject, email, requestId, tenant, platformUrl } = caller;
    assert.deepEqual(
      [issuer, subject, email, requestId, tenant, platformUrl.href],
      [token.issuer, "anna", "anna@example.com", "r1", "acme", "https://acme.example.com/"],
    );
  });

  it("binds the credential to the tenant's own origin", async () => {
    const caller = await admitted(gateWith());
    credential = { secret: "newer" };
    for (const [one, secret] of [
      [caller.platformCredential, "stored"],
      [await caller.renewPlatformCredential(), "newer"],
    ] as const) {
      assert.deepEqual([one?.kind, one?.origin, one?.reveal()], ["platform", "https://acme.example.com", secret]);
    }
    assert.equal(asked.at(-1), "renewed anna@example.com platform-acme acme stored");
    credential = { rejection: "noCredential" };
    assert.equal(await caller.renewPlatformCredential(), undefined);
  });

  it("ignores the token's tenant if the platform has a single address", async () => {
    const caller = await admitted(gateWith({ baseUrl: "https://platform.example.com" }));
    assert.deepEqual([caller.tenant, caller.platformUrl.origin], [undefined, "https://platform.example.com"]);
    assert.equal(asked[0], "entitlement anna@example.com undefined");
  });

  it("sends no request for a token without a required tenant", async () => {
    const outcome = await gateWith().admit({ ...claims, tenant: undefined }, "r1");
    assert.deepEqual(outcome, { rejection: "invalidToken", reason: "it has no tenant in the claim tenant" });
    assert.deepEqual(asked, []);
  });

  it("rejects users who are not entitled, without fetching a credential", async () => {
    entitlement = { rejection: "notEntitled" };
    assert.deepEqual(await gateWith().admit(claims, "r1"), entitlement);
    assert.equal(asked.length, 1);
  });

  it("rejects users without a readable credential", async () => {
    for (const refusal of refusals) {
      credential = refusal as typeof credential;
      assert.deepEqual(await gateWith().admit(claims, "r1"), refusal);
    }
  });

  it("provides an admitted caller's other credentials, and reports which are unavailable", async () => {
    const caller = await admitted(gateWith());
    asked = [];
    assert.deepEqual(await caller.credential("notebook-1"), { outcome: "found", secret: "stored" });
    const outcomes: string[] = [];
    for (const refusal of refusals) {
      credential = refusal as typeof credential;
      outcomes.push((await caller.credential("notebook-1")).outcome);
    }
    assert.deepEqual(outcomes, ["missing", "unreadable", "unavailable"]);
    caller.deleteCredential("notebook-1");
    assert.deepEqual(asked.slice(-2), [
      "credential anna@example.com notebook-1 acme",
      "forget anna@example.com notebook-1 acme",
    ]);
  });
});
