// What the companion of a real Jupyter Server reports about the kernels next to it.
import assert from "node:assert/strict";
import { watchResources } from "../../../src/api/companion/operations/resources.ts";
import { type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import type { ResourceUsage } from "../../../src/api/resources/resource-usage.ts";
import { usageOf } from "../../../src/features/workspaces/running/kernel-usage.ts";
import { type RunningRow, readRunning, runningRowItem } from "../../../src/features/workspaces/running/running-rows.ts";
import { countedTransport } from "../../harness/counted-transport.ts";
import { until } from "../../harness/until.ts";
import { Cell, type KernelRig, run, startRig } from "../rig.ts";

const megabyte = 2 ** 20;

describe("the memory of kernels", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  let started: StartedCompanion;
  const counted = countedTransport();

  before(async () => {
    rig = await startRig(["--MappingKernelManager.cull_idle_timeout=86400"]);
    const client = rig.client(rig.token, counted.transport);
    const { signal } = new AbortController();
    started = await startCompanion({ client: async () => client, owner: "resources", signal, log: silentLog });
  });
  after(async () => {
    started.companion.dispose();
    await rig.stop();
  });

  it("is reported for each kernel, and grows with what a cell and its processes allocate", async () => {
    const [kernelId, other] = [await rig.startKernel(), await rig.startKernel()];
    const connection = await rig.connect(kernelId);
    await run(connection, "1");
    counted.take();
    let latest: ResourceUsage | undefined;
    const { companion } = started;
    const subscription = await companion.subscribe(
      watchResources,
      {},
      {
        onPush: (usage) => {
          latest = usage;
        },
        onFailure: (error) => assert.fail(error),
      },
    );
    const memoryOf = (id: string): number => latest?.kernels.find((kernel) => kernel.id === id)?.memory ?? 0;
    const known = [kernelId, other, companion.kernelId];
    await until("all kernels", () => known.every((id) => memoryOf(id) > 10 * megabyte));
    const before = memoryOf(kernelId);
    assert.ok(before < 200 * megabyte, `${before} bytes`);
    const allocate = "data = bytearray(300 * 2**20)";
    const child = "import sys; data = bytearray(200 * 2**20); print(flush=True); sys.stdin.read()";
    const start = [
      "import subprocess, sys",
      `child = subprocess.Popen([sys.executable, "-c", ${JSON.stringify(child)}], stdin=subprocess.PIPE, stdout=subprocess.PIPE)`,
      "_ = child.stdout.readline()",
    ];
    await run(connection, [allocate, ...start].join("\n"));
    await until("what the cell allocated", () => memoryOf(kernelId) > before + 480 * megabyte);
    assert.equal(latest?.kernels[0]?.id, kernelId);
    assert.ok((latest?.memory?.used ?? 0) > 500 * megabyte);
    assert.deepEqual(latest?.culling, { idleSeconds: 86_400, endsConnected: false, endsBusy: false });

    const running = await readRunning(async () => rig.direct);
    const rows = running.map((item): RunningRow => {
      const place = { type: "running", tenantId: "t", workspaceId: "w", key: "k" } as const;
      return { ...place, item, terminalName: undefined, ...usageOf(item, latest) };
    });
    const descriptions = rows.map((row) => String(runningRowItem(row).description));
    assert.match(descriptions[0] ?? "", /^\d{3} MB \(most\) · idle/);
    assert.match(descriptions[1] ?? "", /^\d{2,3} MB · (?:idle|starting|running)/);

    await run(connection, "del data\n_ = child.communicate()");
    await until("what is left", () => memoryOf(kernelId) < before + 150 * megabyte);
    const sent = counted.take();
    assert.deepEqual(sent, { requests: [], operations: ["resources.watch"] });
    subscription.dispose();
  });

  it("counts how long a kernel works", async () => {
    const kernelId = await rig.startKernel();
    const connection = await rig.connect(kernelId);
    // What it does to start isn't meant, and before it has started, an interrupt has no effect.
    await run(connection, "1");
    let processor = 0;
    const subscription = await started.companion.subscribe(
      watchResources,
      {},
      {
        onPush: ({ kernels }) => {
          processor = kernels.find(({ id }) => id === kernelId)?.processor ?? 0;
        },
        onFailure: (error) => assert.fail(error),
      },
    );
    const cell = new Cell("print('working', flush=True)\nwhile True: pass");
    const [execution] = await connection.execute([cell.request()]);
    await until("the cell", () => cell.text().includes("working"));
    await until("the work of the kernel", () => processor > 0.1);
    await rig.server.interrupt(kernelId);
    await execution?.ended;
    subscription.dispose();
  });
});
