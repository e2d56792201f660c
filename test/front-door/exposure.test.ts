// How much one address can take from the others, and which requests are served at which address.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDemo } from "../../scripts/start/front-door-demo.ts";
import type { Configuration } from "../../src/programs/front-door/config/configuration.ts";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { callOnce, expectCall, withCaller } from "../harness/front-door/calls.ts";
import { bearer, callWith, goodCall, prefix } from "../harness/front-door/cases.ts";
import { type RawResponse, sendRaw } from "../harness/front-door/raw-http.ts";
import { allowedOrigin, type Rig, type RigOptions, startRig } from "../harness/front-door/rig.ts";
import { until } from "../harness/until.ts";

const served = { status: 200 };

async function withRig(
  configure: (usual: Configuration) => Configuration,
  work: (rig: Rig) => Promise<void>,
  more: RigOptions = {},
): Promise<void> {
  const rig = await startRig({ ...more, configure });
  try {
    await work(rig);
  } finally {
    await rig.stop();
  }
}

const limited =
  (limits: Partial<Configuration["limits"]>) =>
  (usual: Configuration): Configuration => ({ ...usual, limits: { ...usual.limits, ...limits } });

/** Opens connections from an address of this machine. Each is open, or was destroyed by the server. */
async function openMany(url: string, count: number, localAddress: string): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), localAddress });
    socket.on("error", () => {});
    return socket;
  });
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve))),
  );
  return sockets;
}

/** The number of connections that the server answers on. It closes the others. */
async function respondingOf(sockets: readonly Socket[]): Promise<number> {
  const responded = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<boolean>((resolve) => {
          socket.once("data", () => resolve(true)).once("close", () => resolve(false));
          if (socket.destroyed) resolve(false);
          else socket.write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        }),
    ),
  );
  return responded.filter(Boolean).length;
}

describe("front door: limits per address", () => {
  it("200 connections of one peer don't block others", () =>
    withRig(limited({ maximumConnections: 200, connectionsPerAddress: 200 }), async (rig) => {
      const anna = await rig.person();
      const sockets = await openMany(rig.frontDoor.url, 200, "127.0.0.2");
      assert.equal(await respondingOf(sockets), 100);
      await expectCall(rig, anna, served);
      const metrics = await (await fetch(`${rig.frontDoor.internalUrl}/metrics`)).text();
      assert.match(metrics, /^frontdoor_rate_limited_total\{limit="connections per address"\} 100$/m);
      for (const socket of sockets) socket.destroy();
      // The server notices it a moment later.
      await until("closed connections count no more", async () => {
        const again = await openMany(rig.frontDoor.url, 100, "127.0.0.2");
        const responding = await respondingOf(again);
        for (const socket of again) socket.destroy();
        return responding === 100;
      });
    }));

  it("a trusted proxy has no connection limit", () =>
    withRig(
      (usual) => ({
        ...limited({ connectionsPerAddress: 5 })(usual),
        trustedProxies: [{ address: "127.0.0.2", prefixLength: 32, family: "ipv4" }],
      }),
      async (rig) => {
        const sockets = await openMany(rig.frontDoor.url, 50, "127.0.0.2");
        assert.equal(await respondingOf(sockets), 50);
        for (const socket of sockets) socket.destroy();
      },
    ));

  it("responses to many invalid tokens are delayed, without affecting others at the address", () =>
    withRig(limited({ failedTokensPerMinute: 5 }), async (rig) => {
      const anna = await rig.person();
      const known = rig.token(anna);
      const bad = `${rig.token(anna).slice(0, -8)}AAAAAAAA`;
      const seconds = async (work: () => Promise<unknown>): Promise<number> => {
        const started = performance.now();
        await work();
        return (performance.now() - started) / 1000;
      };
      const failed = { status: 401, reason: "invalid_token" };
      for (let nth = 0; nth < 5; nth += 1) await expectCall(rig, anna, failed, bad);
      assert.ok((await seconds(() => expectCall(rig, anna, failed, bad))) >= 0.99);
      await expectCall(rig, anna, served, known);
      await withCaller(rig.frontDoor.url, async (call) => {
        let nth = 0;
        await until("a token that is not known yet comes while 20 answers wait", async () => {
          const waiting = Array.from({ length: 20 }, () => call("garbage.of.somebody"));
          // By then, the server has read what was sent before.
          for (let turn = 0; turn < 3; turn += 1) await fetch(`${rig.frontDoor.internalUrl}/healthz`);
          nth += 1;
          const another = rig.issuer.sign({ ...rig.claims(anna), jti: `another ${nth}` });
          const [refused, passed, unknown] = await Promise.all([call(bad), call(known), call(another)]);
          await Promise.all(waiting);
          // A token that was verified before is cached, and is accepted; another one has to wait.
          assert.equal(passed.status, 200);
          if (unknown.status === 429) {
            assert.deepEqual([refused.status, refused.reason, refused.retryAfter], [429, "rate_limited", "1"]);
          }
          return unknown.status === 429;
        });
      });
      await expectCall(rig, anna, served);
    }));
});

