// npm test [-- layer…] [--desktop]: every check and every test layer; all run even when one fails. The browser's layer takes as
// long as the others together: in a whole run it has a process of its own beside theirs.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { browser } from "../set-up/browser.ts";
import { editorHost } from "../set-up/editor-host.ts";
import { nginx } from "../set-up/nginx.ts";
import { MissingPartError, type Part, ready } from "../set-up/part.ts";
import { resultsDirectory } from "../set-up/paths.ts";
import { pythonEnvironment } from "../set-up/python-environment.ts";
import { checks } from "../tests/checks.ts";
import { type EditorChoice, runEditorLayer } from "../tests/editor-layer.ts";
import { runMochaLayer } from "../tests/mocha-layer.ts";
import { failure, heading, type Outcome, sumOf } from "../tests/outcome.ts";

interface Layer {
  readonly title: string;
  readonly parts: readonly Part<unknown>[];
  /** Needs `dist/`: it is built first when the layer runs without the check `build`. */
  readonly needsBuild?: boolean;
  run(): Promise<Outcome>;
}

const minutes = 60_000;
const desktop = process.argv.includes("--desktop") || (process.env.PLATFORM_WORKBENCH_DESKTOP ?? "") !== "";
const layers: Readonly<Record<string, Layer>> = {
  types: { title: "type check", parts: [], run: check("types") },
  lint: { title: "lint and format", parts: [], run: check("lint") },
  imports: { title: "import rules", parts: [], run: check("imports") },
  build: { title: "build", parts: [], run: check("build") },
  unit: { title: "unit", parts: [], run: () => runMochaLayer("unit", ["--timeout", "20000"], 5 * minutes) },
  contract: { title: "contract", parts: [], run: () => runMochaLayer("contract", ["--timeout", "20000"], 5 * minutes) },
  "front-door": {
    title: "front-door",
    parts: [nginx],
    run: () => runMochaLayer("front-door", ["--timeout", "30000"], 5 * minutes),
  },
  "content-server": {
    title: "content-server",
    parts: [pythonEnvironment],
    run: () => runMochaLayer("content-server", [], 10 * minutes),
  },
  faults: {
    title: "faults",
    parts: [pythonEnvironment],
    run: () => runMochaLayer("faults", ["--require", "./test/harness/editor-stand-in/register.ts"], 8 * minutes),
  },
  editor: {
    title: "editor",
    parts: desktop ? [pythonEnvironment] : [editorHost, browser, pythonEnvironment],
    needsBuild: true,
    run: () => runEditorLayer(editorChoice()),
  },
  ui: {
    title: "ui",
    parts: [editorHost, browser, pythonEnvironment],
    needsBuild: true,
    run: () => runMochaLayer("ui", ["--timeout", "180000"], 30 * minutes),
  },
};

/** The checks use both cores by themselves; what needs the build comes after them. */
const firstAfterTheChecks = "unit";

function check(name: string): () => Promise<Outcome> {
  const run = checks[name];
  if (run === undefined) throw new Error(`there is no check ${name}`);
  return run;
}

/** PLATFORM_WORKBENCH_DESKTOP is the desktop editor's program, or 1 for the one that @vscode/test-electron downloads. */
function editorChoice(): EditorChoice {
  if (!desktop) return { kind: "host" };
  const named = process.env.PLATFORM_WORKBENCH_DESKTOP ?? "";
  return named === "" || named === "1" ? { kind: "desktop" } : { kind: "desktop", executable: named };
}

async function runLayer(layer: Layer): Promise<Outcome> {
  try {
    for (const part of layer.parts) await ready(part);
    if (layer.parts.includes(pythonEnvironment) && (await pythonEnvironment.find())?.source === "debian") {
      console.log(
        "Note: PyPI was out of reach at the set-up; this runs Debian's older Jupyter. Again: rm -r .vscode-test/python",
      );
    }
    return await layer.run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(layer.title, reason, error instanceof MissingPartError ? error.details : "");
  }
}

interface Report {
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

async function reportOf(name: string, layer: Layer): Promise<Report> {
  heading(layer.title);
  const started = Date.now();
  const outcome = await runLayer(layer);
  return { name, outcome, seconds: (Date.now() - started) / 1000 };
}

/** Runs one layer in a process of its own; what it printed comes when it has ended. */
async function runBeside(name: string): Promise<Report> {
  const reportFile = join(resultsDirectory, "reports", `${name}.json`);
  const started = Date.now();
  const printed: Buffer[] = [];
  const child = spawn(process.execPath, [...process.argv.slice(1, 2), name, "--built", `--report=${reportFile}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
  const code = await new Promise<number>((resolve) => {
    child.on("error", () => resolve(-1));
    child.on("close", (exitCode) => resolve(exitCode ?? -1));
  });
  const output = Buffer.concat(printed).toString("utf8");
  // Its own sum would look like the whole run's.
  console.log(output.slice(0, output.lastIndexOf("\n── all ")));
  try {
    return JSON.parse(await readFile(reportFile, "utf8"));
  } catch {
    const outcome = failure(name, `its process ended (exit code ${code}) without a report`);
    return { name, outcome, seconds: (Date.now() - started) / 1000 };
  }
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = wanted.filter((name) => layers[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no layer ${unknown.join(", ")}. Layers: ${Object.keys(layers).join(", ")}.`);
  process.exit(2);
}
const isWhole = wanted.length === 0;
const isBuilt = process.argv.includes("--built");
const reportFile = process.argv.find((argument) => argument.startsWith("--report="))?.slice("--report=".length);
const chosen = Object.entries(layers).filter(([name]) => isWhole || wanted.includes(name));
if (isWhole) await rm(resultsDirectory, { recursive: true, force: true });

const outcomes: Report[] = [];
if (!isWhole && !isBuilt && !wanted.includes("build") && chosen.some(([, layer]) => layer.needsBuild === true)) {
  heading("build");
  const outcome = await runLayer({ title: "build", parts: [], run: check("build") });
  if (outcome.failed > 0) outcomes.push({ name: "build", outcome, seconds: 0 });
}
let beside: Promise<Report> | undefined;
for (const [name, layer] of chosen) {
  if (isWhole && name === "ui") continue;
  if (isWhole && name === firstAfterTheChecks) {
    // Set up before two processes could do it at the same time.
    for (const part of new Set(chosen.flatMap(([, { parts }]) => parts))) await ready(part).catch(() => {});
    beside = runBeside("ui");
  }
  outcomes.push(await reportOf(name, layer));
}
if (beside !== undefined) outcomes.push(await beside);

heading("all");
for (const { name, outcome, seconds } of outcomes) {
  const mark = outcome.failed === 0 ? "ok    " : "FAILED";
  console.log(
    `${mark} ${name.padEnd(16)} ${outcome.passed} passed, ${outcome.failed} failed (${seconds.toFixed(1)} s)`,
  );
}
if (reportFile !== undefined && outcomes.length === 1) {
  await mkdir(dirname(reportFile), { recursive: true });
  await writeFile(reportFile, JSON.stringify(outcomes[0]));
}
const total = sumOf(outcomes.map(({ outcome }) => outcome));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
