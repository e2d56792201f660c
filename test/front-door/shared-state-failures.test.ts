// A store that dies, hangs, refuses, or lies: the responses of the front door, and its recovery without a restart.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import type { Configuration, SharedStateConfiguration } from "../../src/programs/front-door/config/configuration.ts";
import { createMetrics } from "../../src/programs/front-door/observability/metrics.ts";
import { type FrontDoor, startFrontDoor } from "../../src/programs/front-door/server.ts";
import { SharedStore } from "../../src/programs/front-door/shared-state/shared-store.ts";
import { ValkeyClient } from "../../src/programs/front-door/shared-state/valkey-client.ts";
import { type CallResponse, callOnce, tally, withCaller } from "../harness/front-door/calls.ts";
import { makeCertificate } from "../harness/front-door/load-balancer.ts";
import { type Rig, startRig } from "../harness/front-door/rig.ts";
import {
  type FakeStore,
  type StateServer,
  startFakeStore,
  startStateServer,
  storeOn,
} from "../harness/front-door/state-server.ts";
import { until } from "../harness/until.ts";
import { usedHeap } from "../unit/api/local-server.ts";

const requestsPerMinute = 1_000_000;
/** Milliseconds for everything that must not be late in these tests. */
const unhurried = { timeLimitMilliseconds: 10_000 };

/** A rig, and the log of its front door. */
interface Watched {
  readonly rig: Rig;
  readonly configuration: Configuration;
  readonly lines: readonly string[];
}

async function withStore(
  sharedState: SharedStateConfiguration,
  work: (watched: Watched) => Promise<void>,
  limits: Partial<Configuration["limits"]> = {},
): Promise<void> {
  const lines: string[] = [];
  let configuration: Configuration | undefined;
  const rig = await startRig({
    waitUntilReady: false,
    configure: (usual) => {
      const internal = { ...usual.internal, ...unhurried };
      const jwks = { ...usual.jwks, ...unhurried };
      configuration = {
        ...usual,
        internal,
        jwks,
        sharedState,
        limits: { ...usual.limits, requestsPerMinute, ...limits },
      };
      return configuration;
    },
    parts: { log: pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }) },
  });
  try {
    assert.ok(configuration !== undefined);
    await work({ rig, configuration, lines });
  } finally {
    await rig.stop();
  }
}

interface Readiness {
  readonly status: number;
  readonly missing?: readonly string[];
  readonly without?: readonly string[];
}

async function readiness({ internalUrl }: FrontDoor): Promise<Readiness> {
  const response = await fetch(`${internalUrl}/readyz`);
  const { missing, without }: Readiness = JSON.parse(await response.text());
  const named = { ...(missing === undefined ? {} : { missing }), ...(without === undefined ? {} : { without }) };
  return { status: response.status, ...named };
}

async function untilReadiness(door: FrontDoor, wanted: Readiness): Promise<void> {
  let found: Readiness | undefined;
  const isSo = async (): Promise<boolean> => {
    found = await readiness(door);
    return isDeepStrictEqual(found, wanted);
  };
  await until(`the readiness ${JSON.stringify(wanted)}`, isSo, { seen: () => JSON.stringify(found) });
}

const isReady: Readiness = { status: 200 };
const isClosed: Readiness = { status: 503, missing: ["the shared state"] };
const isOnItsOwn: Readiness = { status: 200, without: ["the shared state"] };

function assertRefused(responses: readonly CallResponse[]): void {
  for (const { status, reason, retryAfter, text } of responses) {
    assert.deepEqual({ status, reason, retryAfter }, { status: 503, reason: "unavailable", retryAfter: "5" }, text);
  }
}

async function metricOf({ internalUrl }: FrontDoor, name: string): Promise<number> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

const alarms = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.includes('"alarm":"sharedStateUnavailable"'));

/** A store that never existed is unavailable before the first attempt to connect has failed. */
function firstAlarm(lines: readonly string[]): Promise<string> {
  return until("an alarm", () => alarms(lines)[0], { seen: () => lines.join("") });
}

/** On a busy machine, an outage can split into two, each with its own alarm. */
function assertAlarmForEachOutage(lines: readonly string[]): void {
  const changes = lines
    .filter(
      (line) => line.includes('"alarm":"sharedStateUnavailable"') || line.includes("the shared state is available"),
    )
    .map((line) => (line.includes('"alarm"') ? "alarm" : "available"));
  assert.ok(changes.includes("alarm"));
  assert.ok(
    changes.every((change, nth) => change !== changes[nth - 1]),
    changes.join(),
  );
}

