import assert from "node:assert/strict";
import type { RunningKernel } from "../../../../src/api/kernels/models.ts";
import type { Culling, ResourceUsage } from "../../../../src/api/resources/resource-usage.ts";
import { byMemory } from "../../../../src/features/workspaces/running/kernel-memory.ts";
import { millisecondsUntilCulled, usageOf } from "../../../../src/features/workspaces/running/kernel-usage.ts";
import type { RunningItem } from "../../../../src/features/workspaces/running/running-items.ts";
import {
  type RunningRow,
  runningCard,
  runningRowItem,
} from "../../../../src/features/workspaces/running/running-rows.ts";

const gigabyte = 2 ** 30;

function kernelOf(id: string, changes: Partial<RunningKernel> = {}): RunningKernel {
  const kernel = { id, specName: "python3", executionState: "idle", connections: 0, lastActivity: undefined };
  return { ...kernel, ...changes };
}

function itemOf(id: string): RunningItem {
  return { type: "kernel", kernel: kernelOf(id), paths: [`${id}.ipynb`] };
}

function usageWith(memory: Readonly<Record<string, number>>, culling: Culling | null = null): ResourceUsage {
  return {
    memory: { used: 3 * gigabyte, limit: 8 * gigabyte, source: "container" },
    processor: { used: 0.5, limit: 2, source: "container" },
    kernels: Object.entries(memory).map(([id, bytes]) => ({ id, memory: bytes, processor: 0.25 })),
    culling,
    canSeeProcesses: true,
  };
}

function rowOf(item: RunningItem, usage: ResourceUsage | undefined): RunningRow {
  const place = { type: "running", tenantId: "t", workspaceId: "w", key: "k" } as const;
  return { ...place, item, terminalName: undefined, ...usageOf(item, usage) };
}

describe("what the kernels of a workspace use", () => {
  it("is in their rows, and marks the one that uses most", () => {
    const usage = usageWith({ large: 1.25 * gigabyte, small: 82.4 * 2 ** 20 });
    const descriptions = ["large", "small", "gone"].map((id) => runningRowItem(rowOf(itemOf(id), usage)).description);
    assert.deepEqual(descriptions, ["1.3 GB (most) · idle", "82 MB · idle", "idle"]);
    assert.equal(runningRowItem(rowOf(itemOf("only"), usageWith({ only: 5e7 }))).description, "48 MB · idle");
    assert.equal(runningRowItem(rowOf(itemOf("large"), undefined)).description, "idle");
  });

  it("is in their cards, with the time until the server ends an idle one", () => {
    const culling = { idleSeconds: 600, endsConnected: false, endsBusy: false };
    const item: RunningItem = {
      type: "kernel",
      kernel: kernelOf("a", { lastActivity: new Date(Date.now() - 330_000).toISOString() }),
      paths: [],
    };
    const { lines } = runningCard(rowOf(item, usageWith({ a: gigabyte }, culling)));
    assert.deepEqual(
      lines.filter(([name]) => ["Memory", "Processors"].includes(name)),
      [
        ["Memory", "1.0 GB"],
        ["Processors", "25%"],
      ],
    );
    const [, ended] = lines.find(([name]) => name === "Ended by the server") ?? [];
    assert.match(ended ?? "", /^in 4m \d\ds if it stays idle$/);
  });

  it("sorts kernels by their memory, and those without a figure last", () => {
    const usage = usageWith({ b: 2, c: 3 });
    const items = ["a", "b", "c", "d"].map((id) => ({ item: itemOf(id), usage: usageOf(itemOf(id), usage).usage }));
    const sorted = byMemory(items).map(({ item }) => (item.type === "kernel" ? item.kernel.id : ""));
    assert.deepEqual(sorted, ["c", "b", "a", "d"]);
  });

  it("counts the time until an idle kernel ends only for kernels that the server would end", () => {
    const now = Date.parse("2026-01-01T01:00:00Z");
    const lastActivity = "2026-01-01T00:50:00Z";
    const culling = { idleSeconds: 900, endsConnected: false, endsBusy: false };
    const until = (changes: Partial<RunningKernel>, rules: Partial<Culling> = {}): number | undefined =>
      millisecondsUntilCulled(kernelOf("a", { lastActivity, ...changes }), { ...culling, ...rules }, now);
    assert.equal(until({}), 300_000);
    assert.equal(until({ lastActivity: "2026-01-01T00:00:00Z" }), 0);
    assert.equal(until({ lastActivity: undefined }), undefined);
    assert.equal(until({ connections: 1 }), undefined);
    assert.equal(until({ connections: 1 }, { endsConnected: true }), 300_000);
    assert.equal(until({ executionState: "busy" }), undefined);
    assert.equal(until({ executionState: "busy" }, { endsBusy: true }), 300_000);
  });
});
