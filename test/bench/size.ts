// npm run bench [-- --json]: how big the extension is and how long it takes to start, beside the limits. Nothing is asserted
// about time: the figures are for people to look at.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { biggestModules, buildExtension } from "../../scripts/build/bundle.ts";
import { packageExtension } from "../../scripts/build/package.ts";
import { distributionDirectory } from "../../scripts/set-up/paths.ts";
import { lastLines, runProgram } from "../../scripts/set-up/run-program.ts";

const limits = { entryBytes: 150_000, vsixBytes: 1_000_000, activationMilliseconds: 30 };
const runs = 11;

const { firstUseBytes, entryBytes, entryOutputs } = await buildExtension({ production: true, print: false });
const directory = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
const { bytes: vsixBytes } = await packageExtension(join(directory, "extension.vsix")).finally(() =>
  rm(directory, { recursive: true, force: true }),
);
const times = await measureStart();
const milliseconds = {
  load: median(times.map(({ load }) => load)),
  activate: median(times.map(({ activate }) => activate)),
};

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ size: { entryBytes, vsixBytes }, milliseconds }));
} else {
  const total = milliseconds.load + milliseconds.activate;
  row(
    "entry bundle and what it loads",
    `${(entryBytes / 1000).toFixed(1)} KB`,
    "150 KB",
    entryBytes <= limits.entryBytes,
  );
  row(".vsix", `${(vsixBytes / 1000).toFixed(1)} KB`, "1000 KB", vsixBytes <= limits.vsixBytes);
  row("load and activate", `${total.toFixed(1)} ms`, "30 ms", total <= limits.activationMilliseconds);
  console.log(
    `\nLoad ${milliseconds.load.toFixed(1)} ms (require of the entry), activate ${milliseconds.activate.toFixed(1)} ms: medians of ${runs} processes,` +
      ` Node ${process.versions.node}, with a stand-in for the editor's API; the slowest ${Math.max(...times.map(({ load, activate }) => load + activate)).toFixed(1)} ms.`,
  );
  console.log("\nLoaded on first use:");
  for (const [name, size] of Object.entries(firstUseBytes)) {
    console.log(`  ${name.padEnd(28)} ${(size / 1000).toFixed(1).padStart(8)} KB`);
  }
  console.log("\nBiggest in the entry:");
  for (const { name, bytes: size } of biggestModules(entryOutputs, 8)) {
    console.log(`  ${name.padEnd(28)} ${(size / 1000).toFixed(1).padStart(8)} KB`);
  }
}

function row(what: string, figure: string, limit: string, kept: boolean): void {
  console.log(
    `${what.padEnd(36)} ${figure.padStart(10)}   limit ${limit.padStart(8)}   ${kept ? "kept" : "OVER THE LIMIT"}`,
  );
}

async function measureStart(): Promise<{ load: number; activate: number }[]> {
  const results: { load: number; activate: number }[] = [];
  for (let run = 0; run < runs; run += 1) {
    const probe = join(import.meta.dirname, "activation-probe.ts");
    const entry = join(distributionDirectory, "extension.cjs");
    const { code, output } = await runProgram(process.execPath, [probe, entry], { timeLimit: 30_000 });
    if (code !== 0)
      throw new Error(`the extension does not load or activate outside of the editor:\n${lastLines(output, 12)}`);
    const figures: { load: number; activate: number } = JSON.parse(output.slice(output.lastIndexOf("{")));
    results.push(figures);
  }
  return results;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