/** Sends calls from several lanes until `work` has ended. */
async function underLoad(rig: Rig, work: () => Promise<void>): Promise<readonly CallResponse[]> {
  const token = rig.token(await rig.person());
  const responses: CallResponse[] = [];
  let isOver = false;
  await withCaller(rig.frontDoor.url, async (call) => {
    const lane = async (): Promise<void> => {
      while (!isOver) responses.push(await call(token));
    };
    const ending = work().finally(() => {
      isOver = true;
    });
    await Promise.all([lane(), lane(), lane(), lane(), ending]);
  });
  return responses;
}

describe("front door: a shared state that fails", () => {
  let store: StateServer;
  beforeEach(async () => {
    store = await startStateServer();
  });
  afterEach(() => store.stop());

  it("closed: requests are rejected with the time to wait, and served again without a restart", () =>
    withStore(store.configuration, async ({ rig, lines }) => {
      await untilReadiness(rig.frontDoor, isReady);
      const responses = await underLoad(rig, async () => {
        await store.kill();
        await untilReadiness(rig.frontDoor, isClosed);
        assertRefused([await callOnce(rig, await rig.person())]);
        assert.equal(await metricOf(rig.frontDoor, "frontdoor_shared_state_up"), 0);
        await store.restart();
        await untilReadiness(rig.frontDoor, isReady);
      });
      const { 200: served = 0, "503 unavailable": refused = 0, ...others } = tally(responses);
      assert.deepEqual(others, {});
      assert.ok(served > 0 && refused > 0);
      assertRefused(responses.filter(({ status }) => status !== 200));
      assert.equal((await callOnce(rig, await rig.person())).status, 200);
      assertAlarmForEachOutage(lines);
      assert.match(alarms(lines)[0] ?? "", /"whenUnavailable":"closed"/);
      assert.ok((await metricOf(rig.frontDoor, "frontdoor_shared_state_errors_total")) > 0);
      assert.equal(await metricOf(rig.frontDoor, "frontdoor_shared_state_up"), 1);
    }));

  it("open: every request is served with the instance's own limits, with an alarm", () =>
    withStore(
      { ...store.configuration, whenUnavailable: "open" },
      async ({ rig, lines }) => {
        await untilReadiness(rig.frontDoor, isReady);
        const responses = await underLoad(rig, async () => {
          await store.kill();
          await untilReadiness(rig.frontDoor, isOnItsOwn);
          const token = rig.token(await rig.person());
          const lot = await withCaller(rig.frontDoor.url, (call) =>
            Promise.all(Array.from({ length: 215 }, () => call(token))),
          );
          assert.deepEqual(tally(lot), { 200: 200, "429 rate_limited": 15 });
          await store.restart();
          await untilReadiness(rig.frontDoor, isReady);
        });
        const { 200: served = 0, "429 rate_limited": limited = 0, ...others } = tally(responses);
        assert.ok(served > 0 && limited >= 0);
        assert.deepEqual(others, {});
        assertAlarmForEachOutage(lines);
        assert.match(alarms(lines)[0] ?? "", /"whenUnavailable":"open"/);
        assert.ok((await metricOf(rig.frontDoor, 'frontdoor_shared_state_fallbacks_total{operation="count"}')) > 200);
      },
      { requestsPerMinute: 200 },
    ));

  for (const whenUnavailable of ["closed", "open"] as const) {
    it(`${whenUnavailable}: a revocation meanwhile applies here immediately, reports that others don't have it, and reaches them later`, () =>
      withStore({ ...store.configuration, whenUnavailable }, async ({ rig, configuration }) => {
        await untilReadiness(rig.frontDoor, isReady);
        const anna = await rig.person();
        await store.kill();
        await untilReadiness(rig.frontDoor, whenUnavailable === "closed" ? isClosed : isOnItsOwn);
        const response = await fetch(`${rig.frontDoor.internalUrl}/internal/revoke`, {
          method: "POST",
          headers: { "x-webui-secret": rig.internal.secret, "content-type": "application/json" },
          body: JSON.stringify({ email: anna.email }),
        });
        assert.equal(response.status, 503);
        const here = await callOnce(rig, anna);
        assert.equal(here.status, whenUnavailable === "closed" ? 503 : 401);
        await store.restart();
        await untilReadiness(rig.frontDoor, isReady);
        const other = await startFrontDoor(configuration);
        try {
          await untilReadiness(other, isReady);
          const there = await withCaller(other.url, (call) => call(rig.token(anna)));
          assert.deepEqual([there.status, there.reason], [401, "invalid_token"]);
        } finally {
          await other.close();
        }
      }));
  }

  it("a revocation that an available store did not store in time is repeated, and replaces no later one", async () => {
    const storeOf = (timeLimitMilliseconds: number): SharedStore =>
      new SharedStore({
        configuration: { ...store.configuration, timeLimitMilliseconds },
        keySecret: "a secret of this test, long enough",
        revocationSeconds: 60,
        monotonic: () => performance.now(),
        metrics: createMetrics(),
        log: pino({ level: "silent" }),
      });
    const [here, there] = [storeOf(500), storeOf(unhurried.timeLimitMilliseconds)];
    const sinceThere = async (name: string): Promise<number | undefined> => {
      const found = await there.revokedSince([name]);
      return "times" in found ? found.times[0] : undefined;
    };
    try {
      await until("both stores", () => here.isAvailable && there.isAvailable);
      await store.suspend();
      const [anna, ben] = await Promise.all([here.revoke("anna", 100), here.revoke("ben", 100)]);
      assert.deepEqual([anna?.rejection, ben?.rejection], ["unavailable", "unavailable"]);
      store.resume();
      assert.equal(await there.revoke("ben", 200), undefined);
      assert.equal(await until("the revocation", () => sinceThere("anna")), 100);
      assert.equal(await there.revoke("anna", 50), undefined);
      const third = storeOf(unhurried.timeLimitMilliseconds);
      try {
        await until("the third store", () => third.isAvailable);
        assert.deepEqual(await third.revokedSince(["anna", "ben"]), { times: [100, 200] });
      } finally {
        await third.close();
      }
    } finally {
      await here.close();
      await there.close();
    }
  });

  it("open: a confirmation that was used meanwhile is known to the others when it is back", async () => {
    const storeOf = (): SharedStore =>
      new SharedStore({
        configuration: { ...store.configuration, whenUnavailable: "open" },
        keySecret: "a secret of this test, long enough",
        revocationSeconds: 60,
        monotonic: () => performance.now(),
        metrics: createMetrics(),
        log: pino({ level: "silent" }),
      });
    const untilIt = async (isAvailable: boolean, ...all: readonly SharedStore[]): Promise<void> => {
      const areSo = (): boolean => all.every((one) => one.isAvailable === isAvailable);
      await until(`stores that are ${isAvailable ? "" : "un"}available`, areSo);
    };
    const [here, there] = [storeOf(), storeOf()];
    try {
      await untilIt(true, here, there);
      await store.kill();
      await untilIt(false, here, there);
      assert.deepEqual(await here.use("a question"), { isFirst: true });
      assert.deepEqual(await here.use("a question"), { isFirst: false });
      await store.restart();
      await untilIt(true, here, there);
      assert.deepEqual(await there.use("a question"), { isFirst: false });
      assert.deepEqual(await there.use("another"), { isFirst: true });
    } finally {
      await Promise.all([here.close(), there.close()]);
    }
  });

  it("that hangs: requests wait no longer than its timeout, and it is used again when it continues", () =>
    withStore({ ...store.configuration, timeLimitMilliseconds: 400 }, async ({ rig, lines }) => {
      await untilReadiness(rig.frontDoor, isReady);
      const responses = await underLoad(rig, async () => {
        await store.suspend();
        await untilReadiness(rig.frontDoor, isClosed);
        assertRefused([await callOnce(rig, await rig.person())]);
        store.resume();
        await untilReadiness(rig.frontDoor, isReady);
      });
      assertRefused(responses.filter(({ status }) => status !== 200));
      // The limit is so short that a busy machine may sometimes exceed it by itself.
      const person = await rig.person();
      let response: CallResponse | undefined;
      const isServed = async (): Promise<boolean> => {
        response = await callOnce(rig, person);
        return response.status === 200;
      };
      await until("a call that is served", isServed, { seen: () => `${response?.status} ${response?.text}` });
      assertAlarmForEachOutage(lines);
      assert.ok(
        (await metricOf(rig.frontDoor, 'frontdoor_shared_state_errors_total{operation="count",reason="timeout"}')) > 0,
      );
    }));

  it("that replies while this process is busy for longer than the timeout: the reply is used", async () => {
    let becomesReady = (): void => {};
    const ready = new Promise<void>((resolve) => {
      becomesReady = resolve;
    });
    const timeLimitMilliseconds = 100;
    const client = new ValkeyClient({
      configuration: { ...store.configuration, timeLimitMilliseconds },
      keySecret: "a secret of this test, long enough",
      revocationSeconds: 60,
      onConnection: ({ isReady }) => (isReady ? becomesReady() : undefined),
    });
    try {
      client.connect();
      await ready;
      const used = client.use("a question");
      // Longer than all limits of the client: of a command, and of a silent connection.
      const end = performance.now() + 5 * timeLimitMilliseconds;
      store.blockUntilWritten();
      while (performance.now() < end);
      assert.equal(await used, true);
    } finally {
      client.close();
    }
  });

  it("that accepts only reads: is unavailable until it accepts writes", () =>
    withStore(store.configuration, async ({ rig, lines }) => {
      await untilReadiness(rig.frontDoor, isReady);
      const client = store.client();
      await client.connect();
      // A memory limit that is already reached: every write is refused, every read answered.
      await client.config("SET", "maxmemory", "1");
      const responses = await underLoad(rig, async () => {
        await untilReadiness(rig.frontDoor, isClosed);
        assertRefused([await callOnce(rig, await rig.person())]);
      });
      assertRefused(responses.filter(({ status }) => status !== 200));
      await client.config("SET", "maxmemory", "0");
      await untilReadiness(rig.frontDoor, isReady);
      assert.match(alarms(lines).join(), /it answers OOM/);
    }));
});

