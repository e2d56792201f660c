import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KernelEvent } from "../../src/api/kernels/connection/connection.ts";
import { type KernelRig, startRig } from "./rig.ts";

describe("a kernel that never starts", () => {
  let rig: KernelRig;

  before(async () => {
    rig = await startRig([
      // The server tries it twice, not five times, and looks at its process more often than every three seconds.
      ...["--KernelRestarter.restart_limit=1", "--KernelRestarter.time_to_dead=0.2"],
      // It doesn't answer the request for a socket during the test.
      "--MappingKernelManager.kernel_info_timeout=600",
    ]);
    const directory = join(rig.homeDirectory, "jupyter-data", "kernels", "broken");
    await mkdir(directory, { recursive: true });
    const kernel = { argv: ["false"], display_name: "Broken", language: "python" };
    await writeFile(join(directory, "kernel.json"), JSON.stringify(kernel));
  });
  after(() => rig?.stop());

  it("is reported when the server gives it up, although the server keeps the connection open, and its cell isn't run", async () => {
    const connection = await rig.connect(await rig.startKernel("broken"), {
      times: { handshake: 500_000, check: 5000, starting: 100 },
    });
    const ended = new Promise<KernelEvent>((resolve) => {
      connection.onKernel((event) => (event.type === "ended" ? resolve(event) : undefined));
    });
    const [execution] = await connection.execute([
      { code: "1", cellId: "c-1", cellIndex: 0, sink: { onEvents: () => {} } },
    ]);
    const entry = execution?.entry;
    assert.deepEqual(await ended, { type: "ended", end: "gone", running: [], notSent: [entry] });
    assert.deepEqual(await execution?.ended, { type: "dropped" });
  });
});
