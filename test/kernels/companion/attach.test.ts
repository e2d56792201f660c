// The companion's program in the kernel of a notebook, on real Jupyter Servers, where its services see the user's variables.
import assert from "node:assert/strict";
import { attachProgram } from "../../../src/api/companion/attach.ts";
import { CompanionUnavailableError } from "../../../src/api/companion/errors.ts";
import { companionInformation } from "../../../src/api/companion/operations/program.ts";
import { until } from "../../harness/until.ts";
import { Cell, type KernelRig, run, startRig } from "../rig.ts";

/** Without the number of executions so far, which is the last number of the line. */
const withoutCount = (text: string): string => text.replace(/\d+\n$/, "");

const releases = ["current", "older"] as const;

for (const release of releases) {
  describe(`the companion's program in a notebook's kernel (${release} server)`, function () {
    this.timeout(180_000);
    let rig: KernelRig;

    before(async () => {
      rig = await startRig([], { release });
    });
    after(() => rig.stop());

    it("is installed once for each process, and leaves no trace in the notebook", async () => {
      const connection = await rig.connect(await rig.startKernel());
      const names = "print(sorted(name for name in globals() if not name.startswith('_')), len(In))";
      const before = await run(connection, names);
      const [first, second] = await Promise.all([attachProgram(connection), attachProgram(connection)]);
      const [one, two] = await Promise.all([first, second].map((program) => program.request(companionInformation, {})));
      assert.ok(one !== undefined && one.process > 0);
      assert.equal(one.process, two?.process);
      const after = await run(connection, names);
      assert.equal(withoutCount(after.text()), withoutCount(before.text()));
      assert.equal((await run(connection, "print(len(In))")).text(), "4\n");
      first.dispose();
      assert.equal(connection.state.type, "connected");
      await connection.restart();
      await until("its end", () => second.end !== undefined);
      const next = await attachProgram(connection);
      assert.notEqual((await next.request(companionInformation, {})).process, one.process);
    });

    it("replies while a cell runs", async () => {
      const connection = await rig.connect(await rig.startKernel());
      const attached = release === "current" ? undefined : await attachProgram(connection);
      const cell = new Cell("import time\nprint('began', flush=True)\ntime.sleep(600)");
      const [execution] = await connection.execute([cell.request()]);
      await until("the cell to begin", () => cell.text() === "began\n");
      const program = attached ?? (await attachProgram(connection));
      assert.ok((await program.request(companionInformation, {})).process > 0);
      assert.deepEqual(cell.of("ended"), []);
      await connection.interrupt();
      await execution?.ended;
    });
  });
}

it("isn't installed in kernels of other languages", async function () {
  this.timeout(120_000);
  const rig = await startRig();
  try {
    const connection = await rig.connect(await rig.startKernel("bash"));
    await assert.rejects(attachProgram(connection), (error) => {
      assert.ok(error instanceof CompanionUnavailableError);
      assert.equal(error.message, "The server's Python kernel isn't IPython's.");
      return true;
    });
  } finally {
    await rig.stop();
  }
});
