// What the tests are made of: each layer with the parts that it needs and how it runs.

import { editorHost } from "../set-up/editor-host.ts";
import { MissingPartError, type Part, ready } from "../set-up/part.ts";
import { pythonEnvironment } from "../set-up/python-environment.ts";
import { browser, nginx } from "../set-up/system-programs.ts";
import { checks } from "./checks.ts";
import { type EditorChoice, runEditorLayer } from "./editor-layer.ts";
import { runMochaLayer } from "./mocha-layer.ts";
import { failure, type Outcome } from "./outcome.ts";

export interface Layer {
  readonly title: string;
  readonly parts: readonly Part<unknown>[];
  /** `check`: before everything else, alone. `plain`: Node alone. `window`: draws windows of the editor. */
  readonly kind: "check" | "plain" | "window";
  /** Each of its files may run by itself. */
  readonly inFiles?: boolean;
  /** Needs `dist/`: it is built first when the layer runs without the check `build`. */
  readonly needsBuild?: boolean;
  /** Runs all of it, or some of its files. */
  run(files?: readonly string[]): Promise<Outcome>;
}

const minutes = 60_000;

const checkLayers: Readonly<Record<string, Layer>> = Object.fromEntries(
  Object.entries(checks).map(([name, { title, run }]) => [name, { title, parts: [], kind: "check", run }]),
);

/** All layers by name, in the order in which a run that waits for nothing takes them. */
export function layersFor(editor: EditorChoice): Readonly<Record<string, Layer>> {
  return {
    ...checkLayers,
    unit: mochaLayer("unit", [], 5 * minutes, ["--timeout", "20000"]),
    contract: mochaLayer("contract", [], 5 * minutes, ["--timeout", "20000"]),
    "front-door": mochaLayer("front-door", [nginx], 5 * minutes, ["--timeout", "30000"]),
    "content-server": mochaLayer("content-server", [pythonEnvironment], 10 * minutes),
    kernels: mochaLayer("kernels", [pythonEnvironment], 5 * minutes),
    faults: mochaLayer("faults", [pythonEnvironment], 10 * minutes, [
      "--require",
      "./test/harness/editor-stand-in/register.ts",
    ]),
    editor: {
      title: "editor",
      parts: editor.kind === "desktop" ? [pythonEnvironment] : [editorHost, browser, pythonEnvironment],
      kind: "window",
      needsBuild: true,
      run: () => runEditorLayer(editor),
    },
    ui: {
      ...mochaLayer("ui", [editorHost, browser, pythonEnvironment], 25 * minutes, ["--timeout", "180000"]),
      kind: "window",
      inFiles: true,
      needsBuild: true,
    },
  };
}

/** Runs a layer once its parts are there. What cannot run has failed. */
export async function runLayer(layer: Layer, files?: readonly string[]): Promise<Outcome> {
  try {
    for (const part of layer.parts) await ready(part);
    if (layer.parts.includes(pythonEnvironment) && (await pythonEnvironment.find())?.source === "debian") {
      console.log(
        "Note: PyPI was out of reach at the set-up; this runs Debian's older Jupyter. Again: rm -r .vscode-test/python",
      );
    }
    return await layer.run(files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(layer.title, reason, error instanceof MissingPartError ? error.details : "");
  }
}

function mochaLayer(
  name: string,
  parts: readonly Part<unknown>[],
  timeLimit: number,
  mochaArguments: readonly string[] = [],
): Layer {
  // A file that hangs must not hold up the others for as long as all of them may take.
  const run: Layer["run"] = (files) =>
    runMochaLayer(name, mochaArguments, Math.min(timeLimit, (files?.length ?? Infinity) * 6 * minutes), files);
  return { title: name, parts, kind: "plain", run };
}
