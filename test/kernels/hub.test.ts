import assert from "node:assert/strict";
import { Client, type ContentClient } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import type { ConnectionState } from "../../src/api/kernels/connection/connection-state.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { occupancyOf } from "../../src/api/kernels/ownership.ts";
import { type JupyterHub, startJupyterHub } from "../harness/jupyter-hub.ts";
import { startSocketProxy } from "../harness/socket-proxy.ts";
import { until } from "../harness/until.ts";
import { Cell, MemoryJournal, run } from "./rig.ts";
import { assertTerminalWorks } from "./shown-terminal.ts";

describe("Kernels behind a hub", function () {
  this.timeout(180_000);
  const name = "f47c21aa";
  const transport = createTransport({ sleep: async () => {} });
  let hub: JupyterHub;
  let connection: KernelConnection | undefined;
  let states: ConnectionState["type"][] = [];

  before(async () => {
    hub = await startJupyterHub({ user: "alice", servers: [name], terminals: true });
    await hub.startServer(name);
  });
  after(async () => {
    connection?.dispose();
    await transport.close();
    await hub.kill();
  });

  function clientAt(url: string, token: string): ContentClient {
    const base = new URL(url);
    const credential = new NotebookToken(base.origin, token);
    return new Client(
      { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
      transport,
    );
  }

  /** A kernel with a running cell. */
  async function start(path: string): Promise<{ readonly cell: Cell; readonly ended: Promise<unknown> }> {
    const client = clientAt(hub.url + hub.prefix(name), await hub.userToken());
    const server = new KernelServer(async () => client);
    const session = await server.openSession(path, { type: "new", specName: "python3" });
    assert.ok(session.kernel !== undefined);
    assert.deepEqual(occupancyOf(session.kernel), { type: "free" });
    const { id: kernelId } = session.kernel;
    connection = await openKernelConnection({
      client: async () => client,
      kernelId,
      journal: new MemoryJournal(),
      recorder: "on",
      times: { firstPauseMs: 50, maxPauseMs: 300 },
    });
    connection.onState(({ type }) => states.push(type));
    assert.equal((await run(connection, "print('through the hub')")).text(), "through the hub\n");
    const attached = await server.kernel(kernelId);
    assert.ok(attached !== undefined);
    assert.deepEqual(occupancyOf(attached), { type: "shared", otherConnections: 1 });

    const cell = new Cell("print('runs', flush=True)\nimport time\ntime.sleep(300)");
    const [execution] = await connection.execute([cell.request()]);
    await until("the output", () => cell.text() !== "");
    return { cell, ended: execution?.ended ?? Promise.resolve() };
  }

  it("connects to terminals", async () => {
    const proxy = await startSocketProxy(hub.url);
    try {
      const client = clientAt(proxy.url(hub.url + hub.prefix(name)), await hub.userToken());
      await assertTerminalWorks(client, proxy, hub.serverRoot(name));
    } finally {
      await proxy.stop();
    }
  });

  it("reports that the kernel ended when the workspace is stopped", async () => {
    const { ended } = await start("stopped.ipynb");
    states = [];
    // A hub gives a server some seconds to end. Its socket stays open until then.
    await hub.stopServer(name);
    await until("a report", () => states.includes("serverStopped") || states.includes("kernelDead"));
    // The server may be gone before it reports the end of the kernel. That becomes visible when the workspace runs
    // again.
    await hub.startServer(name);
    assert.deepEqual(await ended, { type: "kernelEnded" });
    assert.equal(connection?.state.type, "kernelDead");
    connection?.dispose();
  });

  it("waits while the workspace isn't running, and reports that the kernel is gone when it runs again", async () => {
    states = [];
    const { ended } = await start("crashed.ipynb");
    await hub.crashServer(name);
    await until("the stopped server", () => states.includes("serverStopped"));
    await hub.stopServer(name);
    await hub.startServer(name);
    assert.deepEqual(await ended, { type: "kernelEnded" });
    assert.ok(connection?.state.type === "kernelDead" && connection.state.end === "gone");
  });
});