describe("front door: endpoints by address", () => {
  const proxied = (usual: Configuration): Configuration => ({
    ...usual,
    trustedProxies: [{ address: "127.0.0.2", prefixLength: 32, family: "ipv4" }],
  });

  it("without TLS and with trusted proxies, other peers get neither tools nor metadata", () =>
    withRig(proxied, async (rig) => {
      const anna = await rig.person();
      await expectCall(rig, anna, { status: 403, reason: "peer_not_allowed" });
      const metadata = await fetch(`${rig.frontDoor.url}/.well-known/oauth-protected-resource`);
      assert.equal(metadata.status, 403);
      const direct = await sendRaw(rig.frontDoor.url, { ...goodCall(rig, anna), localAddress: "127.0.0.2" });
      assert.equal(direct.status, 200, direct.text);
    }));

  it("metrics and probes accept an IP address or an allowed host", () =>
    withRig(
      (usual) => usual,
      async (rig) => {
        for (const target of ["/metrics", "/healthz", "/readyz"]) {
          for (const [host, status] of [
            ["127.0.0.1", 200],
            ["10.1.2.3:8080", 200],
            ["[::1]:9090", 200],
            ["localhost", 200],
            ["tools.example.com", 200],
            ["evil.example.com", 403],
            ["127.0.0.1.evil.example.com", 403],
          ] as const) {
            const response = await sendRaw(rig.frontDoor.url, { method: "GET", target, headers: [["Host", host]] });
            assert.equal(response.status, status, `${target} ${host}`);
          }
        }
      },
    ));

  it("metrics and probes are not served where other machines can reach the tools", () =>
    withRig(
      (usual) => ({ ...usual, listen: { host: "0.0.0.0", port: 0 } }),
      async (rig) => {
        const url = rig.frontDoor.url.replace("0.0.0.0", "127.0.0.1");
        for (const path of ["/metrics", "/healthz", "/readyz"]) {
          assert.equal((await fetch(`${url}${path}`)).status, 404, path);
        }
        assert.equal((await fetch(`${url}/internal/validate`, { method: "POST" })).status, 401);
        assert.equal((await fetch(`${url}/mcp`, { method: "POST" })).status, 401);
      },
      { waitUntilReady: false },
    ));

  it("metrics and probes are served at a separate address, without the tools", () =>
    withRig(
      (usual) => ({ ...usual, listen: { host: "0.0.0.0", port: 0 }, internalListen: { host: "0.0.0.0", port: 0 } }),
      async (rig) => {
        const inner = rig.frontDoor.internalUrl.replace("0.0.0.0", "127.0.0.1");
        const outer = rig.frontDoor.url.replace("0.0.0.0", "127.0.0.1");
        const statusOf = async (url: string, method = "GET"): Promise<number> => (await fetch(url, { method })).status;
        assert.deepEqual([await statusOf(`${inner}/metrics`), await statusOf(`${inner}/healthz`)], [200, 200]);
        assert.equal(await statusOf(`${inner}/mcp`, "POST"), 404);
        assert.deepEqual([await statusOf(`${outer}/metrics`), await statusOf(`${outer}/healthz`)], [404, 404]);
        assert.equal(await statusOf(`${outer}/internal/validate`, "POST"), 404);
      },
    ));
});

