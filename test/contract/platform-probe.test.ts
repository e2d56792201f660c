import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type PlatformProbe, probePlatform } from "../../src/api/families/platform-probe.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { freePort } from "../harness/free-port.ts";
import { perDialect } from "./tenant.ts";

const { signal } = new AbortController();

perDialect("HTTP", "probe", (current) => {
  it("recognizes a tenant without a credential, and changes nothing", async () => {
    const before = current().proxy.requests.length;
    const probe = await probePlatform(current().transport, new URL(current().proxy.url), { signal });
    // The sample tenant rejects every path in the same way, so only a credential reveals its dialect.
    assert.deepEqual(probe, { type: "platform", dialects: ["documented", "domo"] });
    const sent = current().proxy.requests.slice(before);
    assert.equal(sent.length, 3);
    for (const { method, headers } of sent) {
      assert.equal(method, "GET");
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["x-domo-developer-token"], undefined);
    }
  });

  it("reports a tenant that doesn't respond in time as unreachable, and ends when canceled", async () => {
    const probe = (limit: number, ending = signal): Promise<PlatformProbe> =>
      probePlatform(current().transport, new URL(current().proxy.url), { signal: ending, timeLimitMs: limit });
    await current().broken({ kind: "hang" }, async () => {
      const late = await probe(50);
      assert.equal(late.type, "unreachable");
      assert.match(late.type === "unreachable" ? String(late.reason) : "", /didn't respond within 0\.05 s/);
      const cancelled = new AbortController();
      const cancelling = assert.rejects(probe(60_000, cancelled.signal), { message: "cancelled" });
      cancelled.abort();
      await cancelling;
    });
  });
});

describe("HTTP: a probe of other servers", () => {
  let transport: Transport;
  let server: Server;
  let base: URL;
  let elsewhere: Server;
  const heard: string[] = [];

  before(async () => {
    transport = createTransport();
    elsewhere = createServer((request, response) => {
      heard.push(request.url ?? "");
      response.end("{}");
    });
    const { port } = await listening(elsewhere);
    server = createServer((request, response) => {
      const kind = /^\/([a-z]+)/.exec(request.url ?? "")?.[1];
      const status = kind === "refusing" ? 401 : 200;
      const headers = { "content-type": kind === "page" ? "text/html" : "application/json" };
      switch (kind) {
        case "endless":
        case "refusing": {
          response.writeHead(status, headers);
          const part = Buffer.alloc(16 * 1024, " ");
          const more = (): void => {
            while (!response.destroyed && response.write(part));
          };
          response.on("drain", more);
          more();
          return;
        }
        case "elsewhere":
          response.writeHead(307, { location: `http://127.0.0.1:${port}${request.url}` }).end();
          return;
        default:
          response.writeHead(status, headers).end(kind === "page" ? "<!DOCTYPE html>" : '{"names": []}');
      }
    });
    base = new URL(`http://127.0.0.1:${(await listening(server)).port}`);
  });
  after(async () => {
    await transport?.close();
    for (const one of [server, elsewhere]) {
      one?.closeAllConnections();
      one?.close();
    }
  });

  const probed = (path: string): Promise<PlatformProbe> => probePlatform(transport, new URL(path, base), { signal });

  it("reads only the beginning of an endless body", async () => {
    const endless = await probed("endless");
    assert.equal(endless.type, "unrecognized");
    assert.match(endless.type === "unrecognized" ? String(endless.reason) : "", /it doesn't appear to be a platform/);
    assert.deepEqual(await probed("refusing"), { type: "platform", dialects: ["documented", "domo"] });
  });

  it("distinguishes a web page and other JSON from a platform", async () => {
    for (const [path, reason] of [
      ["page", /web page/],
      ["json", /it doesn't appear to be a platform/],
    ] as const) {
      const probe = await probed(path);
      assert.match(probe.type === "unrecognized" ? String(probe.reason) : "", reason);
    }
  });

  it("doesn't follow a redirect to another server", async () => {
    const probe = await probed("elsewhere");
    const { port } = elsewhere.address() as AddressInfo;
    assert.ok(
      probe.type === "unrecognized" && String(probe.reason).includes(`redirects requests to http://127.0.0.1:${port}.`),
    );
    assert.deepEqual(heard, []);
  });

  it("reports that no server responds", async () => {
    const probe = await probePlatform(transport, new URL(`http://127.0.0.1:${await freePort()}`), { signal });
    assert.equal(probe.type, "unreachable");
    assert.match(probe.type === "unreachable" ? String(probe.reason) : "", /can't be reached \(ECONNREFUSED\)/);
  });
});

async function listening(server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address() as AddressInfo;
}
