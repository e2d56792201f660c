// Ports of a real workspace: its companion passes the connections on.
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { watchPorts } from "../../../src/api/companion/operations/ports.ts";
import type { ForwardedPort } from "../../../src/api/companion/tunnel/forwarded-port.ts";
import { inParallel } from "../../../src/api/content-server/concurrency.ts";
import { until } from "../../harness/until.ts";
import {
  fileServer,
  type ListeningProgram,
  startProgram,
  startTunnelRig,
  type TunnelRig,
  tornadoApp,
} from "./ports-rig.ts";

const megabytes = 50;

describe("forwarded ports of a workspace", function () {
  this.timeout(180_000);
  let rig: TunnelRig;
  let app: ListeningProgram;
  let forwarded: ForwardedPort;
  const url = (path: string): string => `http://127.0.0.1:${forwarded.localPort}${path}`;

  before(async () => {
    rig = await startTunnelRig("ports");
    app = await startProgram(tornadoApp, rig.rig.root);
    forwarded = await rig.forward(app.port);
  });
  after(async () => {
    await app.stop();
    await rig.stop();
  });

  it("shows the files of a plain http.server", async () => {
    await writeFile(join(rig.rig.root, "page.txt"), "a page");
    const files = await startProgram(fileServer, rig.rig.root);
    const port = await rig.forward(files.port);
    const response = await fetch(`http://127.0.0.1:${port.localPort}/page.txt`);
    assert.equal(await response.text(), "a page");
    await files.stop();
  });

  it("lists the ports on which programs listen, and reports new ones", async () => {
    const listed: number[] = [];
    const watched = await rig.started.companion.subscribe(
      watchPorts,
      {},
      { onPush: ({ ports }) => void listed.push(...ports.map(({ port }) => port)), onFailure: assert.fail },
    );
    assert.equal(watched.result.isKnown, process.platform === "linux");
    if (watched.result.isKnown) {
      const ports = watched.result.ports.map(({ port }) => port);
      assert.ok(ports.includes(app.port), `${app.port} of ${ports.join(", ")}`);
      assert.ok(!ports.includes(Number(new URL(rig.rig.url).port)), "Jupyter's own port");
      const files = await startProgram(fileServer, rig.rig.root);
      await until("the new port", () => listed.includes(files.port));
      await files.stop();
    }
    watched.dispose();
  });

  it("carries a WebSocket in both directions", async () => {
    const socket = new WebSocket(url("/echo").replace("http", "ws"));
    await once(socket, "open");
    for (const text of ["first", "x".repeat(300_000), "last"]) {
      const answered = once(socket, "message");
      socket.send(text);
      const [event] = await answered;
      assert.equal((event as MessageEvent).data, text);
    }
    const closed = once(socket, "close");
    socket.close();
    await closed;
  });

  it(`carries ${megabytes} MB down and up`, async () => {
    const response = await fetch(url(`/big/${megabytes}`));
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.length, megabytes * 1024 * 1024);
    assert.ok(bytes.every((byte) => byte === 0x78));
    const sent = await fetch(url("/"), { method: "POST", body: Buffer.alloc(megabytes * 1024 * 1024, "y") });
    assert.deepEqual(await sent.json(), { length: megabytes * 1024 * 1024, sum: megabytes * 1024 * 1024 * 121 });
  });

  it("has fifty connections at once", async () => {
    const sockets = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = new WebSocket(url("/echo").replace("http", "ws"));
        await once(socket, "open");
        return socket;
      }),
    );
    assert.equal(forwarded.connections, 50);
    await inParallel([...sockets.entries()], async ([nth, socket]) => {
      const answered = once(socket, "message");
      socket.send(`message ${nth}`);
      const [event] = await answered;
      assert.equal((event as MessageEvent).data, `message ${nth}`);
    });
    for (const socket of sockets) socket.close();
    await until("the end of all", () => forwarded.connections === 0);
  });

  it("refuses a page of another site", async () => {
    const socket = connect(forwarded.localPort, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 403 /);
    const posted = await fetch(url("/"), { method: "POST", body: "x", headers: { Origin: "https://evil.example" } });
    assert.equal(posted.status, 403);
  });

  it("ends connections with a lost connection to the companion, and serves new ones after it", async () => {
    const socket = new WebSocket(url("/echo").replace("http", "ws"));
    await once(socket, "open");
    const closed = new Promise((resolve) => socket.addEventListener("close", resolve, { once: true }));
    rig.rig.proxy.cut();
    await closed;
    const response = await fetch(url("/"));
    assert.match(await response.text(), /^hello from 127\.0\.0\.1/);
    assert.equal(forwarded.problem, undefined);
  });

  it("says that nothing listens on the port anymore", async () => {
    const files = await startProgram(fileServer, rig.rig.root);
    const port = await rig.forward(files.port);
    await files.stop();
    const response = await fetch(`http://127.0.0.1:${port.localPort}/`);
    assert.equal(response.status, 502);
    assert.equal(await response.text(), `Nothing listens on port ${files.port}.\n`);
  });

  it("says that the companion has ended", async () => {
    rig.started.companion.dispose();
    // A client would use a connection again that is about to end.
    await until("the end of all connections", () => forwarded.connections === 0);
    const response = await fetch(url("/"));
    assert.equal(response.status, 502);
    assert.match(await response.text(), /companion/);
    assert.match(String(forwarded.problem), /companion/);
  });
});
