import assert from "node:assert/strict";
import type { KernelConnection } from "../../src/api/kernels/connection.ts";
import { type KernelRig, run, startRig } from "./rig.ts";

describe("Running cells", function () {
  this.timeout(60_000);
  let rig: KernelRig;
  let connection: KernelConnection;

  before(async () => {
    rig = await startRig();
    connection = await rig.connect(await rig.startKernel());
  });
  after(async () => await rig.stop());

  it("gives a cell's output in order", async () => {
    const cell = await run(connection, 'import sys\nprint("a")\nprint("b", file=sys.stderr)\n1 + 1');
    assert.equal(cell.text(), "a\n");
    assert.equal(cell.text("stderr"), "b\n");
    assert.deepEqual(cell.of("result")[0]?.bundle.data, { "text/plain": "2" });
    assert.deepEqual(cell.of("ended")[0]?.outcome, { type: "ok" });
  });
});
