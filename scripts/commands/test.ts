// npm test [-- layer…] [--desktop]: every check and every test layer, in order; all run even when one fails.
import { rm } from "node:fs/promises";
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
    run: () => runMochaLayer("ui", ["--timeout", "180000"], 20 * minutes),
  },
};

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

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = wanted.filter((name) => layers[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no layer ${unknown.join(", ")}. Layers: ${Object.keys(layers).join(", ")}.`);
  process.exit(2);
}
const chosen = Object.entries(layers).filter(([name]) => wanted.length === 0 || wanted.includes(name));
if (wanted.length === 0) await rm(resultsDirectory, { recursive: true, force: true });

const outcomes: { readonly name: string; readonly outcome: Outcome; readonly seconds: number }[] = [];
if (wanted.length > 0 && !wanted.includes("build") && chosen.some(([, layer]) => layer.needsBuild === true)) {
  heading("build");
  const outcome = await runLayer({ title: "build", parts: [], run: check("build") });
  if (outcome.failed > 0) outcomes.push({ name: "build", outcome, seconds: 0 });
}
for (const [name, layer] of chosen) {
  heading(layer.title);
  const started = Date.now();
  const outcome = await runLayer(layer);
  outcomes.push({ name, outcome, seconds: (Date.now() - started) / 1000 });
}

heading("all");
for (const { name, outcome, seconds } of outcomes) {
  const mark = outcome.failed === 0 ? "ok    " : "FAILED";
  console.log(
    `${mark} ${name.padEnd(16)} ${outcome.passed} passed, ${outcome.failed} failed (${seconds.toFixed(1)} s)`,
  );
}
const total = sumOf(outcomes.map(({ outcome }) => outcome));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
