import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lastLines, runProgram } from "../../scripts/set-up/run-program.ts";
import { withSlowServer } from "./content-place.ts";

export interface MemoryFigures {
  readonly nodes: number;
  /** Bytes of the JavaScript heap for the known nodes, after a collection. */
  readonly bytes: number;
  /** Seconds until the folder was listed and the status of each node was requested. */
  readonly seconds: number;
  readonly requests: number;
}

const nodes = 10_000;
const folder = "many";

/** Opens a folder of 10,000 files and requests the status of each. */
export async function measureMemory(): Promise<MemoryFigures> {
  return withSlowServer(0, async ({ contentUrl, token, root }) => {
    await mkdir(join(root, folder));
    for (let file = 0; file < nodes; file += 1) {
      await writeFile(join(root, folder, `measurements-of-station-${file}.csv`), "a,b\n");
    }
    const probe = join(import.meta.dirname, "memory-probe.ts");
    const { code, output } = await runProgram(process.execPath, ["--expose-gc", probe, contentUrl, token, folder], {
      timeLimitMs: 120_000,
    });
    if (code !== 0) throw new Error(`the memory could not be measured:\n${lastLines(output, 12)}`);
    const figures: MemoryFigures = JSON.parse(output.slice(output.lastIndexOf("{")));
    if (figures.nodes !== nodes) throw new Error(`the folder has ${figures.nodes} of ${nodes} nodes`);
    return figures;
  });
}
