import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "../../src/api/client/client.ts";
import { monotonicClock } from "../../src/api/clock.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { PresenceOfUse } from "../../src/api/presence.ts";
import { WorkspaceFiles } from "../../src/file-system/provider/workspace-files.ts";
import { quietTransfers } from "../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import { WorkspaceWatcher } from "../../src/file-system/watch/workspace-watcher.ts";
import { SaveJournal } from "../../src/file-system/write/save-journal.ts";
import { startJupyterHub } from "../harness/jupyter-hub.ts";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, MemoryJournal, run, startRig } from "./rig.ts";

/** Presence that ends as soon as nobody uses the window. */
const presenceAtOnce = (): PresenceOfUse => new PresenceOfUse(monotonicClock, 0);

function untilState(connection: KernelConnection, type: KernelConnection["state"]["type"]): Promise<unknown> {
  const seen = (): string => `${connection.state.type}, ${connection.activity}`;
  return until(`the state ${type}`, () => connection.state.type === type, { seen });
}

describe("A window that nobody uses", function () {
  this.timeout(180_000);

  describe("with a kernel", () => {
    let rig: KernelRig;
    before(async () => {
      rig = await startRig();
    });
    after(async () => await rig.stop());

    const connections = async (kernelId: string): Promise<number | undefined> =>
      (await rig.server.kernel(kernelId))?.connections;

    it("closes its socket, but not while a cell runs, and misses no output", async () => {
      const presence = presenceAtOnce();
      const kernelId = await rig.startKernel();
      const connection = await rig.connect(kernelId, { presence });
      await connection.ready();
      const running = new Cell("import os, time\nprint('runs')\nwhile not os.path.exists('go'): time.sleep(0.01)");
      const [execution] = await connection.execute([running.request()]);
      await until("the start", () => running.text() !== "");
      presence.use(false);
      await until("the absence", () => !presence.isPresent);
      assert.equal(connection.state.type, "connected");
      assert.equal(await connections(kernelId), 1);
      await writeFile(join(rig.root, "go"), "");
      assert.deepEqual(await execution?.ended, { type: "ok" });
      await untilState(connection, "resting");
      await until("the end of the socket", async () => (await connections(kernelId)) === 0);

      // A cell that runs meanwhile wakes it, for example a task that another extension starts.
      const late = [
        "import threading",
        "def late():",
        "    while not os.path.exists('late'): time.sleep(0.01)",
        "    for i in range(3): print('late', i)",
        "    open('done', 'w').close()",
        "threading.Thread(target=late).start()",
        "print('first')",
      ].join("\n");
      const cell = await run(connection, late);
      assert.equal(cell.text(), "first\n");
      await untilState(connection, "resting");
      await writeFile(join(rig.root, "late"), "");
      await until("the late output", () => existsSync(join(rig.root, "done")));
      presence.use(true);
      await untilState(connection, "connected");
      await until("the output in the cell", () => cell.text() === "first\nlate 0\nlate 1\nlate 2\n", {
        seen: () => cell.text(),
      });
      assert.deepEqual(cell.of("gap"), []);
      assert.equal((await run(connection, "print('works')")).text(), "works\n");
    });

    it("learns on its return that the kernel has ended", async () => {
      const presence = presenceAtOnce();
      const kernelId = await rig.startKernel();
      const connection = await rig.connect(kernelId, { presence });
      await connection.ready();
      presence.use(false);
      await untilState(connection, "resting");
      await rig.server.shutDown(kernelId);
      presence.use(true);
      await untilState(connection, "kernelDead");
    });
  });

  it("doesn't keep the server of a hub running, which a used window does", async () => {
    const name = "f47c21aa";
    const hub = await startJupyterHub({ user: "alice", servers: [name], tracksActivity: true });
    const transport = createTransport({ sleep: async () => {} });
    let end = (): void => {};
    try {
      await hub.startServer(name);
      const base = new URL(hub.url + hub.prefix(name));
      const credential = new NotebookToken(base.origin, await hub.userToken());
      const client = new Client(
        { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
        transport,
      );
      const presence = presenceAtOnce();
      const session = await new KernelServer(async () => client).openSession("a.ipynb", {
        type: "new",
        specName: "python3",
      });
      const connection = await openKernelConnection({
        client: async () => client,
        kernelId: session.kernel?.id ?? "",
        journal: new MemoryJournal(),
        recorder: "on",
        presence,
        times: { ping: 500 },
      });
      const files = new WorkspaceFiles({
        access: { connect: async () => client, relocate: async () => false },
        versions: new EditorVersions(),
        editors: { isOpen: () => false, isDirty: () => false, unsaved: () => [], saving: () => [] },
        onChanged: () => {},
        beforeReplacing: async () => {},
        transfers: async () => quietTransfers,
        journal: new SaveJournal(),
      });
      const watcher = new WorkspaceWatcher(files, () => [], monotonicClock, true);
      presence.onChange(() => (presence.isPresent ? watcher.focusChanged(true) : watcher.rest()));
      end = () => {
        connection.dispose();
        watcher.dispose();
      };
      watcher.watch({ path: "", recursive: true, excludes: [] });
      assert.equal((await run(connection, "print('runs')")).text(), "runs\n");
      const ran = Date.now();
      const isActive = async (): Promise<boolean> => {
        const last = await hub.lastActivity(name);
        return last !== undefined && last > ran + 3000;
      };
      await until("the activity of a window that is used", isActive, { interval: 250 });
      presence.use(false);
      await hub.cullIdle(4);
      await until("the stop of the server", async () => (await hub.lastActivity(name)) === undefined, {
        interval: 250,
        seen: () => hub.output().slice(-3000),
      });
      assert.equal(connection.state.type, "resting");
      presence.use(true);
      await until("the stopped server", () => connection.state.type === "serverStopped");
    } finally {
      end();
      await transport.close();
      await hub.kill();
    }
  });
});
