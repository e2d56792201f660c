// npm run bench [-- --json] [-- part…]: the costs of the extension: requests, seconds, and bytes, next to their limits.
// A complete run writes docs/benchmarks.md, and a run of the part scale its section. With --json, it prints one object for
// scripts and writes nothing. Asserts no times. Fails if a cost grows faster than the size that it depends on.
// npm run bench -- soak --minutes 30: what the extension holds before and after it has worked for so long. It is not part
// of a complete run.

import { parseArgs } from "node:util";
import { browser } from "../../scripts/set-up/browser.ts";
import { editorHost } from "../../scripts/set-up/editor-host.ts";
import { ready } from "../../scripts/set-up/part.ts";
import { measureActions } from "./actions.ts";
import { startBenchServer } from "./content-place.ts";
import { type Figures, forScripts } from "./figures.ts";
import { measureKernels } from "./kernels.ts";
import { measureKeyPress } from "./key-press.ts";
import { measureListing } from "./listing.ts";
import { measureLook } from "./look.ts";
import { measureMainJob } from "./main-job.ts";
import { measureMemory } from "./memory.ts";
import { benchmarksPage, writeReport } from "./report.ts";
import { maxExponent } from "./scale/row.ts";
import { measureScale } from "./scale/rows.ts";
import { writeGrowthSection } from "./scale/section.ts";
import { measureSize, measureStart } from "./size.ts";
import { soakReport } from "./soak/report.ts";
import { soak } from "./soak/soak.ts";
import { printSummary } from "./summary.ts";
import { measureTransfers } from "./transfers.ts";
import { measureWorkspace } from "./workspace.ts";

const parts = [
  "size",
  "start",
  "memory",
  "transfers",
  "listing",
  "actions",
  "main-job",
  "kernels",
  "workspace",
  "look",
  "scale",
] as const;
type Part = (typeof parts)[number];

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, minutes: { type: "string", default: "30" } },
});
const isForScripts = options.json;
const unknown = named.filter((name) => !parts.some((part) => part === name));
if (named.includes("soak")) {
  console.log(soakReport(await soak(Number(options.minutes), (line) => console.error(`… ${line}`))));
  process.exit(0);
}
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${parts.join(", ")}.`);
  process.exit(2);
}
const isWanted = (part: Part): boolean => named.length === 0 || named.includes(part);
const say = (line: string): void => console.error(`… ${line}`);

let jupyterServer = "";
const figures: { -readonly [Key in keyof Figures]: Figures[Key] } = {};
// The editor runs and measures the extension that is built here.
if (isWanted("size") || isWanted("start") || isWanted("actions") || isWanted("main-job") || isWanted("kernels")) {
  say("build and package");
  figures.size = await measureSize();
}
if (isWanted("start")) {
  say("start");
  figures.start = await measureStart();
}
if (isWanted("memory")) {
  say("a folder of 10,000 files");
  figures.memory = await measureMemory();
}
if (isWanted("transfers")) {
  const server = await startBenchServer();
  jupyterServer = server.version;
  figures.transfers = await measureTransfers(server, say).finally(() => server.stop());
}
if (isWanted("listing")) {
  say("a tree of 5,000 folders at 50 ms (about a minute)");
  figures.listing = await measureListing();
}
if (isWanted("actions")) {
  figures.actions = await measureActions(say);
}
if (isWanted("main-job")) {
  await ready(editorHost);
  await ready(browser);
  figures.mainJob = await measureMainJob(say);
}
if (isWanted("kernels")) {
  figures.kernels = await measureKernels(say);
  await ready(editorHost);
  await ready(browser);
  figures.keyPress = await measureKeyPress(say);
}
if (isWanted("workspace")) {
  figures.workspace = await measureWorkspace(say);
}
if (isWanted("look")) {
  figures.look = await measureLook(say);
}
if (isWanted("scale")) {
  figures.scale = await measureScale(say);
}

if (isForScripts) {
  console.log(JSON.stringify(forScripts(figures)));
} else {
  printSummary(figures);
  const { size, start, memory, transfers, listing, actions, mainJob, kernels, keyPress, workspace, look, scale } =
    figures;
  if (scale !== undefined && named.length > 0) {
    await writeGrowthSection(benchmarksPage, scale);
  }
  if (
    named.length === 0 &&
    size &&
    start &&
    memory &&
    transfers &&
    listing &&
    actions &&
    mainJob &&
    kernels &&
    keyPress &&
    workspace &&
    look &&
    scale
  ) {
    const editor = (await ready(editorHost)).version;
    const whole = {
      size,
      start,
      memory,
      transfers,
      listing,
      actions,
      mainJob,
      kernels,
      keyPress,
      workspace,
      look,
      scale,
    };
    console.log(`\nWritten: ${await writeReport(whole, { jupyterServer, editor, date: new Date() })}`);
  }
}
process.exit(figures.scale?.some(({ exponent }) => exponent > maxExponent) === true ? 1 : 0);
