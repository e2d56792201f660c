import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KernelLeases } from "../../../../src/api/kernels/ownership.ts";
import { leaseFilesIn } from "../../../../src/features/kernels/sessions/lease-files.ts";

describe("the lease of a kernel", () => {
  let directory: string;
  let leases: KernelLeases;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-lease-"));
    leases = leaseFilesIn(directory);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const held = async (owner: string) => {
    // The editor's API is a stand-in here, which only what is imported afterwards gets.
    const { HeldLease } = await import("../../../../src/features/kernels/sessions/held-lease.ts");
    const lost: string[] = [];
    const failed: unknown[] = [];
    const lease = new HeldLease({
      leases,
      kernelId: "kernel",
      owner,
      onLost: () => void lost.push(owner),
      onError: (error) => void failed.push(error),
    });
    await lease.renew();
    return { lease, lost, failed };
  };

  it("is lost to the window that takes the kernel over, once, and can be taken back", async () => {
    const first = await held("first");
    assert.equal(first.lease.isLost, false);
    await leases.takeOver("kernel", "second", 60_000);
    await first.lease.renew();
    await first.lease.renew();
    assert.deepEqual([first.lease.isLost, first.lost], [true, ["first"]]);
    await first.lease.takeBack();
    assert.equal(first.lease.isLost, false);
    assert.equal(await leases.acquire("kernel", "second", 60_000), "first");
    await leases.takeOver("kernel", "second", 60_000);
    await first.lease.renew();
    assert.deepEqual(first.lost, ["first", "first"]);
    first.lease.dispose();
    assert.deepEqual(first.failed, []);
  });

  it("is not asked for once another window has it, even when that one lets it go", async () => {
    await leases.takeOver("kernel", "second", 60_000);
    const { lease } = await held("first");
    assert.equal(lease.isLost, true);
    await leases.release("kernel", "second");
    await lease.renew();
    assert.equal(lease.isLost, true);
    assert.equal(await leases.acquire("kernel", "third", 60_000), "third");
    lease.dispose();
  });

  it("is let go with the connection, and not taken again", async () => {
    const { lease, lost } = await held("first");
    lease.dispose();
    await lease.renew();
    assert.deepEqual(lost, []);
    for (let tries = 0; (await leases.acquire("kernel", "second", 60_000)) !== "second"; tries += 1) {
      assert.ok(tries < 1000);
    }
  });
});
