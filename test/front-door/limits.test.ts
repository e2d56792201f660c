import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LimitConfiguration } from "../../src/programs/front-door/config/configuration.ts";
import type { HttpExchange } from "../../src/programs/front-door/http/http-exchange.ts";
import { listen } from "../../src/programs/front-door/http/listener.ts";
import type { MalformedRequest } from "../../src/programs/front-door/http/malformed-requests.ts";
import { callOnce, expectCall, tally, withCaller } from "../harness/front-door/calls.ts";
import { goodCall } from "../harness/front-door/cases.ts";
import { makeCertificate } from "../harness/front-door/load-balancer.ts";
import { sendBytes, sendRaw } from "../harness/front-door/raw-http.ts";
import { credentialSlug, type Rig, type RigOptions, startRig } from "../harness/front-door/rig.ts";
import { until } from "../harness/until.ts";
import { usedHeap } from "../unit/api/local-server.ts";

const served = { status: 200 };
/** Milliseconds that are longer than any test may take. */
const never = 3_600_000;

const usualLimits: LimitConfiguration = {
  maximumHeaderBytes: 16_384,
  maximumBodyBytes: 1000,
  maximumConnections: 10,
  connectionsPerAddress: 10,
  headersMilliseconds: never,
  requestMilliseconds: never,
  callMilliseconds: never,
  concurrentDecryptions: 1,
  failedTokensPerMinute: 1,
  requestsPerMinute: 1,
  validationsPerMinute: 1,
  validationStepMilliseconds: 1,
};

async function withLimits(limits: Partial<LimitConfiguration>, work: (rig: Rig) => Promise<void>): Promise<void> {
  const options: RigOptions = { configure: (usual) => ({ ...usual, limits: { ...usual.limits, ...limits } }) };
  const rig = await startRig(options);
  try {
    await work(rig);
  } finally {
    await rig.stop();
  }
}

describe("front door: rate limits", () => {
  it("a user over the limit gets the time to wait, and others are not affected", () =>
    withLimits({ requestsPerMinute: 20 }, async (rig) => {
      const [anna, ben] = [await rig.person(), await rig.person()];
      const responses = await withCaller(rig.frontDoor.url, (call) =>
        Promise.all(Array.from({ length: 30 }, () => call(rig.token(anna)))),
      );
      assert.deepEqual(tally(responses), { 200: 20, "429 rate_limited": 10 });
      const over = responses.filter(({ status }) => status === 429);
      assert.ok(over.every(({ retryAfter }) => Number(retryAfter) >= 1 && Number(retryAfter) <= 60));
      assert.equal(rig.takeReached().platform, 20);
      await expectCall(rig, ben, served);
    }));

  it("a user with several tokens is one user", () =>
    withLimits({ requestsPerMinute: 5 }, async (rig) => {
      const anna = await rig.person();
      for (let nth = 0; nth < 5; nth += 1)
        await expectCall(rig, anna, served, rig.issuer.sign({ ...rig.claims(anna), jti: `t${nth}` }));
      await expectCall(
        rig,
        anna,
        { status: 429, reason: "rate_limited" },
        rig.issuer.sign({ ...rig.claims(anna), jti: "next" }),
      );
    }));

  it("invalid tokens in a user's name don't use up the user's limit", () =>
    withLimits({ requestsPerMinute: 5 }, async (rig) => {
      const anna = await rig.person();
      const bad = `${rig.token(anna).slice(0, -8)}AAAAAAAA`;
      for (let nth = 0; nth < 10; nth += 1) await expectCall(rig, anna, { status: 401, reason: "invalid_token" }, bad);
      await expectCall(rig, anna, served);
    }));

  it("validations over the limit are rejected for any user", () =>
    withLimits({ validationsPerMinute: 10 }, async (rig) => {
      const people = await Promise.all(Array.from({ length: 12 }, () => rig.person()));
      const statuses: number[] = [];
      for (const { email } of people) {
        const response = await sendRaw(rig.frontDoor.internalUrl, {
          target: "/internal/validate",
          headers: [
            ["X-Webui-Secret", rig.internal.secret],
            ["Content-Type", "application/json"],
          ],
          body: JSON.stringify({ email, slug: credentialSlug }),
        });
        statuses.push(response.status);
        if (response.status === 429) assert.ok(Number(response.headers.get("retry-after")?.[0]) >= 1);
      }
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429, 429]);
      assert.equal(rig.takeReached().credential, 10);
    }));
});

