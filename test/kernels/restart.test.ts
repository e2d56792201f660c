import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, MemoryJournal, run, startRig } from "./rig.ts";

/** A cell that survives an interrupt, in a kernel that ends slowly: the next cell in the queue would begin. */
const stubborn = `
import asyncio, time
async def shut_down(restart):
    await asyncio.sleep(1.5)
    return {"status": "ok", "restart": restart}
get_ipython().kernel.do_shutdown = shut_down
try:
    print("runs", flush=True)
    time.sleep(600)
except KeyboardInterrupt:
    pass
`;

describe("Restarting a kernel that is slow to exit", function () {
  this.timeout(180_000);
  let rig: KernelRig;

  before(async () => {
    rig = await startRig();
  });
  after(async () => await rig.stop());

  it("runs what was sent on a connection that opens right after the restart, and reports nothing", async () => {
    const kernelId = await rig.startKernel();
    const journal = new MemoryJournal();
    const before = await rig.connect(kernelId, { journal });
    await run(before, "x = 5");
    before.dispose();
    await before.closed;
    // The server keeps the messages about the restart for the session.
    await rig.server.restart(kernelId);
    const after = await rig.connect(kernelId, { journal });
    const reports: string[] = [];
    after.onKernel(({ type }) => (type === "activity" ? undefined : reports.push(type)));
    const cell = await run(after, "print('x' in globals())");
    assert.deepEqual([cell.text(), cell.of("ended")[0]?.outcome.type, reports], ["False\n", "ok", []]);
  });

  for (const recorder of ["on", "off"] as const) {
    it(`runs no queued cells, with the recorder ${recorder}`, async () => {
      const connection = await rig.connect(await rig.startKernel(), { recorder });
      const file = join(rig.root, `ran-${recorder}`);
      const cells = [new Cell(stubborn), new Cell(`open(${JSON.stringify(file)}, "w").close()`)];
      const executions = await connection.execute(cells.map((cell, index) => cell.request(index)));
      await until("the first output", () => cells[0]?.text() !== "");
      await connection.restart();
      const outcomes = await Promise.all(executions.map(({ ended }) => ended));
      // A cell that survives the interrupt may end before the old process does.
      assert.match(outcomes[0]?.type ?? "", /^(?:ok|kernelEnded)$/);
      assert.match(outcomes[1]?.type ?? "", /^(?:aborted|kernelEnded)$/);
      assert.deepEqual([cells[1]?.of("started"), existsSync(file)], [[], false]);
      const next = await run(connection, "print('stubborn' in globals())");
      assert.deepEqual([next.text(), next.of("started")[0]?.executionCount], ["False\n", 1]);
    });
  }
});
