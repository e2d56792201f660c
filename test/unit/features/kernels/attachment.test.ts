import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KernelServer } from "../../../../src/api/kernels/kernel-server.ts";
import type { KernelChoice, KernelSession } from "../../../../src/api/kernels/models.ts";
import type { KernelLeases } from "../../../../src/api/kernels/ownership.ts";
import {
  type AttachedKernel,
  type AttachmentParts,
  attachKernel,
  settleOwner,
} from "../../../../src/features/kernels/sessions/attachment.ts";
import { WindowLeases } from "../../../../src/features/kernels/sessions/window-leases.ts";
import { leaseFilesIn } from "../../../../src/tenants/lease-files.ts";
import { CancellationError, editor, type ShownMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { waitFor } from "../../../harness/workbench/waiting.ts";

const noKernel = { lastKernelId: undefined, separateSessionId: undefined };

/** A server on which a notebook has a kernel with this many connections. */
class FakeServer {
  readonly opened: (readonly [string, KernelChoice])[] = [];
  readonly changed: KernelChoice[] = [];
  connections = 0;
  specName = "python3";

  async openSession(path: string, choice: KernelChoice = { type: "new", specName: "python3" }): Promise<KernelSession> {
    this.opened.push([path, choice]);
    return this.#session(path, path === "a/book.ipynb" ? "shared" : "own");
  }

  async changeKernel(_: string, choice: KernelChoice): Promise<KernelSession> {
    this.changed.push(choice);
    this.specName = choice.type === "new" ? choice.specName : this.specName;
    return this.#session("a/book.ipynb", "changed");
  }

  #session(path: string, id: string): KernelSession {
    const kernel = {
      id,
      specName: this.specName,
      executionState: "idle",
      lastActivity: undefined,
      connections: id === "shared" ? this.connections : 0,
    };
    return { id: `session of ${id}`, path, name: "", type: "notebook", kernel };
  }
}

describe("attaching to a notebook's kernel", () => {
  let directory: string;
  let server: FakeServer;
  let leases: KernelLeases;
  const { messages } = editor;
  let windowLeases: WindowLeases;
  let attach: (more?: Partial<AttachmentParts>) => Promise<AttachedKernel>;
  let seen: number;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-leases-"));
    attach = (more = {}) =>
      attachKernel({ ...parts(), ...more }, { path: "a/book.ipynb", specName: "python3", specTitle: "Python 3" });
  });
  beforeEach(async () => {
    await rm(directory, { recursive: true, force: true });
    server = new FakeServer();
    leases = leaseFilesIn(directory);
    windowLeases = new WindowLeases({ leases, owner: "this", onError: (error) => assert.fail(String(error)) });
    seen = messages.length;
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const parts = (): AttachmentParts => ({
    server: server as unknown as KernelServer,
    leases: windowLeases,
    ...noKernel,
  });
  const asked = (): Promise<ShownMessage> => waitFor("a question", async () => messages[seen]);

  it("asks nothing if no other client is connected, and holds the lease", async () => {
    assert.equal((await attach()).kernel.id, "shared");
    assert.equal(messages.length, seen);
    assert.equal(await leases.acquire("shared", "another", 1_000), "this");
  });

  it("asks nothing for this window's previous kernel, even if its broken connection still counts", async () => {
    server.connections = 1;
    assert.equal((await attach({ lastKernelId: "shared" })).kernel.id, "shared");
    assert.equal(messages.length, seen);
  });

  it("asks if JupyterLab is connected: take over", async () => {
    server.connections = 1;
    const attaching = attach();
    const { items, choose, text } = await asked();
    assert.match(text, /using the kernel of book\.ipynb/);
    choose(items[0]);
    const { kernel, role } = await attaching;
    assert.deepEqual([kernel.id, role], ["shared", "owner"]);
    assert.equal(await leases.acquire("shared", "another", 1_000), "this");
  });

  it("asks nothing for the kernel of another notebook of this window, and keeps its lease", async () => {
    const lost: string[] = [];
    const other = await windowLeases.hold("shared");
    other.onDidChange(() => lost.push(other.isLost ? "lost" : "regained"));
    server.connections = 2;
    const session = await server.openSession("a/book.ipynb");
    const kernel = session.kernel ?? assert.fail();
    assert.equal((await settleOwner(parts(), session, kernel, "a/book.ipynb")).role, "owner");
    assert.equal(messages.length, seen);
    assert.equal(await leases.acquire("shared", "another", 1_000), "this");
    await leases.takeOver("shared", "another", 60_000);
    const settling = settleOwner(parts(), session, kernel, "a/book.ipynb");
    (await asked()).choose("Take Over");
    await settling;
    assert.deepEqual(lost, ["lost", "regained"]);
    other.dispose();
    await other.released;
  });

  it("follows the kernel without its lease", async () => {
    server.connections = 1;
    const attaching = attach();
    const { items, choose } = await asked();
    choose(items[1]);
    const { kernel, role } = await attaching;
    assert.deepEqual([kernel.id, role], ["shared", "follower"]);
    assert.equal(await leases.acquire("shared", "another", 1_000), "another");
  });

  it("asks if another window has the lease: a separate kernel in the same folder", async () => {
    server.connections = 1;
    await leases.acquire("shared", "another", 60_000);
    const attaching = attach({ lastKernelId: "shared" });
    const { items, choose } = await asked();
    choose(items[2]);
    assert.equal((await attaching).kernel.id, "own");
    assert.match(server.opened[1]?.[0] ?? "", /^a\/book-[0-9a-f]{8}\.ipynb$/);
    assert.equal(await leases.acquire("shared", "another", 1_000), "another");
  });

  it("attaches to no kernel if the user cancels", async () => {
    server.connections = 1;
    const attaching = attach();
    (await asked()).choose(undefined);
    await assert.rejects(attaching, CancellationError);
    assert.equal(await leases.acquire("shared", "another", 1_000), "another");
  });

  it("shuts down a kernel of another spec only after a confirmation", async () => {
    server.specName = "ir";
    const refused = attach();
    (await asked()).choose(undefined);
    await assert.rejects(refused, CancellationError);
    assert.deepEqual(server.changed, []);
    seen = messages.length;
    const attaching = attach();
    const { items, choose, text } = await asked();
    assert.match(text, /running on the kernel ir/);
    choose(items[0]);
    assert.equal((await attaching).kernel.id, "changed");
    assert.deepEqual(server.changed, [{ type: "new", specName: "python3" }]);
  });

  it("acquires a lease that has expired or was released", async () => {
    await leases.acquire("kernel", "another", -1);
    assert.equal(await leases.acquire("kernel", "this", 60_000), "this");
    await leases.release("kernel", "another");
    assert.equal(await leases.acquire("kernel", "third", 1_000), "this");
    await leases.release("kernel", "this");
    assert.equal(await leases.acquire("kernel", "third", 1_000), "third");
  });
});
