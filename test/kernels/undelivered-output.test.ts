import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suspendProcess } from "../harness/suspend-process.ts";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, startRig } from "./rig.ts";

describe("Output that ZeroMQ drops because the server doesn't read it", function () {
  this.timeout(180_000);
  let rig: KernelRig;

  before(async () => {
    // With its rate limits, the server reports most of what it drops.
    const limits = ["iopub_msg_rate_limit", "iopub_data_rate_limit"];
    rig = await startRig(limits.map((limit) => `--ZMQChannelsWebsocketConnection.${limit}=0`));
  });
  after(async () => await rig.stop());

  it("is complete and in order in its cell, unlike for a client that only listens", async () => {
    const count = 8000;
    // More than the buffers on the way hold.
    const filling = "x".repeat(2000);
    const kernelId = await rig.startKernel();
    const times = { ping: 120_000, firstPauseMs: 20, maxPauseMs: 200, handshake: 30_000, check: 500 };
    const connection = await rig.connect(kernelId, { times });
    await connection.ready();
    const listener = await rig.connect(kernelId, { times, recorder: "off" });
    await listener.ready();
    let heard = 0;
    listener.onForeign(({ events }) => {
      heard += events.filter(({ type }) => type === "display").length;
    });
    const done = join(rig.root, "done");
    const cell = new Cell(
      `import time\ntime.sleep(0.3)\nfor i in range(${count}): display({'text/plain': str(i), 'text/html': '${filling}'}, raw=True)\nopen('done', 'w').close()`,
    );
    const [execution] = await connection.execute([cell.request()]);
    await until("the start", () => cell.types().includes("started"));
    try {
      await suspendProcess(rig.pid);
      await until("the end of the kernel's work", () => existsSync(done));
    } finally {
      process.kill(rig.pid, "SIGCONT");
    }
    assert.deepEqual(await execution?.ended, { type: "ok" });
    assert.ok(heard < count, `${heard} arrived`);
    assert.deepEqual(cell.of("gap"), []);
    assert.deepEqual(
      cell.of("display").map(({ bundle }) => bundle.data["text/plain"]),
      Array.from({ length: count }, (_, index) => String(index)),
    );
  });
});
