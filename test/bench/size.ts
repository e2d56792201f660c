import { join } from "node:path";
import { buildExtension, modulesBySize } from "../../scripts/build/bundle.ts";
import { packageContents } from "../../scripts/build/package.ts";
import { distributionDirectory } from "../../scripts/set-up/paths.ts";
import { lastLines, runProgram } from "../../scripts/set-up/run-program.ts";
import { median } from "./statistics.ts";

export interface SizeFigures {
  readonly entryBytes: number;
  readonly vsixBytes: number;
  /** Bytes of the code that loads on first use, by its name. */
  readonly firstUseBytes: Readonly<Record<string, number>>;
  readonly biggestInEntry: readonly { readonly name: string; readonly bytes: number }[];
}

/** Milliseconds: medians of this many processes, with a stand-in for the editor's API. */
export interface StartFigures {
  readonly load: number;
  readonly activate: number;
  readonly slowest: number;
  readonly processes: number;
}

/** Builds the extension and its package as they are shipped, and measures them. */
export async function measureSize(): Promise<SizeFigures> {
  const { firstUseBytes, entryBytes, entryOutputs } = await buildExtension({ production: true, print: false });
  return {
    entryBytes,
    vsixBytes: (await packageContents()).bytes,
    firstUseBytes,
    biggestInEntry: modulesBySize(entryOutputs, 8),
  };
}

/** Loads and activates the built extension, each time in a separate process. */
export async function measureStart(): Promise<StartFigures> {
  const processes = 11;
  const loads: number[] = [];
  const activations: number[] = [];
  for (let run = 0; run < processes; run += 1) {
    const probe = join(import.meta.dirname, "activation-probe.ts");
    const entry = join(distributionDirectory, "extension.cjs");
    const { code, output } = await runProgram(process.execPath, [probe, entry], { timeLimitMs: 30_000 });
    if (code !== 0)
      throw new Error(`the extension does not load or activate outside of the editor:\n${lastLines(output, 12)}`);
    const { load, activate }: { load: number; activate: number } = JSON.parse(output.slice(output.lastIndexOf("{")));
    loads.push(load);
    activations.push(activate);
  }
  const slowest = Math.max(...loads.map((load, run) => load + (activations[run] ?? 0)));
  return { load: median(loads), activate: median(activations), slowest, processes };
}
