// A whole Jupyter Server with TLS that is only reachable through an HTTP proxy, as in a company's network.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ContentClient } from "../../src/api/client/client.ts";
import { uploadInChunks } from "../../src/api/content-server/chunked-upload.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { environmentNetwork } from "../../src/api/http/network/network-settings.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { makeTestAuthority, type TestAuthority } from "../harness/network/certificates.ts";
import { type ConnectProxy, startConnectProxy } from "../harness/network/connect-proxy.ts";
import { startTlsFront, type TlsFront } from "../harness/network/tls-front.ts";
import { MemoryJournal, run } from "./rig.ts";

/** Doesn't exist outside of the proxy. */
const host = "workspaces.test";

describe("through an HTTP proxy", () => {
  let directory: string;
  let authority: TestAuthority;
  let jupyter: JupyterServer;
  let front: TlsFront;
  let distrust: () => void;
  const proxies: ConnectProxy[] = [];
  const transports: Transport[] = [];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-proxies-"));
    authority = await makeTestAuthority();
    distrust = authority.trust();
    jupyter = await startJupyterServer({
      root: directory,
      token: randomBytes(16).toString("hex"),
      // It listens on a loopback address, but requests have another hostname.
      extraArguments: ["--ServerApp.allow_remote_access=True"],
    });
    front = await startTlsFront(jupyter.url, await authority.issue([host]));
  });
  after(async () => {
    await Promise.all(transports.map((transport) => transport.close()));
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await front.stop();
    await jupyter.kill();
    distrust();
    await authority.remove();
    await rm(directory, { recursive: true, force: true });
  });

  async function startProxy(login?: string): Promise<ConnectProxy> {
    const proxy = await startConnectProxy({
      hosts: { [host]: front.url },
      ...(login === undefined ? {} : { login }),
    });
    proxies.push(proxy);
    return proxy;
  }

  function clientThrough(proxy: string): ContentClient {
    const transport = createTransport({ network: async () => environmentNetwork({ proxy }, {}) });
    transports.push(transport);
    const base = new URL(`https://${host}/`);
    const credential = new NotebookToken(base.origin, jupyter.token);
    return new Client(
      { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
      transport,
    );
  }

  for (const login of [undefined, "ada:pass word@1"]) {
    it(`sends requests, chunks of an upload, and a kernel's WebSocket ${login === undefined ? "without" : "with"} a login`, async () => {
      const proxy = await startProxy(login);
      const address = new URL(proxy.url);
      const [user = "", password = ""] = login?.split(":") ?? [];
      address.username = encodeURIComponent(user);
      address.password = encodeURIComponent(password);
      const client = clientThrough(address.href);
      const tunnelsBefore = front.opened;

      const bytes = randomBytes(100_000);
      const name = `big-${login === undefined ? 1 : 2}.dat`;
      await uploadInChunks(client, name, bytes, { chunkBytes: 30_000 });
      assert.ok((await readFile(join(directory, name))).equals(bytes));

      const server = new KernelServer(async () => client);
      const session = await server.openSession(`${name}.ipynb`, { type: "new", specName: "python3" });
      const connection = await openKernelConnection({
        client: async () => client,
        kernelId: session.kernel?.id ?? "",
        journal: new MemoryJournal(),
        recorder: "on",
      });
      try {
        assert.equal((await run(connection, "print(6 * 7)")).text(), "42\n");
      } finally {
        connection.dispose();
      }

      assert.ok(proxy.requests.length > 0 && proxy.requests.length === front.opened - tunnelsBefore);
      for (const request of proxy.requests) {
        assert.deepEqual(request, {
          method: "CONNECT",
          target: `${host}:443`,
          status: 200,
          ...(login === undefined ? {} : { credentials: login }),
        });
      }
      assert.ok(proxy.sentBytes > 130_000, `${proxy.sentBytes} bytes went through the proxy`);
    });
  }
});
