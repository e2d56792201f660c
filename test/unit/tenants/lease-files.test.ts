import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leaseFilesIn } from "../../../src/tenants/lease-files.ts";

describe("kernel leases in files", () => {
  const owners = Array.from({ length: 12 }, (_, index) => `window-${index}`);
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "leases-"));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** The windows acquire the lease at the same time. Returns those that believe that they own it. */
  async function acquireAtOnce(kernelId: string, windows = owners): Promise<readonly string[]> {
    const responses = await Promise.all(
      windows.map((owner) => leaseFilesIn(directory).acquire(kernelId, owner, 60_000)),
    );
    return windows.filter((owner, index) => responses[index] === owner);
  }

  it("have one owner if all windows acquire them concurrently", async () => {
    for (let round = 0; round < 20; round += 1) {
      const winners = await acquireAtOnce(`kernel-${round}`);
      assert.equal(winners.length, 1, winners.join(" "));
    }
    assert.equal((await readdir(directory)).length, 20);
  });

  it("have one owner if they have expired and two windows acquire them, and leave no other file", async () => {
    const leases = leaseFilesIn(directory);
    for (let round = 0; round < 20; round += 1) {
      await leases.takeOver(`kernel-${round}`, "closed window", -1);
      const winners = await acquireAtOnce(`kernel-${round}`, owners.slice(0, 2));
      assert.equal(winners.length, 1, winners.join(" "));
      const [winner = ""] = winners;
      assert.equal(await leases.acquire(`kernel-${round}`, winner, 60_000), winner);
      assert.equal(await leases.acquire(`kernel-${round}`, "later", 60_000), winner);
    }
    assert.equal((await readdir(directory)).length, 20);
  });

  it("belong to the window that takes over, and are released only by their owner", async () => {
    const leases = leaseFilesIn(directory);
    assert.equal(await leases.acquire("kernel", "one", 60_000), "one");
    await leases.takeOver("kernel", "two", 60_000);
    await leases.release("kernel", "one");
    assert.equal(await leases.acquire("kernel", "one", 60_000), "two");
    await leases.release("kernel", "two");
    assert.equal(await leases.acquire("kernel", "one", 60_000), "one");
  });
});
