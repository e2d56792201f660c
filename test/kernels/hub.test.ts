import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, type ContentClient } from "../../src/api/client/client.ts";
import { attachProgram } from "../../src/api/companion/attach.ts";
import type { PushOf } from "../../src/api/companion/operation.ts";
import { openFrame, readFramePage } from "../../src/api/companion/operations/frames.ts";
import { searchText } from "../../src/api/companion/operations/search.ts";
import { listVariables } from "../../src/api/companion/operations/variables.ts";
import { endCompanion, type StartedCompanion, startCompanion } from "../../src/api/companion/start.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { silentLog } from "../../src/api/http/log.ts";
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
import { Editor } from "./debugging/editor.ts";
import { Cell, MemoryJournal, run } from "./rig.ts";
import { assertTerminalWorks } from "./shown-terminal.ts";

const needle = {
  ...{ folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false, exclude: [] },
  ...{ useIgnoreFiles: true, maxMatches: 10, maxPerFile: 10, maxBytes: 1000 },
  ...{ text: "needle", isCaseSensitive: true, isRegularExpression: false },
};

describe("Kernels behind a hub", function () {
  this.timeout(180_000);
  const name = "f47c21aa";
  const transport = createTransport({ sleep: async () => {} });
  let hub: JupyterHub;
  let connection: KernelConnection | undefined;
  let states: ConnectionState["type"][] = [];

  before(async () => {
    hub = await startJupyterHub({ user: "alice", servers: [name], terminals: true, debugger: true });
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

  /** A connection to a new kernel. */
  async function connect(client: ContentClient, server: KernelServer, path: string): Promise<KernelConnection> {
    const session = await server.openSession(path, { type: "new", specName: "python3" });
    assert.ok(session.kernel !== undefined);
    assert.deepEqual(occupancyOf(session.kernel), { type: "free" });
    const { id: kernelId } = session.kernel;
    return await openKernelConnection({
      client: async () => client,
      kernelId,
      journal: new MemoryJournal(),
      recorder: "on",
      times: { firstPauseMs: 50, maxPauseMs: 300 },
    });
  }

  /** A kernel with a running cell. */
  async function start(path: string): Promise<{ readonly cell: Cell; readonly ended: Promise<unknown> }> {
    const client = clientAt(hub.url + hub.prefix(name), await hub.userToken());
    const server = new KernelServer(async () => client);
    connection = await connect(client, server, path);
    connection.onState(({ type }) => states.push(type));
    assert.equal((await run(connection, "print('through the hub')")).text(), "through the hub\n");
    const attached = await server.kernel(connection.kernelId);
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

  it("shows a running kernel's variables and data frames, debugs its cells, and shows a file", async () => {
    const client = clientAt(hub.url + hub.prefix(name), await hub.userToken());
    const server = new KernelServer(async () => client);
    const own = await connect(client, server, "looked.ipynb");
    const page = { start: 0, stop: 2, firstColumn: 0, lastColumn: 2 };
    const view = { filters: [], sorting: [{ column: 0, descending: true }], search: "" };
    try {
      await run(own, "import pandas as pd\ndf = pd.DataFrame({'n': [2, 1], 't': ['a', 'b']})");
      const busy = new Cell("import time\nprint('began', flush=True)\nwhile True: time.sleep(0.01)");
      const [execution] = await own.execute([busy.request()]);
      await until("the cell to begin", () => busy.text() === "began\n");
      const program = await attachProgram(own);
      const list = { filter: "", sort: "name" as const, includesAll: false, offset: 0, count: 200 };
      const { rows } = await program.request(listVariables, list);
      assert.deepEqual(
        rows.map(({ label, shape }) => [label, shape]),
        [["df", "(2, 2)"]],
      );
      const frame = await program.request(openFrame, { expression: "df", view });
      assert.deepEqual((await program.request(readFramePage, { id: frame.id, view, ...page })).cells, [
        ["2", "1"],
        ["a", "b"],
      ]);
      await own.interrupt();
      await execution?.ended;

      const editor = new Editor(own, { one: "a = 1\nb = 2\nc = 3" });
      await editor.start({ one: [{ line: 2 }] });
      const [stopped] = await own.execute([new Cell("a = 1\nb = 2\nc = 3").request()]);
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> one:2"]);
      assert.deepEqual(await editor.step("next"), ["step", "<module> one:3"]);
      await editor.body("disconnect");
      assert.deepEqual(await stopped?.ended, { type: "ok" });

      await writeFile(join(hub.serverRoot(name), "a.csv"), "n,t\n1,b\n2,a\n");
      const { signal } = new AbortController();
      const options = { client: async () => client, owner: "hub", signal, log: silentLog };
      const { companion, sessionId } = await startCompanion(options);
      const unsorted = { ...view, sorting: [] };
      const file = await companion.request(openFrame, { path: "a.csv", view: unsorted });
      assert.deepEqual((await companion.request(readFramePage, { id: file.id, view: unsorted, ...page })).cells, [
        ["1", "2"],
        ["b", "a"],
      ]);
      companion.dispose();
      const { kernelId } = companion;
      await until("the connection's end", async () => (await server.kernel(kernelId))?.connections === 0);
      await endCompanion(async () => client, { sessionId, kernelId }, { isForced: false });
    } finally {
      own.dispose();
      await server.shutDown(own.kernelId);
    }
  });

  it("runs the companion of a workspace, and starts a new one when the workspace runs again", async () => {
    const client = clientAt(hub.url + hub.prefix(name), await hub.userToken());
    const { signal } = new AbortController();
    const startOne = () => startCompanion({ client: async () => client, owner: "hub", signal, log: silentLog });
    await writeFile(join(hub.serverRoot(name), "needle.py"), "needle = 1\n");
    const paths: string[] = [];
    const search = async ({ companion }: StartedCompanion): Promise<readonly string[]> => {
      const onPush = ({ items }: PushOf<typeof searchText>): void => void paths.push(...items.map(({ path }) => path));
      await companion.request(searchText, needle, { onPush });
      return paths.splice(0);
    };
    const first = await startOne();
    assert.deepEqual(await search(first), ["needle.py"]);
    // Another window shares it.
    const second = await startOne();
    assert.equal(second.companion.kernelId, first.companion.kernelId);
    second.companion.dispose();
    const ended = new Promise((resolve) => first.companion.onEnd(resolve));
    await hub.stopServer(name);
    await hub.startServer(name);
    await ended;
    const next = await startOne();
    assert.notEqual(next.companion.kernelId, first.companion.kernelId);
    assert.deepEqual(await search(next), ["needle.py"]);
    next.companion.dispose();
    const { kernelId } = next.companion;
    const server = new KernelServer(async () => client);
    await until("the connection's end", async () => (await server.kernel(kernelId))?.connections === 0);
    await endCompanion(async () => client, { sessionId: next.sessionId, kernelId }, { isForced: false });
    assert.deepEqual(await server.kernels(), []);
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