describe("front door: time limits", () => {
  it("endless headers are cut off", () =>
    withLimits({ headersMilliseconds: 300, requestMilliseconds: never }, async (rig) => {
      const response = await sendBytes(rig.frontDoor.url, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
      assert.equal(response.status, 408, response.text);
      assert.equal(rig.takeReached().platform, 0);
    }));

  it("an endless body is cut off, and causes no request", () =>
    withLimits({ requestMilliseconds: 500, headersMilliseconds: 400, callMilliseconds: never }, async (rig) => {
      const anna = await rig.person();
      const { headers = [], body = "" } = goodCall(rig, anna);
      const head = [...headers, ["Host", "127.0.0.1"], ["Content-Length", String(body.length + 100)]];
      const lines = head.map(([name, value]) => `${name}: ${value}`).join("\r\n");
      const response = await sendBytes(rig.frontDoor.url, `POST /mcp HTTP/1.1\r\n${lines}\r\n\r\n${body}`);
      assert.equal(response.status, 408, response.text);
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 0, credential: 0, platform: 0, stranger: 0 });
    }));

  it("an unresponsive platform ends the call, but not the server", () =>
    withLimits({ callMilliseconds: 2_000 }, async (rig) => {
      const [anna, ben] = [await rig.person(), await rig.person()];
      rig.platform.responseWith({ status: 200, body: "[]", milliseconds: never });
      const late = await callOnce(rig, anna);
      assert.deepEqual([late.status, late.failed], [200, true], late.text);
      assert.match(late.text, /roles_list was canceled before it finished/);
      await until("the call has ended at the platform", () => rig.platform.open === 0);
      rig.platform.responseWith(undefined);
      await expectCall(rig, ben, served);
    }));

  it("a client that doesn't read its response is disconnected", async () => {
    const limits = { ...usualLimits, callMilliseconds: 300 };
    let isSent: boolean | undefined;
    const response = ({ response }: HttpExchange): void => {
      response.once("close", () => {
        isSent = response.writableFinished;
      });
      // More than the buffers of the two systems hold.
      response.end(Buffer.alloc(64 << 20));
    };
    const listener = await listen(
      { host: "127.0.0.1", port: 0 },
      undefined,
      limits,
      response,
      () => {},
      () => {},
    );
    const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
    try {
      socket.pause().write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      await until("the client to be disconnected", () => isSent !== undefined);
      assert.equal(isSent, false);
    } finally {
      socket.destroy();
      await listener.close({ linger: 0, grace: 0, onGraceOver: () => {} });
    }
  });

  it("a TLS handshake that doesn't end is cut off", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-handshake-"));
    const certificate = await makeCertificate(directory);
    const key = await readFile(join(directory, "tls.key"), "utf8");
    const reports: MalformedRequest[] = [];
    let open = 0;
    const listener = await listen(
      { host: "127.0.0.1", port: 0 },
      { certificate, key },
      { ...usualLimits, headersMilliseconds: 300 },
      () => {},
      (socket) => {
        open += 1;
        socket.once("close", () => {
          open -= 1;
        });
      },
      (report) => reports.push(report),
    );
    try {
      const { port } = new URL(listener.url);
      const beginning = Buffer.from("1603010200010001fc0303", "hex");
      for (const bytes of [Buffer.alloc(0), beginning, Buffer.from("GET / HTTP/1.1\r\n\r\n")]) {
        const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
        socket.resume().write(bytes);
        await until("the connection to be closed", () => socket.closed && open === 0);
        const [report = assert.fail(), ...others] = reports.splice(0);
        assert.deepEqual([report.client, report.status, others], ["127.0.0.1", undefined, []]);
        assert.match(report.reason, /^ERR_(?:TLS|SSL)_/);
      }
    } finally {
      await listener.close({ linger: 0, grace: 0, onGraceOver: () => {} });
      await rm(directory, { recursive: true });
    }
  });

  it("a client that disconnects also ends its call to the platform", () =>
    withLimits({}, async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, served);
      rig.platform.responseWith({ status: 200, body: "[]", milliseconds: never });
      rig.takeReached();
      const { headers = [], body = "" } = goodCall(rig, anna);
      const { port } = new URL(rig.frontDoor.url);
      const socket = connect(Number(port), "127.0.0.1");
      const lines = [...headers, ["Host", "127.0.0.1"], ["Content-Length", String(body.length)]].map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.write(`POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
      await until("the call is at the platform", () => rig.platform.open === 1);
      socket.destroy();
      await until("the call has ended at the platform", () => rig.platform.open === 0);
    }));
});

describe("front door: memory", () => {
  it("rejected requests leave nothing in memory, even if a call can take long", () =>
    withLimits({ callMilliseconds: never }, async (rig) => {
      const round = 1000;
      const flood = (): Promise<unknown> =>
        withCaller(rig.frontDoor.url, async (call) => {
          const lanes = Array.from({ length: 10 }, async () => {
            for (let nth = 0; nth < round / 10; nth += 1) assert.equal((await call("garbage")).status, 401);
          });
          await Promise.all(lanes);
        });
      await flood();
      let before = await settledHeap();
      const bytesPerRequest: number[] = [];
      // The first thousands of calls also cause one-time growth: buffers, compiled code. A leak grows in every round.
      do {
        await flood();
        const used = await settledHeap();
        bytesPerRequest.push(Math.round((used - before) / round));
        before = used;
      } while (Math.min(...bytesPerRequest) >= 700 && bytesPerRequest.length < 6);
      assert.ok(
        Math.min(...bytesPerRequest) < 700,
        `bytes that stay for each request, by round: ${bytesPerRequest.join(", ")}`,
      );
    }));
});

/** Bytes in use after weakly held objects were collected, too. */
async function settledHeap(): Promise<number> {
  let used = 0;
  for (let round = 0; round < 4; round += 1) {
    used = await usedHeap();
    // Finalizers run as a separate task and free more memory.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  }
  return used;
}

describe("front door: shutdown", () => {
  let started: Rig | undefined;
  const start = async (options?: RigOptions): Promise<Rig> => {
    started = await startRig(options);
    return started;
  };
  afterEach(async () => {
    await started?.stop();
    started = undefined;
  });

  it("running calls get their response, and new ones are refused", async () => {
    const rig = await start();
    const anna = await rig.person();
    rig.platform.responseWith({ status: 200, body: "[]", milliseconds: 600 });
    const running = callOnce(rig, anna);
    await until("the call is at the platform", () => rig.platform.requests.length > 0);
    const closing = rig.frontDoor.close();
    await until("no connection is taken any more", async () => {
      const refusal = await callOnce(rig, anna).catch((error: unknown) => error);
      return refusal instanceof Error && "code" in refusal && refusal.code === "ECONNREFUSED";
    });
    const response = await running;
    assert.deepEqual([response.status, response.failed], [200, undefined], response.text);
    await closing;
  });

  it("still serves requests while draining, and reports that it is not ready", async () => {
    const rig = await start({ configure: (usual) => ({ ...usual, drainSeconds: 2 }) });
    const anna = await rig.person();
    const closing = rig.frontDoor.close();
    const response = await fetch(`${rig.frontDoor.internalUrl}/readyz`);
    assert.equal(response.status, 503);
    assert.deepEqual(await response.json(), { status: "not ready", missing: ["the server is shutting down"] });
    await expectCall(rig, anna, served);
    await closing;
    await assert.rejects(callOnce(rig, anna), { code: "ECONNREFUSED" });
  });

  it("a call that doesn't end is aborted after its time limit", async () => {
    const rig = await start({
      // Otherwise the time limit of the call itself would end it, too.
      configure: (usual) => ({ ...usual, graceSeconds: 0.3, limits: { ...usual.limits, callMilliseconds: never } }),
    });
    const anna = await rig.person();
    rig.platform.responseWith({ status: 200, body: "[]", milliseconds: never });
    const running = assert.rejects(callOnce(rig, anna), { code: "ECONNRESET" });
    await until("the call is at the platform", () => rig.platform.open === 1);
    // The platform does not respond: the end of this call shows that it was given up.
    await rig.frontDoor.close();
    await running;
    await until("the call has ended at the platform", () => rig.platform.open === 0);
  });
});
