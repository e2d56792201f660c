import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { type FaultProxy, startFaultProxy } from "../../harness/proxy.ts";

describe("fault proxy", () => {
  let target: Server;
  let proxy: FaultProxy;
  let reached: string[] = [];

  before(async () => {
    target = createServer((incoming, outgoing) => {
      reached.push(`${incoming.method} ${incoming.url}`);
      if (incoming.headers["if-none-match"] === '"v1"') {
        outgoing.writeHead(304, { etag: '"v1"' });
        outgoing.end();
        return;
      }
      let body = "";
      incoming.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      incoming.on("end", () => {
        outgoing.writeHead(incoming.method === "PUT" ? 201 : 200, { "content-type": "application/json", etag: '"v1"' });
        outgoing.write('{"path":');
        outgoing.end(`${JSON.stringify(incoming.url)},"body":${JSON.stringify(body)}}`);
      });
    });
    target.on("upgrade", (_incoming, socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n");
      socket.on("data", (chunk: Buffer) => socket.write(`echo ${chunk.toString()}`));
      socket.on("error", () => {});
      socket.on("end", () => socket.end());
    });
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    proxy = await startFaultProxy(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
  });
  beforeEach(() => {
    proxy.clearFaults();
    proxy.reset();
    reached = [];
  });
  after(async () => {
    await proxy.stop();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });

  it("forwards requests unchanged, including percent-encoding, and records them", async () => {
    const response = await fetch(`${proxy.url}/api/a%20b%23?token=abc&x=1`, {
      method: "PUT",
      headers: { Authorization: "token abc" },
      body: "zwölf",
    });
    assert.equal(response.status, 201);
    assert.deepEqual(await response.json(), { path: "/api/a%20b%23?token=abc&x=1", body: "zwölf" });
    const [recorded] = proxy.requests;
    assert.equal(proxy.requests.length, 1);
    assert.equal(recorded?.path, "/api/a%20b%23");
    assert.equal(recorded.query, "token=(secret)&x=1");
    assert.equal(recorded.sentBytes, 6);
    assert.ok(recorded.receivedBytes > 40);
    assert.equal(recorded.headers.authorization, "(secret)");
    assert.doesNotMatch(JSON.stringify(proxy.requests), /abc/);
  });

  it("forwards ETag and 304", async () => {
    const response = await fetch(`${proxy.url}/x`, { headers: { "If-None-Match": '"v1"' } });
    assert.equal(response.status, 304);
    assert.equal(response.headers.get("etag"), '"v1"');
    assert.equal(proxy.requests[0]?.status, 304);
  });

  it("counts by method and path", async () => {
    for (const path of ["/a", "/a/b", "/c"]) await (await fetch(proxy.url + path)).text();
    assert.equal(proxy.count(), 3);
    assert.equal(proxy.count({ path: "/a" }), 2);
    assert.equal(proxy.count({ path: /\/b$/, method: ["GET"] }), 1);
    assert.equal(proxy.count({ method: "PUT" }), 0);
    proxy.reset();
    assert.equal(proxy.count(), 0);
  });

  it("applies a rule only to the nth request, and a limited number of times", async () => {
    proxy.addFault({ match: { path: "/n", nth: 2 }, action: { kind: "response", status: 503, body: "busy" } });
    const remove = proxy.addFault({ match: { path: "/t", times: 1 }, action: { kind: "html" } });
    const status = async (path: string): Promise<number> => (await fetch(proxy.url + path)).status;
    assert.deepEqual([await status("/n"), await status("/n"), await status("/n")], [200, 503, 200]);
    assert.match(await (await fetch(`${proxy.url}/t`)).text(), /DOCTYPE/);
    assert.doesNotMatch(await (await fetch(`${proxy.url}/t`)).text(), /DOCTYPE/);
    remove();
    assert.deepEqual(reached, ["GET /n", "GET /n", "GET /t"]);
  });

  it("delays, redirects, and halves a body", async () => {
    proxy.addFault({ match: { path: "/slow" }, action: { kind: "latency", milliseconds: 120 } });
    proxy.addFault({ match: { path: "/away" }, action: { kind: "redirect", location: "http://example.invalid/" } });
    proxy.addFault({ match: { path: "/half" }, action: { kind: "half-body" } });
    await (await fetch(`${proxy.url}/slow`)).text();
    assert.ok((proxy.requests[0]?.milliseconds ?? 0) >= 110);
    const away = await fetch(`${proxy.url}/away`, { redirect: "manual" });
    assert.deepEqual([away.status, away.headers.get("location")], [302, "http://example.invalid/"]);
    await assert.rejects((await fetch(`${proxy.url}/half`)).json(), SyntaxError);
  });

  it("breaks connections before, during, and after the target's work", async () => {
    proxy.addFault({ match: { path: "/before" }, action: { kind: "cut", when: "before" } });
    proxy.addFault({ match: { path: "/during" }, action: { kind: "cut", when: "during" } });
    proxy.addFault({ match: { path: "/after" }, action: { kind: "cut", when: "after" } });
    await assert.rejects(fetch(`${proxy.url}/before`), TypeError);
    assert.deepEqual(reached, []);
    const during = await fetch(`${proxy.url}/during`);
    assert.equal(during.status, 200);
    await assert.rejects(during.text(), TypeError);
    await assert.rejects(fetch(`${proxy.url}/after`, { method: "PUT", body: "x" }), TypeError);
    assert.deepEqual(reached, ["GET /during", "PUT /after"]);
    assert.deepEqual(
      proxy.requests.map(({ status, fault }) => [status, fault]),
      [
        [0, "cut"],
        [0, "cut"],
        [0, "cut"],
      ],
    );
  });

  it("breaks connections on both sides while the body is sent", async () => {
    proxy.addFault({ match: { path: "/sending" }, action: { kind: "cut", when: "sending" } });
    await assert.rejects(fetch(`${proxy.url}/sending`, { method: "PUT", body: "x".repeat(50_000) }), TypeError);
    assert.equal(proxy.requests[0]?.status, 0);
    assert.equal(proxy.requests[0]?.sentBytes, 50_000);
    assert.deepEqual(reached, ["PUT /sending"]);
  });

  it("sends a response slowly, stops it, and changes its content type", async () => {
    proxy.addFault({ match: { path: "/drip" }, action: { kind: "drip", parts: 4, milliseconds: 5 } });
    proxy.addFault({ match: { path: "/type" }, action: { kind: "content-type", contentType: "text/plain" } });
    proxy.addFault({ match: { path: "/stop" }, action: { kind: "hang", when: "during" } });
    assert.deepEqual(await (await fetch(`${proxy.url}/drip`)).json(), { path: "/drip", body: "" });
    const other = await fetch(`${proxy.url}/type`);
    assert.equal(other.headers.get("content-type"), "text/plain");
    assert.deepEqual(await other.json(), { path: "/type", body: "" });
    const stopped = await fetch(`${proxy.url}/stop`, { signal: AbortSignal.timeout(300) });
    assert.equal(stopped.status, 200);
    await assert.rejects(stopped.text(), { name: "TimeoutError" });
  });

  it("calls a function instead of responding, before or after the target's work", async () => {
    const called: string[] = [];
    for (const when of ["before", "after"] as const) {
      const stop = new AbortController();
      const call = (): void => {
        called.push(`${when}: ${reached.join()}`);
        stop.abort();
      };
      proxy.addFault({ match: { path: `/${when}` }, action: { kind: "call", when, call } });
      await assert.rejects(fetch(`${proxy.url}/${when}`, { signal: stop.signal }), { name: "AbortError" });
    }
    assert.deepEqual(called, ["before: ", "after: GET /after"]);
  });

  it("applies a rule from the nth request on", async () => {
    proxy.addFault({ match: { path: "/n", from: 2 }, action: { kind: "response", status: 503 } });
    const status = async (): Promise<number> => (await fetch(`${proxy.url}/n`)).status;
    assert.deepEqual([await status(), await status(), await status()], [200, 503, 503]);
  });

  it("returns 502 if the target is down, and switches to another target on request", async () => {
    const other = await startFaultProxy("http://127.0.0.1:9");
    try {
      assert.equal((await fetch(`${other.url}/x`)).status, 502);
      other.retarget(proxy.url);
      assert.equal((await fetch(`${other.url}/x`)).status, 200);
    } finally {
      await other.stop();
    }
  });

  it("pipes an upgraded connection", async () => {
    const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
    const received = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        if (text === "") socket.write("hello");
        text += chunk.toString();
        if (text.includes("echo")) resolve(text);
      });
    });
    socket.write("GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n");
    assert.match(await received, /101 Switching Protocols[\s\S]*echo hello/);
    socket.destroy();
  });
});
