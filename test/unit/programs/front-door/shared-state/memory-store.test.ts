import assert from "node:assert/strict";
import { isRejection } from "../../../../../src/programs/front-door/http/rejections.ts";
import { MemoryStore } from "../../../../../src/programs/front-door/shared-state/memory-store.ts";

function storeAt(monotonic: () => number): MemoryStore {
  return new MemoryStore({ revocationSeconds: 100, monotonic });
}

async function timesOf(store: MemoryStore, ...names: readonly string[]): Promise<readonly (number | undefined)[]> {
  return (await store.revokedSince(names)).times;
}

describe("front door: state in memory: used confirmations", () => {
  it("count once, regardless of the time", async () => {
    let now = 0;
    const store = storeAt(() => now);
    assert.deepEqual(await store.use("a"), { isFirst: true });
    assert.deepEqual(await store.use("a"), { isFirst: false });
    now += 3_600_000;
    assert.deepEqual(await store.use("a"), { isFirst: false });
    assert.deepEqual(await store.use("b"), { isFirst: true });
  });

  it("are rejected while too many unexpired ones are stored", async () => {
    let now = 0;
    const store = storeAt(() => now);
    for (let index = 0; index < 100_000; index += 1) await store.use(String(index));
    assert.deepEqual(await store.use("one more"), { isFirst: false });
    now += 5 * 60_000 + 1;
    assert.deepEqual(await store.use("one more"), { isFirst: true });
    assert.deepEqual(await store.use("one more"), { isFirst: false });
  });
});

describe("front door: state in memory: revocations", () => {
  it("keep the latest time for the configured duration", async () => {
    let now = 0;
    const store = storeAt(() => now);
    await store.revoke("subject anna", 500);
    await store.revoke("subject anna", 400);
    assert.deepEqual(await timesOf(store, "subject ben", "subject anna"), [undefined, 500]);
    now += 99_999;
    assert.deepEqual(await timesOf(store, "subject anna"), [500]);
    now += 1;
    assert.deepEqual(await timesOf(store, "subject anna"), [undefined]);
  });

  it("are rejected while too many are stored, and accepted again after some have expired", async () => {
    let now = 0;
    const store = storeAt(() => now);
    for (let index = 0; index < 100_000; index += 1) await store.revoke(`subject ${index}`, 1);
    const refused = await store.revoke("subject anna", 1);
    assert.ok(refused !== undefined && isRejection(refused));
    assert.equal(await store.revoke("subject 5", 2), undefined);
    now += 100_001;
    assert.equal(await store.revoke("subject anna", 1), undefined);
    assert.deepEqual(await timesOf(store, "subject anna", "subject 5"), [1, undefined]);
  });
});
