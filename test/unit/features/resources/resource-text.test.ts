import assert from "node:assert/strict";
import type { Workspace } from "../../../../src/api/catalogue/models/workspaces.ts";
import type { ResourceUsage } from "../../../../src/api/resources/resource-usage.ts";
import { memoryOf, resourceText } from "../../../../src/features/resources/resource-text.ts";

const gigabyte = 2 ** 30;
const now = Date.parse("2026-01-01T12:00:00Z");

const usage: ResourceUsage = {
  memory: { used: 1.2 * gigabyte, limit: 8 * gigabyte, source: "container" },
  processor: { used: 0.5, limit: 2, source: "container" },
  kernels: [
    { id: "a", memory: gigabyte, processor: 0.1 },
    { id: "b", memory: 100 * 2 ** 20, processor: null },
  ],
  culling: { idleSeconds: 3600, endsBusy: false, endsConnected: false },
  canSeeProcesses: true,
};

function textOf(changes: Partial<ResourceUsage> = {}, workspace?: Workspace) {
  const names = new Map([["a", "sales.ipynb"]]);
  return resourceText({ ...usage, ...changes }, "Sales", workspace, (id) => names.get(id), now);
}

function linesOf(...parameters: Parameters<typeof textOf>): Readonly<Record<string, string>> {
  const lines = textOf(...parameters)?.card.lines ?? [];
  return Object.fromEntries(lines.filter((line): line is readonly [string, string] => line[1] !== undefined));
}

describe("the status bar's text about a workspace's resources", () => {
  it("has memory and processors, with what costs most in its card", () => {
    assert.equal(textOf()?.text, "1.2 GB / 8.0 GB · CPU 25%");
    assert.equal(textOf()?.label, "Resources of Sales: 1.2 GB / 8.0 GB, CPU 25%");
    assert.deepEqual(linesOf(), {
      Memory: "1.2 GB / 8.0 GB (15%)",
      Processors: "0.5 / 2",
      "sales.ipynb": "1.0 GB",
      "Other kernel": "100 MB",
      "Idle kernels": "ended by the server after 1h",
    });
  });

  it("has what is known", () => {
    assert.equal(textOf({ processor: { ...usage.processor, used: null } })?.text, "1.2 GB / 8.0 GB");
    assert.equal(textOf({ memory: null })?.text, "CPU 25%");
    assert.equal(textOf({ memory: null, processor: { ...usage.processor, used: null } }), undefined);
    const unlimited = { used: gigabyte, limit: null, source: "server" } as const;
    assert.equal(textOf({ memory: unlimited })?.text, "1.0 GB · CPU 25%");
    assert.equal(textOf({ memory: unlimited }, { id: "w", memory: 4 })?.text, "1.0 GB / 4.0 GB · CPU 25%");
  });

  it("says in one sentence what can't be known", () => {
    assert.equal(linesOf().Kernels, undefined);
    assert.equal(linesOf({ kernels: [] }).Kernels, "The kernels run on another machine, or as another user.");
    assert.equal(
      linesOf({ kernels: [], canSeeProcesses: false }).Kernels,
      "The server's system doesn't show its processes.",
    );
    const memory = { used: gigabyte, limit: null, source: "server" } as const;
    assert.equal(linesOf({ kernels: [], memory }).Kernels, "The server reports only the sum of all kernels.");
    const machine = { used: gigabyte, limit: 2 * gigabyte, source: "machine" } as const;
    assert.match(textOf({ memory: machine })?.card.description ?? "", /whole machine/);
  });

  it("has the workspace's size and its time limit, as the platform reports them", () => {
    const workspace: Workspace = { id: "w", cpu: 2, memory: 8, timeoutHours: 8 };
    assert.equal(linesOf({}, workspace).Size, "2 CPU / 8 GB");
    assert.equal(linesOf({}, workspace)["Time limit"], "8h");
    assert.equal(
      linesOf({}, { ...workspace, activityBasedTimeout: true })["Time limit"],
      "stops 8h after the last activity",
    );
    const instances = [{ status: "RUNNING", started: "2026-01-01T10:00:00Z" }];
    assert.match(
      linesOf({}, { ...workspace, activityBasedTimeout: false, instances })["Time limit"] ?? "",
      /^stops at .*2026/,
    );
    const ended = [{ status: "RUNNING", started: "2025-12-31T10:00:00Z" }];
    assert.equal(linesOf({}, { ...workspace, activityBasedTimeout: false, instances: ended })["Time limit"], "8h");
  });

  it("compares memory with the server's own limit first", () => {
    assert.deepEqual(memoryOf(usage, { id: "w", memory: 4 })?.limit, 8 * gigabyte);
  });
});
