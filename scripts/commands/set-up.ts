// npm run set-up: installs all parts now, so that later commands start immediately and work offline.

import { browser } from "../set-up/browser.ts";
import { chartTools } from "../set-up/chart-tools.ts";
import { dataFrames } from "../set-up/data-frames.ts";
import { kernelDebugger } from "../set-up/debugger.ts";
import { editorHost, oldestEditorHost } from "../set-up/editor-host.ts";
import { extendedJupyter } from "../set-up/extended-jupyter.ts";
import { idleCuller } from "../set-up/idle-culler.ts";
import { jupyterScheduler } from "../set-up/jupyter-scheduler.ts";
import { olderJupyter } from "../set-up/older-jupyter.ts";
import { MissingPartError, ready } from "../set-up/part.ts";
import { pythonEnvironment } from "../set-up/python-environment.ts";
import { pythonTools } from "../set-up/python-tools.ts";
import { nginx, stateServer } from "../set-up/system-programs.ts";

let missing = 0;
for (const part of [
  editorHost,
  oldestEditorHost,
  browser,
  pythonEnvironment,
  olderJupyter,
  extendedJupyter,
  idleCuller,
  kernelDebugger,
  jupyterScheduler,
  pythonTools,
  dataFrames,
  nginx,
  stateServer,
  chartTools,
]) {
  try {
    const found = await ready<unknown>(part);
    console.log(`Set-up: ${part.name}: ${JSON.stringify(found)}`);
  } catch (error) {
    missing += 1;
    console.error(`Set-up: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof MissingPartError && error.details !== "") console.error(error.details);
  }
}
process.exitCode = missing === 0 ? 0 : 1;
