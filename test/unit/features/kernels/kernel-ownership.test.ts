import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KernelLeases } from "../../../../src/api/kernels/ownership.ts";
import { settleKernel } from "../../../../src/features/kernels/kernel-ownership.ts";
import type { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";
import type { HeldLease } from "../../../../src/features/kernels/sessions/held-lease.ts";
import type { KernelSessions } from "../../../../src/features/kernels/sessions/kernel-sessions.ts";
import { WindowLeases } from "../../../../src/features/kernels/sessions/window-leases.ts";
import { leaseFilesIn } from "../../../../src/tenants/lease-files.ts";
import { CancellationError, editor, type ShownMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { waitFor } from "../../../harness/workbench/waiting.ts";

describe("a notebook whose kernel another window has taken over", () => {
  let directory: string;
  let leases: KernelLeases;
  const { messages } = editor;
  let seen: number;
  let exists: boolean;
  let done: string[];
  let settle: () => Promise<void>;
  let lease: HeldLease;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-attachments-"));
    leases = leaseFilesIn(directory);
    exists = true;
    done = [];
    seen = messages.length;
    const onError = (error: unknown): void => assert.fail(String(error));
    const windowLeases = new WindowLeases({ leases, owner: "this", onError });
    settle = () => settleKernel(kernel(), {} as unknown as KernelSessions);
    lease = await windowLeases.hold("kernel");
    lease.onDidChange(() => done.push(lease.isLost ? "follows" : "leads"));
  });
  afterEach(async () => {
    await leases.release("kernel", "this");
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const kernel = (): NotebookKernel => {
    const fake = {
      path: "a/book.ipynb",
      workspace: { server: { kernel: async (id: string) => (exists ? { id } : undefined) } },
      lease,
      connection: { kernelId: "kernel" },
      controller: { spec: { name: "python3" } },
      session: { id: "session" },
      get isFollowing() {
        return done.includes("follows");
      },
      dropAll: () => done.push("drops"),
      disconnect: () => done.push("disconnects"),
    };
    return fake as unknown as NotebookKernel;
  };
  const asked = (): Promise<ShownMessage> => waitFor("a question", async () => messages[seen]);

  it("asks nothing while this window has the kernel", async () => {
    await settle();
    assert.deepEqual([done, messages.length], [[], seen]);
  });

  it("is detected before cells are sent, and takes over the kernel on the same connection", async () => {
    await leases.takeOver("kernel", "another", 60_000);
    const settling = settle();
    const { items, choose } = await asked();
    assert.deepEqual(items, ["Take Over", "Follow", "Start My Own Kernel"]);
    choose("Take Over");
    await settling;
    assert.deepEqual(done, ["follows", "leads"]);
    assert.equal(await leases.acquire("kernel", "another", 60_000), "this");
  });

  it("sends nothing if the user keeps following or dismisses the question", async () => {
    await leases.takeOver("kernel", "another", 60_000);
    for (const response of ["Follow", undefined]) {
      seen = messages.length;
      const settling = settle();
      (await asked()).choose(response);
      await assert.rejects(settling, CancellationError);
    }
    assert.deepEqual(done, ["follows"]);
    assert.equal(await leases.acquire("kernel", "this", 60_000), "another");
  });

  it("asks nothing if the kernel no longer exists, because the next one belongs to this window", async () => {
    await leases.takeOver("kernel", "another", 60_000);
    exists = false;
    await settle();
    assert.deepEqual(done, ["follows", "drops", "disconnects"]);
    assert.equal(messages.length, seen);
  });
});
