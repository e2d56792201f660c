// The test layers: each with the parts that it needs and how it runs.

import { join } from "node:path";
import { browser } from "../set-up/browser.ts";
import { chartTools } from "../set-up/chart-tools.ts";
import { kernelDebugger } from "../set-up/debugger.ts";
import { editorHostOf, editorVariable, editorVersions } from "../set-up/editor-host.ts";
import { extendedJupyter } from "../set-up/extended-jupyter.ts";
import { idleCuller } from "../set-up/idle-culler.ts";
import { jupyterScheduler } from "../set-up/jupyter-scheduler.ts";
import { olderJupyter } from "../set-up/older-jupyter.ts";
import { MissingPartError, type Part, ready } from "../set-up/part.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { pythonEnvironment } from "../set-up/python-environment.ts";
import { nginx, stateServer } from "../set-up/system-programs.ts";
import { checks } from "./checks.ts";
import { type EditorChoice, runEditorLayer } from "./editor-layer.ts";
import { randomSeed, runMochaLayer } from "./mocha-layer.ts";
import { failure, type Outcome, sumOf } from "./outcome.ts";

export interface Layer {
  readonly title: string;
  readonly parts: readonly Part<unknown>[];
  /** `check`: without tests of its own. `plain`: only Node. `window`: opens windows of the editor. */
  readonly kind: "check" | "plain" | "window";
  /** Its files can run one by one in any worker that has loaded these modules (absolute paths). */
  readonly workerModules?: readonly string[];
  /** Needs `dist/`, which is built first if the layer runs without the check `build`. */
  readonly needsBuild?: boolean;
  /** Runs the whole layer, or some of its files. */
  run(files?: readonly string[]): Promise<Outcome>;
}

const checkLayers: Readonly<Record<string, Layer>> = Object.fromEntries(
  Object.entries(checks).map(([name, { title, parts = [], run }]) => [name, { title, parts, kind: "check", run }]),
);

/** The version in package.json's `engines`: the editor layer and the main job also run in it. */
const oldestEditor = editorVersions.at(-1) ?? "";
const mainJob = "test/ui/main-job.test.ts";

/** Modules of the extension run in plain Node with a stand-in for the editor's API. */
const withoutEditor = ["--require", "./test/harness/editor-stand-in/register.ts"];

/** All windows of a process are in the same editor. */
const sharedEditor = "./test/ui/editor.ts";

/** All layers by name, in the default order of a run. */
export function layersFor(editor: EditorChoice): Readonly<Record<string, Layer>> {
  const host = editorHostOf(editor.kind === "host" ? editor.version : undefined);
  const ui = mochaLayer("ui", [host, browser, pythonEnvironment], ["--require", sharedEditor]);
  return {
    ...checkLayers,
    unit: mochaLayer("unit", [], withoutEditor),
    contract: mochaLayer("contract", []),
    simulation: mochaLayer("simulation", []),
    "front-door": mochaLayer("front-door", [nginx, stateServer, chartTools, pythonEnvironment]),
    "content-server": mochaLayer("content-server", [pythonEnvironment, olderJupyter, extendedJupyter], withoutEditor),
    kernels: mochaLayer(
      "kernels",
      [pythonEnvironment, olderJupyter, idleCuller, kernelDebugger, jupyterScheduler],
      withoutEditor,
    ),
    faults: mochaLayer("faults", [pythonEnvironment, extendedJupyter], withoutEditor),
    editor: {
      title: "editor",
      parts: editor.kind === "desktop" ? [pythonEnvironment] : [host, browser, pythonEnvironment],
      kind: "window",
      needsBuild: true,
      run: (files) => runEditorLayer(editor, files),
    },
    "oldest-editor": {
      title: `the oldest editor (${oldestEditor})`,
      parts: [editorHostOf(oldestEditor), browser, pythonEnvironment],
      kind: "window",
      needsBuild: true,
      run: async () =>
        sumOf([
          await runEditorLayer({ kind: "host", version: oldestEditor }),
          await runMochaLayer("ui", [], {
            name: `ui-${oldestEditor}`,
            only: [mainJob],
            environment: { [editorVariable]: oldestEditor },
          }),
        ]),
    },
    ui: {
      ...ui,
      kind: "window",
      workerModules: [randomSeed, sharedEditor].map((path) => join(projectDirectory, path)),
      needsBuild: true,
    },
  };
}

/** Runs a layer when its parts are ready. A layer that can't run has failed. */
export async function runLayer(layer: Layer, files?: readonly string[]): Promise<Outcome> {
  try {
    for (const part of layer.parts) await ready(part);
    if (layer.parts.includes(pythonEnvironment) && (await pythonEnvironment.find())?.source === "debian") {
      console.log(
        "Note: PyPI could not be reached during set-up, so this run uses Debian's older Jupyter. To try again: rm -r .vscode-test/python",
      );
    }
    return await layer.run(files);
  } catch (error) {
    return cannotRun(layer.title, error);
  }
}

/** The outcome of a layer or a file that can't run, for example because a part isn't available. */
export function cannotRun(title: string, error: unknown): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  return failure(title, reason, error instanceof MissingPartError ? error.details : "");
}

function mochaLayer(name: string, parts: readonly Part<unknown>[], mochaArguments: readonly string[] = []): Layer {
  const run: Layer["run"] = (files) => runMochaLayer(name, mochaArguments, files === undefined ? {} : { only: files });
  return { title: name, parts, kind: "plain", run };
}
