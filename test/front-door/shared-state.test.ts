// Front doors that share their state through a real Valkey or Redis server: what one counts, uses, or revokes applies
// to all.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Configuration } from "../../src/programs/front-door/config/configuration.ts";
import { type FrontDoor, startFrontDoor } from "../../src/programs/front-door/server.ts";
import { type CallResponse, tally, withCaller } from "../harness/front-door/calls.ts";
import { bearer, callBody, callHeaders, callWith } from "../harness/front-door/cases.ts";
import { prepareProgram } from "../harness/front-door/program.ts";
import { type RawResponse, sendRaw } from "../harness/front-door/raw-http.ts";
import {
  type MovableClock,
  movableClock,
  type Person,
  prefix,
  type Rig,
  ready,
  startRig,
} from "../harness/front-door/rig.ts";
import { type StateServer, startStateServer } from "../harness/front-door/state-server.ts";

const requestsPerMinute = 12;
const failedTokensPerMinute = 6;

describe("front door: two that share their state", () => {
  let store: StateServer;
  let rig: Rig;
  let other: FrontDoor;
  let configuration: Configuration;
  let doors: readonly [FrontDoor, FrontDoor];
  const clock: MovableClock = movableClock();

  before(async () => {
    store = await startStateServer({ password: "a password with spaces in it" });
    rig = await startRig({
      parts: { clock },
      configure: (usual) => {
        configuration = {
          ...usual,
          sharedState: store.configuration,
          internal: { ...usual.internal, timeLimitMilliseconds: 10_000 },
          token: { ...usual.token, clockSkewSeconds: 1 },
          tools: { ...usual.tools, readOnly: false },
          limits: { ...usual.limits, requestsPerMinute, failedTokensPerMinute },
        };
        return configuration;
      },
    });
    other = await startFrontDoor(configuration, { clock });
    await ready(other);
    doors = [rig.frontDoor, other];
  });
  after(async () => {
    await other?.close();
    await rig?.stop();
    await store?.stop();
  });

  const callAt = (door: FrontDoor, token: string): Promise<CallResponse> => withCaller(door.url, (call) => call(token));

  /** Calls the front doors in turn, one call after the other. */
  async function inTurn(count: number, token: string): Promise<readonly CallResponse[]> {
    const responses: CallResponse[] = [];
    for (let nth = 0; nth < count; nth += 1) responses.push(await callAt(doors[nth % 2] ?? other, token));
    return responses;
  }

  it("count a user's requests together", async () => {
    const [anna, ben] = [await rig.person(), await rig.person()];
    const responses = await inTurn(requestsPerMinute + 4, rig.token(anna));
    assert.deepEqual(tally(responses), { 200: requestsPerMinute, "429 rate_limited": 4 });
    const over = responses.filter(({ status }) => status === 429);
    assert.ok(over.every(({ retryAfter }) => Number(retryAfter) >= 1 && Number(retryAfter) <= 60));
    assert.equal((await callAt(other, rig.token(ben))).status, 200);
  });

  it("count exactly, even if all requests arrive at once", async () => {
    const token = rig.token(await rig.person());
    const lots = await Promise.all(
      doors.map(({ url }) => withCaller(url, (call) => Promise.all(Array.from({ length: 20 }, () => call(token))))),
    );
    assert.deepEqual(tally(lots.flat()), { 200: requestsPerMinute, "429 rate_limited": 40 - requestsPerMinute });
  });

  it("continue if the clock of the store's server is set back: no client has to wait for more than a minute", async () => {
    const client = store.client();
    await client.connect();
    const token = rig.token(await rig.person());
    assert.equal((await callAt(other, token)).status, 200);
    // Then the rest of a window is longer than a window.
    for (const key of await client.keys("door:count:*")) await client.pexpire(key, 3_600_000);
    const responses = await inTurn(requestsPerMinute, token);
    assert.deepEqual(tally(responses), { 200: requestsPerMinute - 1, "429 rate_limited": 1 });
    assert.equal(responses.at(-1)?.retryAfter, "60");
    await client.flushdb();
  });

  it("count an address's invalid tokens together: the other one delays the next response", async () => {
    for (let nth = 0; nth < failedTokensPerMinute; nth += 1) {
      assert.equal((await callAt(rig.frontDoor, "x.y.z")).status, 401);
    }
    const good = rig.token(await rig.person());
    assert.equal((await callAt(other, good)).status, 200);
    const start = performance.now();
    assert.equal((await callAt(other, "x.y.z")).status, 401);
    // At least a second, regardless of the machine's load. Timers may round it.
    const held = performance.now() - start;
    assert.ok(held >= 990, `${held} ms`);
  });

  it("count validations and wrong secrets together", async () => {
    const people = await Promise.all([rig.person(), rig.person()]);
    const limited = await startFrontDoor(
      { ...configuration, limits: { ...configuration.limits, validationsPerMinute: 2 } },
      { clock },
    );
    try {
      const ask = async (door: FrontDoor, { email }: Person, secret: string): Promise<number> => {
        const response = await post(door, "/internal/validate", { email, slug: "platform" }, secret);
        return response.status;
      };
      const [anna, ben] = people;
      assert.ok(anna !== undefined && ben !== undefined);
      await ready(limited);
      assert.equal(await ask(rig.frontDoor, anna, rig.internal.secret), 200);
      assert.equal(await ask(limited, anna, rig.internal.secret), 200);
      assert.equal(await ask(limited, ben, rig.internal.secret), 429);
      assert.equal(await ask(rig.frontDoor, anna, "a-wrong-secret-of-the-tests"), 401);
      assert.equal(await ask(limited, anna, "a-wrong-secret-of-the-tests"), 401);
      assert.equal(await ask(limited, anna, "a-wrong-secret-of-the-tests"), 429);
    } finally {
      await limited.close();
    }
  });

  it("a confirmation that was used on one is rejected on the other", async () => {
    const token = rig.token(await rig.person());
    const deletions = (): number => rig.platform.requests.filter(({ method }) => method === "DELETE").length;
    rig.takeReached();
    const asked = await callDestructive(rig.frontDoor, token);
    assert.equal(asked.resultType, "input_required");
    const yes = { inputResponses: { confirm: { action: "accept", content: { confirm: true } } } };
    const confirmed = { ...yes, requestState: asked.requestState };
    assert.notEqual((await callDestructive(other, token, confirmed)).resultType, "input_required");
    assert.equal(deletions(), 1);
    for (const door of doors) {
      assert.equal((await callDestructive(door, token, confirmed)).resultType, "input_required");
    }
    assert.equal(deletions(), 1);
  });

  for (const kind of ["tokenId", "subject", "email"] as const) {
    it(`a revocation by ${kind} on one applies on the other`, async () => {
      const [anna, ben] = [await rig.person(), await rig.person()];
      const claims = (): Readonly<Record<string, unknown>> => {
        const now = Math.floor(clock.wall() / 1000);
        return { ...rig.claims(anna), iat: now, exp: now + 300, jti: `token-${now}-of-${anna.email}` };
      };
      const before = claims();
      const token = rig.issuer.sign(before);
      assert.equal((await callAt(other, token)).status, 200);
      const named = { tokenId: before.jti, subject: before.sub, email: anna.email.toUpperCase() }[kind];
      const response = await post(rig.frontDoor, "/internal/revoke", { [kind]: named }, rig.internal.secret);
      assert.deepEqual([response.status, response.body], [200, "true"]);
      for (const door of doors) {
        const { status, reason } = await callAt(door, token);
        assert.deepEqual([status, reason], [401, "invalid_token"]);
      }
      assert.equal((await callAt(other, rig.token(ben))).status, 200);
      // Signed in again after the difference of the clocks has passed.
      clock.wallJump += 3;
      assert.equal((await callAt(other, rig.issuer.sign(claims()))).status, 200);
      assert.equal((await callAt(other, token)).status, 401);
    });
  }

  it("a revocation requires the secret, a POST, and exactly one target", async () => {
    const { email } = await rig.person();
    const { secret } = rig.internal;
    assert.equal((await post(other, "/internal/revoke", { email }, "a-wrong-secret-of-the-tests")).status, 401);
    assert.equal((await post(other, "/internal/revoke", { email, subject: "a" }, secret)).status, 400);
    assert.equal((await post(other, "/internal/revoke", {}, secret)).status, 400);
    const got = await sendRaw(other.internalUrl, { method: "GET", target: "/internal/revoke", headers: [] });
    assert.equal(got.status, 405);
  });

  it("store nothing that reveals a user, an address, a token, or a secret, and nothing without expiry", async () => {
    const client = store.client();
    await client.connect();
    const person = await rig.person();
    await callAt(other, rig.issuer.sign({ ...rig.claims(person), jti: "the-id-of-the-token" }));
    await post(other, "/internal/revoke", { subject: "somebody.else" }, rig.internal.secret);
    const keys = await client.keys("*");
    assert.ok(keys.length > 5);
    for (const key of keys) {
      assert.match(key, /^door:(?:count|used|revoked):[A-Za-z0-9_-]{43}$/);
      // Entries that have expired since then are gone, as intended.
      const left = await client.pttl(key);
      assert.ok(left > 0 || left === -2, key);
      const value = await client.get(key);
      if (value !== null) assert.match(value, /^\d{1,12}$/, key);
    }
  });

  it("the bundled program reads the store's password from a file, and never logs it", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-shared-"));
    try {
      const password = store.configuration.password ?? "";
      await writeFile(join(directory, "password"), password);
      const start = await prepareProgram(directory, rig);
      const program = await start({
        FRONT_DOOR_SHARED_STATE_URL: `valkey://localhost:${store.port}/0`,
        FRONT_DOOR_SHARED_STATE_PASSWORD_FILE: join(directory, "password"),
        FRONT_DOOR_SHARED_STATE_PREFIX: "door:",
        FRONT_DOOR_SHARED_STATE_TIME_LIMIT_MILLISECONDS: "10000",
        FRONT_DOOR_STATE_SECRET: configuration.tools.stateSecret,
        FRONT_DOOR_REQUESTS_PER_MINUTE: String(requestsPerMinute),
      });
      try {
        const token = rig.issuer.sign(rig.claims(await rig.person()));
        const responses = await Promise.all(
          [program.url, other.url].map((url) =>
            withCaller(url, (call) => Promise.all(Array.from({ length: 10 }, () => call(token)))),
          ),
        );
        assert.deepEqual(tally(responses.flat()), {
          200: requestsPerMinute,
          "429 rate_limited": 20 - requestsPerMinute,
        });
        const metrics = await (await fetch(`${program.url}/metrics`)).text();
        assert.match(metrics, /^frontdoor_shared_state_up 1$/m);
        assert.match(metrics, /^frontdoor_shared_state_seconds_count\{operation="count"\} [1-9]/m);
      } finally {
        await program.stop();
      }
      assert.ok(!program.output().includes(password));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  function post(door: FrontDoor, target: string, body: object, secret: string): Promise<RawResponse> {
    const headers = [
      ["X-Webui-Secret", secret],
      ["Content-Type", "application/json"],
    ] as const;
    return sendRaw(door.internalUrl, { method: "POST", target, headers, body: JSON.stringify(body) });
  }

  /** A call that must be confirmed; `more` are the members with the answer. */
  async function callDestructive(
    door: FrontDoor,
    token: string,
    more: object = {},
  ): Promise<{ readonly resultType?: string; readonly requestState?: string }> {
    const name = "workflows_delete";
    const { params, ...message } = JSON.parse(callBody(name, { modelId: "a-model" }));
    const meta = { ...params._meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
    const headers = callHeaders.map(([header, value]) => [header, header === "Mcp-Name" ? name : value] as const);
    const request = callWith(bearer(`${prefix}${token}`));
    const body = JSON.stringify({ ...message, params: { ...params, ...more, _meta: meta } });
    const response = await sendRaw(door.url, {
      ...request,
      headers: [...headers, ...bearer(`${prefix}${token}`)],
      body,
    });
    const { result } = JSON.parse(response.body);
    assert.ok(result !== undefined, response.body);
    return result;
  }
});
