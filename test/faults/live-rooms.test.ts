import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extendedJupyter } from "../../scripts/set-up/extended-jupyter.ts";
import { ready } from "../../scripts/set-up/part.ts";
import { monotonicClock } from "../../src/api/clock.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { registerServerVersions } from "../../src/file-system/merge/server-version.ts";
import { WorkspaceWatcher } from "../../src/file-system/watch/workspace-watcher.ts";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { until } from "../harness/until.ts";
import { type ContentPlace, FilesClient } from "./client.ts";
import { Person } from "./person.ts";

const book = (...sources: readonly string[]): string =>
  JSON.stringify({
    cells: sources.map((source, index) => ({
      cell_type: "code",
      execution_count: null,
      id: `c${index}`,
      metadata: {},
      outputs: [],
      source,
    })),
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

describe("notebooks that others have open live", () => {
  let root: string;
  let server: JupyterServer;
  let lane: ContentPlace;
  let transport: Transport;
  let client: FilesClient;
  let person: Person;
  let watcher: WorkspaceWatcher;
  let provider: { dispose(): unknown };
  let undone: string[];
  let path: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "platform-workbench-live-"));
    server = await startJupyterServer({ root, token: randomUUID(), basePath: "/user/ada/live/", release: "live" });
    lane = { origin: new URL(server.url).origin, prefix: "/user/ada/live/", token: server.token };
  });
  after(async () => {
    await server.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  beforeEach(async () => {
    transport = createTransport();
    client = await FilesClient.connect(lane, { transport });
    person = new Person(client);
    provider = registerServerVersions(client.files);
    path = `${randomUUID()}.ipynb`;
    undone = [];
    const files = client.files.workspace(client.tenantId, client.workspaceId);
    watcher = new WorkspaceWatcher(files, () => (person.isOpen(path) ? [path] : []), monotonicClock, true);
    watcher.observeUndone((one) => undone.push(one));
    await writeFile(join(root, path), book("x = 1", "y = 2"));
    await client.files.readDirectory(client.uri(""));
    watcher.watch({ path: "", recursive: true, excludes: [] });
    await person.open(path);
  });
  afterEach(async () => {
    watcher.dispose();
    client.dispose();
    provider.dispose();
    person.closeAll();
    await transport.close();
  });

  const onServer = (): Promise<string> => readFile(join(root, path), "utf8");
  const edit = (from: string, to: string): void => {
    const text = Buffer.from(person.bytes(path)).toString();
    assert.ok(text.includes(from));
    person.type(path, Buffer.from(text.replace(from, to)));
  };

  /** JupyterLab, which opens the notebook. */
  async function joinRoom(): Promise<{
    readonly process: ChildProcess;
    readonly shown: () => string;
    readonly type: (text: string) => void;
  }> {
    const { python } = await ready(extendedJupyter);
    const program = join(import.meta.dirname, "../harness/live-room-client.py");
    const joined = spawn(python, [program, `${lane.origin}${lane.prefix}`, lane.token, path], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    let shown = "";
    joined.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    joined.stderr.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    await until("the room's content", () => shown.includes("y = 2"), { seen: () => shown });
    return { process: joined, shown: () => shown, type: (text) => joined.stdin.write(`0 ${text}\n`) };
  }

  it("are known before the first save, and changes made there appear here", async () => {
    const opened = new Set<string>();
    watcher.rooms.observe((one) => opened.add(one));
    // The connection for events opens a while after the window.
    const other = path.replace(".ipynb", "-other.ipynb");
    await writeFile(join(root, other), book("z = 3"));
    const lab = await joinRoom();
    try {
      await until(
        "the room",
        () => {
          if (!opened.has(path)) lab.type("#");
          return opened.has(path);
        },
        { interval: 1_500 },
      );
      assert.ok(watcher.rooms.isOpen(path));
      assert.ok(!watcher.rooms.isOpen(other));
      client.takeEvents();
      lab.type("99");
      await until("the change by the room", () => client.takeEvents().includes(`changed ${path}`));
      assert.deepEqual(undone, []);
    } finally {
      lab.process.kill();
    }
  });

  it("say that a save was undone, keep it in the editor, and merge it again", async () => {
    edit("y = 2", "y = 22");
    await person.save(path);
    client.takeEvents();
    // A room that didn't notice the save.
    await writeFile(join(root, path), book("x = 100", "y = 2"));
    await until("the message", () => undone.includes(path));
    assert.ok(!client.takeEvents().includes(`changed ${path}`));
    assert.ok(Buffer.from(person.bytes(path)).toString().includes("y = 22"));
    await person.merge(path);
    await person.save(path);
    assert.match(await onServer(), /x = 100[\s\S]*y = 22/);
  });

  it("load a later change that keeps what was saved", async () => {
    edit("y = 2", "y = 22");
    await person.save(path);
    client.takeEvents();
    await writeFile(join(root, path), book("x = 100", "y = 22"));
    await until("the change", () => client.takeEvents().includes(`changed ${path}`));
    assert.deepEqual(undone, []);
  });
});