describe("front door: an unusable shared state", () => {
  for (const [what, serve] of [
    ["takes connections and says nothing", () => {}],
    ["answers with a text of a gigabyte", (socket) => socket.once("data", () => flood(socket, "$1000000000\r\n"))],
    ["answers with lists within lists", (socket) => socket.once("data", () => flood(socket, "*1\r\n".repeat(10_000)))],
    [
      "answers with more items than a list can have",
      (socket) => socket.once("data", () => socket.write("*99999999999\r\n")),
    ],
    ["speaks another protocol", (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))],
    ["ends every connection", (socket) => void socket.end()],
    ["is ready, then answers wrongly", responseWrongly],
  ] as const satisfies readonly (readonly [string, Parameters<typeof startFakeStore>[0]])[]) {
    for (const whenUnavailable of ["closed", "open"] as const) {
      it(`${whenUnavailable}: one that ${what}`, async () => {
        const fake: FakeStore = await startFakeStore(serve);
        try {
          await withStore(
            storeOn(fake.port, { whenUnavailable, timeLimitMilliseconds: 50 }),
            async ({ rig, lines }) => {
              await untilReadiness(rig.frontDoor, whenUnavailable === "closed" ? isClosed : isOnItsOwn);
              const people = await Promise.all(Array.from({ length: 5 }, () => rig.person()));
              const before = await usedHeap();
              for (const person of people) {
                const response = await callOnce(rig, person);
                if (whenUnavailable === "open") assert.equal(response.status, 200, response.text);
                else assertRefused([response]);
              }
              // It is tried again and again, and what it sends is not stored.
              const tried = fake.connections();
              await until("another try", () => what.startsWith("is ready") || fake.connections() > tried);
              assert.ok((await usedHeap()) - before < 32e6);
              await firstAlarm(lines);
              assert.equal(alarms(lines).length, 1);
            },
          );
        } finally {
          await fake.stop();
        }
      });
    }
  }

  it("one with another password: logs the store's error, but neither password", async () => {
    const store = await startStateServer({ password: "the-right-password" });
    try {
      await withStore({ ...store.configuration, password: "the-wrong-password" }, async ({ rig, lines }) => {
        await untilReadiness(rig.frontDoor, isClosed);
        assertRefused([await callOnce(rig, await rig.person())]);
        assert.match(await firstAlarm(lines), /it answers WRONGPASS/);
        assert.doesNotMatch(lines.join(), /-password/);
      });
    } finally {
      await store.stop();
    }
  });

  it("one with TLS: its certificate must be signed by the authority", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-state-tls-"));
    const certificate = await makeCertificate(directory);
    const [certificateFile, keyFile] = [join(directory, "tls.crt"), join(directory, "tls.key")];
    const store = await startStateServer({ tls: { certificateFile, keyFile, certificate } });
    try {
      await withStore(store.configuration, async ({ rig }) => {
        await untilReadiness(rig.frontDoor, isReady);
        assert.equal((await callOnce(rig, await rig.person())).status, 200);
      });
      const { certificateAuthority: _, ...stranger } = store.configuration;
      await withStore(stranger, async ({ rig, lines }) => {
        await untilReadiness(rig.frontDoor, isClosed);
        assert.match(await firstAlarm(lines), /SELF_SIGNED/);
      });
    } finally {
      await store.stop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});

/** Sends the beginning, then as much as the connection accepts. */
function flood(socket: Parameters<Parameters<typeof startFakeStore>[0]>[0], beginning: string): void {
  const part = Buffer.alloc(65_536, 120);
  const more = (): void => {
    while (!socket.destroyed && socket.write(part)) {}
  };
  socket.write(beginning);
  socket.on("drain", more);
  more();
}

/** Reports that it is ready, and answers every other command with a word. */
function responseWrongly(socket: Parameters<Parameters<typeof startFakeStore>[0]>[0]): void {
  const information = "redis_version:7.0.0\r\nloading:0\r\n";
  socket.on("data", (part: Buffer) => {
    for (const command of part.toString("latin1").split(/(?=\*\d+\r\n\$)/)) {
      const isReadyCheck = /\r\ninfo\r\n/i.test(command);
      socket.write(isReadyCheck ? `$${information.length}\r\n${information}\r\n` : "+PONG\r\n");
    }
  });
}
