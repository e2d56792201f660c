import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { runProgram } from "./run-program.ts";
import { createVirtualEnvironment, pythonIn, runOrThrow, virtualEnvironmentRemedy } from "./virtual-environment.ts";

/** A Python with the last Jupyter Server 1.x and the kernel of its time, as many platforms still run them. */
export interface OlderJupyter {
  readonly python: string;
}

const requirements = ["jupyter-server==1.24.0", "ipykernel~=6.29.0"];
const directory = join(partsDirectory, "older-jupyter");
const python = pythonIn(directory);
const probe = [
  "from importlib.metadata import version",
  "import jupyter_server, ipykernel",
  'assert version("jupyter-server") == "1.24.0" and version("ipykernel").startswith("6.29.")',
].join("\n");

export const olderJupyter: Part<OlderJupyter> = {
  id: "older-jupyter",
  name: `the Python environment of an older content server (${requirements.join(", ")})`,
  duration: "about 15 s, once",
  remedy: virtualEnvironmentRemedy,

  async find() {
    const { code } = await runProgram(python, ["-c", probe]);
    return code === 0 ? { python } : undefined;
  },

  async install(say) {
    await createVirtualEnvironment(directory);
    say(`pip install ${requirements.join(" ")}…`);
    await runOrThrow(python, ["-m", "pip", "install", "--quiet", "--no-compile", ...requirements]);
    // Each kernel would load the debugger, which no test uses.
    await runOrThrow(python, ["-m", "pip", "uninstall", "--quiet", "--yes", "debugpy"]);
  },
};
