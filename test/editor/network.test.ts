// The editor's network settings, and its own modules for connections. Everything is in this process: the settings of
// the computer and its certificates don't matter.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { silentLog } from "../../src/api/http/log.ts";
import { TransportError, type TransportFailure } from "../../src/api/http/transport-errors.ts";
import { editorNetwork } from "../../src/tenants/editor-network.ts";
import { createEditorTransport } from "../../src/tenants/editor-transport.ts";
import { makeTestAuthority, type TestAuthority } from "../harness/network/certificates.ts";
import { type ConnectProxy, startConnectProxy } from "../harness/network/connect-proxy.ts";
import { startTlsFront, type TlsFront } from "../harness/network/tls-front.ts";
import { until } from "./time.ts";

const host = "workspaces.test";
const origin = `https://${host}`;
const login = "ada:a password";

describe("the editor's network settings", () => {
  let authority: TestAuthority;
  let server: Server;
  let front: TlsFront;
  let proxy: ConnectProxy;
  const network = createEditorTransport(silentLog);
  const changed = new Set<string>();

  before(async () => {
    authority = await makeTestAuthority();
    server = createServer((_, response) => response.end("{}"));
    server.on("upgrade", (_, socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    front = await startTlsFront(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      await authority.issue([host]),
    );
    proxy = await startConnectProxy({ login, hosts: { [host]: front.url } });
  });
  beforeEach(() => proxy.reset());
  afterEach(async () => {
    for (const name of changed) await set(name, undefined);
    changed.clear();
  });
  after(async () => {
    network.dispose();
    await proxy.stop();
    await front.stop();
    server.closeAllConnections();
    server.close();
    await authority.remove();
  });

  async function set(name: string, value: unknown): Promise<void> {
    changed.add(name);
    const http = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("http");
    await http().update(name, value, vscode.ConfigurationTarget.Global);
    const wanted = value ?? http().inspect(name)?.defaultValue;
    await until(`http.${name} to change`, () => JSON.stringify(http().get(name)) === JSON.stringify(wanted));
  }

  const withLogin = (credentials: string): string =>
    proxy.url.replace("//", `//${credentials.split(":").map(encodeURIComponent).join(":")}@`);
  const requests = (): readonly string[] =>
    proxy.requests.map(({ status, credentials }) => `${status} ${credentials ?? "no credentials"}`);

  /** The status of a request; the failure without one. */
  async function send(): Promise<number | TransportFailure> {
    try {
      const { status } = await network.transport.send({
        method: "GET",
        url: new URL(`${origin}/api`),
        credential: new NotebookToken(origin, "a-token-of-the-test"),
        header: { name: "authorization", template: "token {token}" },
        headers: {},
        body: undefined,
        repeat: "never",
        timeLimitMs: 60_000,
        transfer: false,
        signal: undefined,
        maximumBytes: 1000,
      });
      return status;
    } catch (error) {
      if (error instanceof TransportError) return error.failure;
      throw error;
    }
  }

  it("apply without a reload: proxy, credentials, certificates, and hosts without a proxy", async () => {
    await set("proxyAuthorization", `Basic ${Buffer.from("ada:wrong").toString("base64")}`);
    await set("proxy", proxy.url);
    await set("proxyStrictSSL", true);
    const rejected = await send();
    assert.ok(typeof rejected === "object" && rejected.type === "network");
    assert.deepEqual(rejected.proxy, { type: "rejected", address: proxy.url, source: "setting" });

    await set("proxyAuthorization", undefined);
    await set("proxy", withLogin(login));
    proxy.reset();
    const untrusted = await send();
    assert.ok(typeof untrusted === "object" && untrusted.type === "network", JSON.stringify(untrusted));
    assert.equal(untrusted.code, "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    await set("proxyStrictSSL", false);
    assert.equal(await send(), 200);
    assert.ok(requests().every((request) => request === `200 ${login}`));

    const isProxied = async (): Promise<boolean> =>
      (await editorNetwork(silentLog).proxyFor(new URL(origin))) !== undefined;
    assert.equal(await isProxied(), true);
    await set("noProxy", ["other.test", ".test"]);
    assert.equal(await isProxied(), false);
    await set("noProxy", undefined);
    await set("proxySupport", "off");
    assert.equal(await isProxied(), false);
    assert.notEqual(editorNetwork(silentLog).systemTrust, undefined);
    await set("systemCertificates", false);
    assert.equal(editorNetwork(silentLog).systemTrust, undefined);
  });

  it("let the editor sign in at a proxy that rejects the credentials", async () => {
    // The editor's module uses the credentials in the address, and ours those of the other setting.
    await set("proxyAuthorization", `Basic ${Buffer.from("ada:outdated").toString("base64")}`);
    await set("proxy", withLogin(login));
    const distrust = authority.trust();
    try {
      assert.equal(await send(), 200);
      assert.equal(await send(), 200);
      assert.deepEqual(requests(), ["407 ada:outdated", `200 ${login}`, `200 ${login}`]);
      const opened = await network.transport.openSocket?.({
        origin,
        path: "/socket",
        headers: {},
        idleLimit: 60_000,
        signal: new AbortController().signal,
      });
      assert.ok(opened?.type === "opened");
      const [first] = await opened.stream.take(1).toArray();
      assert.equal(String(first), "hello");
      opened.stream.destroy();
    } finally {
      distrust();
    }
  });
});
