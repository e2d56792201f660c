import assert from "node:assert/strict";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { until } from "../harness/until.ts";
import { untilInterrupted } from "../harness/until-interrupted.ts";
import { Cell, type KernelRig, run, startRig } from "./rig.ts";

/**
 * From now on, the kernel is interrupted when it has taken a cell with this code, before the code begins. At this
 * moment, an interrupt makes ipykernel drop the reply.
 */
const interruptedCode = "print('interrupted before')";
const interruptBefore = `
kernel = get_ipython().kernel
original = kernel.do_execute
async def do_execute(code, *args, **options):
    if code == ${JSON.stringify(interruptedCode)}:
        raise KeyboardInterrupt
    return await original(code, *args, **options)
kernel.do_execute = do_execute
`;

describe("A reply that ipykernel drops", function () {
  this.timeout(180_000);
  let rig: KernelRig;

  before(async () => {
    rig = await startRig();
  });
  after(async () => await rig.stop());

  for (const recorder of ["on", "off"] as const) {
    describe(`recorder ${recorder}`, () => {
      let connection: KernelConnection;

      before(async () => {
        connection = await rig.connect(await rig.startKernel(), { recorder });
        await run(connection, interruptBefore);
      });

      it("ends the cell with an error that says so", async () => {
        const cell = await run(connection, interruptedCode);
        assert.deepEqual(cell.of("ended")[0]?.outcome, { type: "error" });
        assert.equal(cell.of("error")[0]?.name, "NoReply");
        assert.deepEqual([cell.text(), cell.types().filter((type) => type === "ended").length], ["", 1]);
        assert.equal((await run(connection, "print('after')")).text(), "after\n");
      });

      it("ends the cell when the reply to the next one arrives", async () => {
        const cells = [interruptedCode, `print('runs', flush=True)\n${untilInterrupted}`].map((code) => new Cell(code));
        const executions = await connection.execute(cells.map((cell) => cell.request()));
        await until("the second runs", () => cells[1]?.text() === "runs\n");
        await connection.interrupt();
        const outcomes = await Promise.all(executions.map(({ ended }) => ended));
        assert.deepEqual(
          outcomes.map(({ type }) => type),
          ["error", "error"],
        );
        assert.deepEqual(
          cells.map((cell) => cell.of("error")[0]?.name),
          ["NoReply", "KeyboardInterrupt"],
        );
      });

      it("doesn't affect cells whose replies arrive in time", async () => {
        const cells = Array.from({ length: 20 }, (_, index) => new Cell(`print(${index})`));
        const executions = await connection.execute(cells.map((cell) => cell.request()));
        for (const [index, { ended }] of executions.entries()) {
          assert.deepEqual([(await ended).type, cells[index]?.text()], ["ok", `${index}\n`]);
        }
      });
    });
  }
});

describe("A reply that ipykernel drops after very long output", function () {
  this.timeout(180_000);
  let rig: KernelRig;

  before(async () => {
    // The server drops output above 100 KB a second.
    rig = await startRig(["--ZMQChannelsWebsocketConnection.iopub_data_rate_limit=100000"]);
  });
  after(async () => await rig.stop());

  it("ends the cell even if its end comes from the recorder, with all of its output", async () => {
    const connection = await rig.connect(await rig.startKernel());
    await run(connection, interruptBefore);
    const flood = new Cell("for i in range(3000): print(str(i) + 'x' * 1000)");
    const interrupted = new Cell(interruptedCode);
    const executions = await connection.execute([flood.request(0), interrupted.request(1)]);
    const outcomes = await Promise.all(executions.map(({ ended }) => ended));
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ["ok", "error"],
    );
    assert.equal(interrupted.of("error")[0]?.name, "NoReply");
    assert.equal(flood.text(), Array.from({ length: 3000 }, (_, i) => `${i}${"x".repeat(1000)}\n`).join(""));
    assert.deepEqual([...flood.of("gap"), ...interrupted.of("gap")], []);
  });
});
