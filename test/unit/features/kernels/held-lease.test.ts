import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KernelLeases } from "../../../../src/api/kernels/ownership.ts";
import type { HeldLease } from "../../../../src/features/kernels/sessions/held-lease.ts";
import { WindowLeases } from "../../../../src/features/kernels/sessions/window-leases.ts";
import { leaseFilesIn } from "../../../../src/tenants/lease-files.ts";

describe("the lease of a kernel", () => {
  let directory: string;
  let leases: KernelLeases;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-lease-"));
    leases = leaseFilesIn(directory);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const held = async (owner: string) => {
    const lost: string[] = [];
    const failed: unknown[] = [];
    const window = new WindowLeases({ leases, owner, onError: (error) => void failed.push(error) });
    const hold = async (notebook: string): Promise<HeldLease> => {
      const lease = await window.hold("kernel");
      const note = (): void => void lost.push(lease.isLost ? notebook : `${notebook} again`);
      lease.onDidChange(note);
      if (lease.isLost) {
        note();
      }
      return lease;
    };
    return { lease: await hold(owner), hold, window, lost, failed };
  };

  it("is lost once to the window that takes over the kernel, and can be taken back", async () => {
    const first = await held("first");
    assert.equal(first.lease.isLost, false);
    await leases.takeOver("kernel", "second", 60_000);
    await first.lease.renew();
    await first.lease.renew();
    assert.deepEqual([first.lease.isLost, first.lost], [true, ["first"]]);
    await first.lease.reacquire();
    assert.equal(first.lease.isLost, false);
    assert.equal(await leases.acquire("kernel", "second", 60_000), "first");
    await leases.takeOver("kernel", "second", 60_000);
    await first.lease.renew();
    assert.deepEqual(first.lost, ["first", "first again", "first"]);
    first.lease.dispose();
    assert.deepEqual(first.failed, []);
  });

  it("is not requested again after another window acquired it, even if that window releases it", async () => {
    await leases.takeOver("kernel", "second", 60_000);
    const { lease } = await held("first");
    assert.equal(lease.isLost, true);
    await leases.release("kernel", "second");
    await lease.renew();
    assert.equal(lease.isLost, true);
    assert.equal(await leases.acquire("kernel", "third", 60_000), "third");
    lease.dispose();
  });

  it("is released with the connection, and not acquired again", async () => {
    const { lease, lost } = await held("first");
    lease.dispose();
    await lease.renew();
    assert.deepEqual(lost, []);
    for (let tries = 0; (await leases.acquire("kernel", "second", 60_000)) !== "second"; tries += 1) {
      assert.ok(tries < 1000);
    }
  });

  it("is kept while another notebook of the window uses it, and released by the last one", async () => {
    const { lease, hold, window, lost, failed } = await held("first");
    const other = await hold("other notebook");
    lease.dispose();
    await lease.released;
    assert.equal(window.isHeld("kernel"), true);
    await window.release("kernel");
    assert.equal(await leases.acquire("kernel", "second", 60_000), "first");
    other.dispose();
    other.dispose();
    await other.released;
    assert.equal(window.isHeld("kernel"), false);
    assert.equal(await leases.acquire("kernel", "second", 60_000), "second");
    assert.deepEqual([lost, failed], [[], []]);
  });

  it("is not released if another notebook acquires it at the same time", async () => {
    const { lease, hold } = await held("first");
    lease.dispose();
    const next = await hold("next notebook");
    await lease.released;
    assert.equal(next.isLost, false);
    assert.equal(await leases.acquire("kernel", "second", 60_000), "first");
    next.dispose();
    await next.released;
  });

  it("is lost and taken back for all notebooks of the window together", async () => {
    const { lease, hold, window, lost } = await held("one");
    const other = await hold("two");
    await leases.takeOver("kernel", "second", 60_000);
    await other.renew();
    assert.deepEqual([lease.isLost, other.isLost, window.isHeld("kernel")], [true, true, false]);
    await lease.reacquire();
    assert.deepEqual([lease.isLost, other.isLost, window.isHeld("kernel")], [false, false, true]);
    assert.deepEqual(lost, ["one", "two", "one again", "two again"]);
    await leases.takeOver("kernel", "second", 60_000);
    const third = await hold("three");
    assert.deepEqual(lost.slice(4), ["one", "two", "three"]);
    await leases.release("kernel", "second");
    await (await hold("four")).renew();
    assert.deepEqual(
      [lease, other, third].map(({ isLost }) => isLost),
      [false, false, false],
    );
  });
});