describe("front door: pages of other origins", () => {
  const preflight = (origin: string, target = "/mcp", method = "POST") =>
    ({
      method: "OPTIONS",
      target,
      headers: [
        ["Origin", origin],
        ["Access-Control-Request-Method", method],
        ["Access-Control-Request-Headers", "authorization, content-type, mcp-protocol-version, x-other"],
      ],
    }) as const;
  const headerOf = (response: RawResponse, name: string): string | undefined => response.headers.get(name)?.join("|");
  const withUsual = (work: (rig: Rig) => Promise<void>): Promise<void> => withRig((usual) => usual, work);

  it("a page of an allowed origin can send requests with the protocol's headers", () =>
    withUsual(async (rig) => {
      for (const [target, method] of [
        ["/mcp", "POST"],
        ["/.well-known/oauth-protected-resource/mcp", "GET"],
      ] as const) {
        const response = await sendRaw(rig.frontDoor.url, preflight(allowedOrigin, target, method));
        assert.equal(response.status, 204, target);
        assert.equal(headerOf(response, "access-control-allow-origin"), allowedOrigin);
        assert.equal(headerOf(response, "access-control-allow-methods"), method);
        assert.equal(
          headerOf(response, "access-control-allow-headers"),
          "authorization, content-type, mcp-protocol-version",
        );
        assert.equal(headerOf(response, "vary"), "Origin");
        assert.equal(headerOf(response, "access-control-allow-credentials"), undefined);
      }
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 0, credential: 0, platform: 0, stranger: 0 });
    }));

  it("a page of another origin, or with another Host, can't send requests", () =>
    withUsual(async (rig) => {
      for (const origin of ["https://evil.example.com", "null", "http://evil.example.com:80"]) {
        const response = await sendRaw(rig.frontDoor.url, preflight(origin));
        assert.equal(response.status, 403, origin);
        assert.equal(headerOf(response, "access-control-allow-origin"), undefined);
      }
      const { headers, ...rest } = preflight(allowedOrigin);
      const rebound = await sendRaw(rig.frontDoor.url, {
        ...rest,
        headers: [...headers, ["Host", "evil.example.com"]],
      });
      assert.equal(rebound.status, 403);
    }));

  it("a page can read responses and rejections with their challenge", () =>
    withUsual(async (rig) => {
      const anna = await rig.person();
      const call = goodCall(rig, anna);
      const withOrigin = { ...call, headers: [...(call.headers ?? []), ["Origin", allowedOrigin]] as const };
      for (const [request, status] of [
        [withOrigin, 200],
        [callWith([...bearer(`${prefix}a.b.c`), ["Origin", allowedOrigin]]), 401],
      ] as const) {
        const response = await sendRaw(rig.frontDoor.url, request);
        assert.equal(response.status, status);
        assert.equal(headerOf(response, "access-control-allow-origin"), allowedOrigin);
        assert.match(headerOf(response, "access-control-expose-headers") ?? "", /WWW-Authenticate.*X-Request-Id/);
      }
      const metadata = await fetch(`${rig.frontDoor.url}/.well-known/oauth-protected-resource`, {
        headers: { origin: allowedOrigin },
      });
      assert.deepEqual([metadata.status, metadata.headers.get("access-control-allow-origin")], [200, allowedOrigin]);
    }));

  it("only the server's own loopback address is an allowed origin", () =>
    withUsual(async (rig) => {
      const anna = await rig.person();
      const { port } = new URL(rig.frontDoor.url);
      const call = goodCall(rig, anna);
      for (const [host, origin, status] of [
        [`127.0.0.1:${port}`, `http://127.0.0.1:${port}`, 200],
        [`localhost:${port}`, `http://localhost:${port}`, 200],
        [`127.0.0.1:${port}`, `http://127.0.0.1:${Number(port) + 1}`, 403],
        [`127.0.0.1:${port}`, `https://127.0.0.1:${port}`, 403],
        [`127.0.0.1:${port}`, "http://evil.example.com", 403],
        ["tools.example.com", "http://tools.example.com", 403],
      ] as const) {
        const headers = [...(call.headers ?? []), ["Host", host], ["Origin", origin]] as const;
        assert.equal((await sendRaw(rig.frontDoor.url, { ...call, headers })).status, status, `${host} ${origin}`);
      }
      assert.equal((await callOnce(rig, anna)).status, 200);
    }));
});

describe("front door: the demo as it ships", () => {
  it("accepts pages of its own loopback address, and no other name", async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-demo-"));
    const tenant = await startSampleTenant({ dataDirectory, bootSeconds: 0 });
    const demo = await startDemo({ tenant, mayChange: false, logLevel: "silent" });
    try {
      const { url } = demo.frontDoor;
      const { host } = new URL(url);
      const names = [host, host.replace("127.0.0.1", "localhost"), "evil.example.com"];
      const statuses = await Promise.all(
        names.map(async (name) => {
          const headers = [...bearer(demo.token), ["Host", name], ["Origin", `http://${name}`]] as const;
          return (await sendRaw(url, callWith(headers))).status;
        }),
      );
      assert.deepEqual(statuses, [200, 200, 403]);
    } finally {
      await demo.stop();
      await tenant.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    }
  });
});
