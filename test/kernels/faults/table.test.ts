import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory, resultsDirectory } from "../../../scripts/set-up/paths.ts";
import { disconnects } from "./disconnects.ts";
import { kernelFaultsPage } from "./page.ts";
import { broken, type FaultRow, rowsOf } from "./table.ts";
import { type FaultWorld, startFaultWorld } from "./world.ts";

describe("Every disconnect at every point of a run", () => {
  const rows: FaultRow[] = [];
  let world: FaultWorld;

  before(async () => {
    world = await startFaultWorld();
  });
  after(async () => await world.stop());

  for (const [index, disconnect] of disconnects.entries()) {
    const promise = disconnect.kernel === "survives" ? "nothing is lost" : "what had arrived stays";
    it(`${disconnect.name}: ${promise}, and no cell runs twice`, async () => {
      const own = await rowsOf(disconnect, index, world);
      rows.push(...own);
      assert.deepEqual(own.flatMap(broken), []);
    });
  }

  it("docs/reference/kernel-faults.md shows the outcomes", async () => {
    const page = kernelFaultsPage(disconnects, rows);
    await mkdir(resultsDirectory, { recursive: true });
    await writeFile(join(resultsDirectory, "kernel-faults.md"), page);
    const kept = await readFile(join(projectDirectory, "docs", "reference", "kernel-faults.md"), "utf8");
    const advice =
      "Look at test-results/kernel-faults.md: where it is right, it replaces docs/reference/kernel-faults.md.";
    assert.deepEqual(page.split("\n"), kept.split("\n"), advice);
  });
});
