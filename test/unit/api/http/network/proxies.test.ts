// Requests through real proxies that reject, refuse, or don't respond.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getWorkspace } from "../../../../../src/api/catalogue/operations/workspace-reading.ts";
import { Client } from "../../../../../src/api/client/client.ts";
import { PlatformCredential } from "../../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../../src/api/http/dialects.ts";
import { PlatformError } from "../../../../../src/api/http/errors.ts";
import { environmentNetwork, type NetworkSettings } from "../../../../../src/api/http/network/network-settings.ts";
import { ProxyLogins } from "../../../../../src/api/http/network/proxy-login.ts";
import { singleUserLimits } from "../../../../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../../../../src/api/http/transport.ts";
import { freePort } from "../../../../harness/free-port.ts";
import { makeTestAuthority, type TestAuthority } from "../../../../harness/network/certificates.ts";
import { type ConnectProxy, startConnectProxy } from "../../../../harness/network/connect-proxy.ts";
import { startTlsFront, type TlsFront } from "../../../../harness/network/tls-front.ts";
import { failureOf, listLog } from "../../fake-platform.ts";

const login = "ada:right password";
const wrong = "ada:wrong password";

describe("proxies that don't forward", () => {
  let authority: TestAuthority;
  let distrust: () => void;
  let server: Server;
  let plain: string;
  let front: TlsFront;
  let proxy: ConnectProxy;
  let transports: Transport[];

  before(async () => {
    authority = await makeTestAuthority();
    distrust = authority.trust();
    server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":"w","name":"Sales","instances":[]}');
    });
    server.on("upgrade", (_, socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    front = await startTlsFront(plain, await authority.issue(["platform.test"]));
  });
  beforeEach(async () => {
    transports = [];
    proxy = await startConnectProxy({ login, hosts: { "platform.test": front.url, "plain.test": plain } });
  });
  afterEach(async () => {
    await Promise.all(transports.map((transport) => transport.close()));
    await proxy.stop();
  });
  after(async () => {
    await front.stop();
    server.closeAllConnections();
    server.close();
    distrust();
    await authority.remove();
  });

  function proxyWith(credentials: string): string {
    return proxy.url.replace("//", `//${credentials.split(":").map(encodeURIComponent).join(":")}@`);
  }

  function transportOf(address: string, changes: Partial<NetworkSettings> = {}, lines: string[] = []): Transport {
    const network = { ...environmentNetwork({ proxy: address }, {}), logins: new ProxyLogins(), ...changes };
    const transport = createTransport({ network: async () => network, sleep: async () => {}, log: listLog(lines) });
    transports.push(transport);
    return transport;
  }

  function clientOf(transport: Transport, base = "https://platform.test"): Client<"platform"> {
    const credential = new PlatformCredential(base, "a-token-of-the-test");
    const dialect = dialects.documented;
    return new Client(
      { kind: "platform", base: new URL(base), dialect, credential, limits: singleUserLimits },
      transport,
    );
  }

  const read = (client: Client<"platform">): Promise<unknown> => client.call(getWorkspace, { workspaceId: "w" });
  const statuses = (): readonly number[] => proxy.requests.map(({ status }) => status);

  for (const base of ["https://platform.test", "http://plain.test"]) {
    describe(base, () => {
      it("names a proxy that requires a sign-in and says how, without retries", async () => {
        const failure = await failureOf(read(clientOf(transportOf(proxy.url), base)));
        assert.equal(
          failure.message,
          `Can't read workspace w: the proxy ${proxy.url} requires you to sign in (407). Add your user name and password to the setting http.proxy or http.proxyAuthorization, then try again.`,
        );
        assert.deepEqual(statuses(), [407]);
      });

      it("sends a rejected password once, even if many requests begin together, and says so", async () => {
        const lines: string[] = [];
        const client = clientOf(transportOf(proxyWith(wrong), {}, lines), base);
        const failures = await Promise.all(Array.from({ length: 12 }, () => failureOf(read(client))));
        failures.push(await failureOf(read(client)));
        for (const { message, failureCause } of failures) {
          assert.equal(
            message,
            `Can't read workspace w: the proxy ${proxy.url} rejected your user name or password (407). Correct them in the setting http.proxy or http.proxyAuthorization. Until then, they aren't sent again, so that your account isn't locked.`,
          );
          assert.deepEqual(failureCause, {
            type: "network",
            code: "PROXY_REJECTED",
            reachedServer: false,
            proxy: { type: "rejected", address: proxy.url, source: "setting" },
          });
        }
        assert.deepEqual(statuses(), [407]);
        assert.ok(!lines.some((line) => /wrong|d3Jvbmc/.test(line)), "the password is in the log");
      });

      it("lets requests that begin together pass after the first has signed in", async () => {
        const client = clientOf(transportOf(proxyWith(login)), base);
        await Promise.all(Array.from({ length: 12 }, () => read(client)));
        assert.ok(statuses().every((status) => status === 200));
      });

      it("names a proxy that can't be reached", async () => {
        const dead = `http://127.0.0.1:${await freePort()}`;
        const failure = await failureOf(read(clientOf(transportOf(dead), base)));
        assert.equal(
          failure.message,
          `Can't read workspace w: the proxy ${dead} can't be reached (ECONNREFUSED). Check the network and the setting http.proxy, then try again.`,
        );
      });
    });
  }

  it("sends a password again after the settings change, and after the time for programs", async () => {
    let current = wrong;
    const network = async (): Promise<NetworkSettings> => ({
      ...environmentNetwork({ proxy: proxyWith(current) }, {}),
      logins: new ProxyLogins(),
    });
    const transport = createTransport({ network });
    transports.push(transport);
    const client = clientOf(transport);
    await failureOf(read(client));
    await failureOf(read(client));
    current = login;
    transport.reconnect?.();
    await read(client);
    assert.deepEqual(statuses(), [407, 200]);

    let now = 0;
    const logins = new ProxyLogins(1000, () => now);
    proxy.reset();
    const program = clientOf(transportOf(proxyWith(wrong), { logins }));
    for (now of [0, 999, 1000, 1500]) await failureOf(read(program));
    assert.deepEqual(statuses(), [407, 407]);
  });

  it("notices that accepted credentials are no longer valid", async () => {
    const transport = transportOf(proxyWith(login));
    const client = clientOf(transport);
    await read(client);
    proxy.refuseWith(407);
    front.cut();
    for (let time = 0; time < 3; time += 1) {
      assert.match((await failureOf(read(client))).message, /rejected your user name or password/);
    }
    assert.deepEqual(statuses(), [200, 407]);
  });

  it("reports a proxy's other refusals, and repeats only those that may pass", async () => {
    const client = clientOf(transportOf(proxyWith(login)));
    proxy.refuseWith(403);
    assert.match(
      (await failureOf(read(client))).message,
      /the proxy http:\/\/127\.0\.0\.1:\d+ didn't connect to https:\/\/platform\.test \(403\)\. Ask the administrator of the proxy to allow it\.$/,
    );
    assert.deepEqual(statuses(), [403]);
    proxy.refuseWith(503);
    assert.match(
      (await failureOf(read(client))).message,
      /\(503\)\. Check the address and the network, then try again\.$/,
    );
    assert.deepEqual(statuses(), [403, 503, 503, 503, 503]);
    proxy.refuseWith(undefined);
    await read(client);
  });

  it("reports an address that isn't valid", async () => {
    const failure = await failureOf(read(clientOf(transportOf("http://ada:secret@[proxy"))));
    assert.equal(
      failure.message,
      "Can't read workspace w: the address of the proxy isn't valid: http://[proxy. Correct the setting http.proxy, for example http://proxy.example.com:8080.",
    );
  });

  it("opens WebSockets in a tunnel, also without TLS", async () => {
    const transport = transportOf(proxyWith(login));
    for (const origin of ["http://plain.test", "https://platform.test"]) {
      const response = await transport.openSocket?.({
        origin,
        path: "/",
        headers: {},
        idleLimit: 30_000,
        signal: new AbortController().signal,
      });
      assert.equal(response?.type, "opened");
      if (response?.type === "opened") response.stream.destroy();
    }
    assert.deepEqual(
      proxy.requests.map(({ method, target }) => `${method} ${target}`),
      ["CONNECT plain.test:80", "CONNECT platform.test:443"],
    );
  });

  describe("with another way to sign in", () => {
    const responded = async (status: number) => ({
      status,
      headers: {},
      body: Buffer.from('{"id":"w","instances":[]}'),
    });

    it("sends requests that way once the proxy rejected the credentials", async () => {
      let sent = 0;
      const outside: NonNullable<NetworkSettings["outside"]> = {
        dispatch: () => {
          sent += 1;
          return responded(200);
        },
        openSocket: async () => ({ type: "refused", response: await responded(404) }),
      };
      const client = clientOf(transportOf(proxyWith(wrong), { outside }));
      await Promise.all(Array.from({ length: 12 }, () => read(client)));
      await read(client);
      assert.deepEqual([sent, statuses()], [13, [407]]);
    });

    it("tries that way once if it can't sign in either", async () => {
      let sent = 0;
      const outside: NonNullable<NetworkSettings["outside"]> = {
        dispatch: async () => {
          sent += 1;
          // All requests that began together have failed by then.
          await new Promise(setImmediate);
          return sent === 1 ? responded(407) : Promise.reject(new Error("it must not be asked again"));
        },
        openSocket: async () => ({ type: "refused", response: await responded(407) }),
      };
      const client = clientOf(transportOf(proxyWith(wrong), { outside }));
      const begun = Array.from({ length: 12 }, () => failureOf(read(client)));
      for (const failure of [...(await Promise.all(begun)), await failureOf(read(client))]) {
        assert.ok(failure instanceof PlatformError && /rejected your user name/.test(failure.message));
      }
      assert.deepEqual([sent, statuses()], [1, [407]]);
    });
  });
});
