// npm run coverage [-- layer…]: the coverage of src/ by the layers without a window, by folder. For information only;
// no minimum is enforced. The uncovered lines are in test-results/coverage/.
import { mkdir, readFile, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Report } from "c8";
import { projectDirectory, resultsDirectory } from "../set-up/paths.ts";
import { layersFor, runLayer } from "../tests/layers.ts";

/** The code in an editor's extension host is a bundle in another process, and its coverage is not included. */
const measured = ["unit", "contract", "content-server", "kernels", "faults", "front-door"];

interface Count {
  readonly total: number;
  readonly covered: number;
}
type Summary = Readonly<Record<"lines" | "functions" | "branches", Count>>;

const layers = layersFor({ kind: "host" });
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !measured.includes(name));
if (unknown.length > 0) {
  console.error(`Coverage of ${unknown.join(", ")} can't be measured. Layers: ${measured.join(", ")}.`);
  process.exit(2);
}

const directory = join(resultsDirectory, "coverage");
const raw = join(directory, "raw");
await rm(directory, { recursive: true, force: true });
await mkdir(raw, { recursive: true });
// Every Node process that a layer starts writes its coverage there.
process.env.NODE_V8_COVERAGE = raw;
// Coverage of functions from this cache is less exact.
process.env.NODE_DISABLE_COMPILE_CACHE = "1";
let failed = 0;
for (const name of chosen.length === 0 ? measured : chosen) {
  const layer = layers[name];
  if (layer !== undefined) failed += (await runLayer(layer)).failed;
}
delete process.env.NODE_V8_COVERAGE;

await new Report({
  all: true,
  include: ["src/**"],
  // Code that runs in webviews.
  exclude: ["src/**/browser/**"],
  extension: [".ts"],
  src: [projectDirectory],
  reporter: ["json-summary", "html"],
  reportsDirectory: directory,
  tempDirectory: raw,
}).run();
await rm(raw, { recursive: true });

const summaries: Readonly<Record<string, Summary>> = JSON.parse(
  await readFile(join(directory, "coverage-summary.json"), "utf8"),
);
const folders = new Map<string, Summary[]>();
const untouched: string[] = [];
for (const [file, summary] of Object.entries(summaries)) {
  if (file === "total") continue;
  const path = relative(projectDirectory, file).split(sep);
  const folder = path.slice(0, Math.min(3, path.length - 1)).join("/");
  folders.set(folder, [...(folders.get(folder) ?? []), summary]);
  if (summary.lines.covered === 0) untouched.push(path.join("/"));
}

function share(summaries: readonly Summary[], kind: keyof Summary): string {
  const covered = summaries.reduce((sum, summary) => sum + summary[kind].covered, 0);
  const total = summaries.reduce((sum, summary) => sum + summary[kind].total, 0);
  return (total === 0 ? "–" : `${((100 * covered) / total).toFixed(1)} %`).padStart(9);
}

function line(name: string, summaries: readonly Summary[]): string {
  const numbers = (["lines", "functions", "branches"] as const).map((kind) => share(summaries, kind)).join("  ");
  return `${name.padEnd(34)} ${String(summaries.length).padStart(5)}  ${numbers}`;
}

console.log(
  `\n${"folder".padEnd(34)} files  ${["lines", "functions", "branches"].map((kind) => kind.padStart(9)).join("  ")}`,
);
for (const [folder, own] of [...folders].toSorted(([one], [other]) => one.localeCompare(other))) {
  console.log(line(folder, own));
}
console.log(line("all", [...folders.values()].flat()));
console.log(`\nFiles without coverage: ${untouched.length} files${untouched.map((path) => `\n  ${path}`).join("")}`);
console.log(`\nCoverage by line: ${relative(projectDirectory, join(directory, "index.html"))}`);
if (failed > 0) console.error(`${failed} tests failed, so the coverage above is incomplete.`);
process.exitCode = failed === 0 ? 0 : 1;
