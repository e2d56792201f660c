// npm test -- changed: runs the tests that the changes of this branch can affect. npm test [-- layer…]
// [--file=test/LAYER/NAME.test.ts…] [--editor=VERSION] [--desktop]: runs all checks and test layers, or some of them.
// All of them run even if one fails.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { editorHostOf, editorVariable } from "../set-up/editor-host.ts";
import { resultsDirectory } from "../set-up/paths.ts";
import { changedFiles, readImportGraph, selectionFor } from "../tests/changed.ts";
import type { EditorChoice } from "../tests/editor-layer.ts";
import { type Layer, layersFor, runLayer } from "../tests/layers.ts";
import { heading, type Outcome, sumOf } from "../tests/outcome.ts";
import { type Report, runEverything, timed } from "../tests/whole-run.ts";

/**
 * PLATFORM_WORKBENCH_DESKTOP is the path of a desktop editor, or 1 for the one that @vscode/test-electron downloads.
 */
function editorChoice(): EditorChoice {
  const named = process.env.PLATFORM_WORKBENCH_DESKTOP ?? "";
  if (!process.argv.includes("--desktop") && named === "") return hostChoice();
  return named === "" || named === "1" ? { kind: "desktop" } : { kind: "desktop", executable: named };
}

function hostChoice(): EditorChoice {
  const [version] = optionsNamed("editor");
  if (version === undefined) return { kind: "host" };
  try {
    editorHostOf(version);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
  // For the windows of the layer `ui`, whose processes don't receive the choice.
  process.env[editorVariable] = version;
  return { kind: "host", version };
}

function optionsNamed(name: string): readonly string[] {
  const start = `--${name}=`;
  return process.argv.filter((argument) => argument.startsWith(start)).map((argument) => argument.slice(start.length));
}

async function runSome(
  chosen: readonly (readonly [string, Layer])[],
  filesOf: (layer: string) => readonly string[] = () => optionsNamed("file"),
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  const isBuilt = process.argv.includes("--built") || chosen.some(([name]) => name === "build");
  const { build } = layers;
  if (!isBuilt && build !== undefined && chosen.some(([, layer]) => layer.needsBuild === true)) {
    heading(build.title);
    const report = await timed("build", () => runLayer(build));
    if (report.outcome.failed > 0) reports.push(report);
  }
  for (const [name, layer] of chosen) {
    const files = filesOf(name);
    heading([layer.title, ...files].join(" "));
    reports.push(await timed(name, () => runLayer(layer, files.length === 0 ? undefined : files)));
  }
  return reports;
}

/**
 * Runs the tests that a change can affect. Lists those that need a window and are reached only through the extension.
 */
async function runChanged(): Promise<readonly Report[]> {
  const changed = await changedFiles();
  const { files, windows } = selectionFor(changed, await readImportGraph());
  const count = [...files.values()].reduce((sum, own) => sum + own.length, 0);
  console.log(`${changed.length} changed files, ${count} test files that they can affect`);
  const ran = await runSome(
    Object.entries(layers).filter(([name]) => files.has(name)),
    (layer) => files.get(layer) ?? [],
  );
  if (windows.length > 0) {
    console.log(
      `\nThe change also affects the extension in a window. To run those tests: npm test -- ${windows.join(" ")}`,
    );
  }
  return ran;
}

/** Prints a line for each layer, then a summary of all failures, so that reading the end of the output is enough. */
function tell(reports: readonly Report[]): Outcome {
  heading("all");
  for (const layer of new Set(reports.map((report) => report.layer))) {
    const own = reports.filter((report) => report.layer === layer);
    const { passed, failed } = sumOf(own.map(({ outcome }) => outcome));
    const seconds = own.reduce((sum, report) => sum + report.seconds, 0);
    const mark = failed === 0 ? "ok    " : "FAILED";
    console.log(`${mark} ${layer.padEnd(16)} ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`);
  }
  const total = sumOf(reports.map(({ outcome }) => outcome));
  for (const { title, message } of total.failures) console.log(`failed: ${title}: ${firstWords(message)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total;
}

function firstWords(message: string): string {
  const words = message.replace(/\s+/g, " ").trim();
  return words.length > 300 ? `${words.slice(0, 300)}…` : words;
}

const layers = layersFor(editorChoice());
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isChanged = wanted.length === 1 && wanted[0] === "changed";
const unknown = wanted.filter((name) => layers[name] === undefined && !isChanged);
if (unknown.length > 0) {
  console.error(`Unknown layer: ${unknown.join(", ")}. Layers: ${Object.keys(layers).join(", ")}, or changed.`);
  process.exit(2);
}
const [reportFile] = optionsNamed("report");
if (wanted.length === 0) await rm(resultsDirectory, { recursive: true, force: true });
const reports =
  wanted.length === 0
    ? await runEverything(layers)
    : isChanged
      ? await runChanged()
      : await runSome(Object.entries(layers).filter(([name]) => wanted.includes(name)));
const total = reportFile === undefined ? tell(reports) : sumOf(reports.map(({ outcome }) => outcome));
if (reportFile !== undefined) {
  await mkdir(dirname(reportFile), { recursive: true });
  await writeFile(reportFile, JSON.stringify(total));
}
process.exit(total.failed === 0 ? 0 : 1);
