import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { runProgram } from "./run-program.ts";
import { createVirtualEnvironment, pythonIn, runOrThrow, virtualEnvironmentRemedy } from "./virtual-environment.ts";

/** A Python with a Jupyter Server that pairs notebooks with scripts, and one that keeps them in live rooms. */
export interface ExtendedJupyter {
  readonly python: string;
}

/** Without the part of jupyter-collaboration that runs in a browser. */
const requirements = ["jupyter-server==2.21.1", "jupytext==1.19.6", "jupyter-server-ydoc==3.0.4"];
const directory = join(partsDirectory, "extended-jupyter");
const python = pythonIn(directory);
const probe = [
  "from importlib.metadata import version",
  "import jupyter_server, jupytext, jupyter_server_ydoc",
  ...requirements.map((one) => one.split("==")).map(([name, release]) => `assert version("${name}") == "${release}"`),
].join("\n");

export const extendedJupyter: Part<ExtendedJupyter> = {
  id: "extended-jupyter",
  name: `the Python environment of a content server with extensions (${requirements.join(", ")})`,
  duration: "about 25 s, once",
  remedy: virtualEnvironmentRemedy,

  async find() {
    const { code } = await runProgram(python, ["-c", probe]);
    return code === 0 ? { python } : undefined;
  },

  async install(say) {
    await createVirtualEnvironment(directory);
    say(`pip install ${requirements.join(" ")}…`);
    await runOrThrow(python, ["-m", "pip", "install", "--quiet", "--no-compile", ...requirements]);
    // With it, building the grammar of event schemas takes most of the time in which the server starts.
    await runOrThrow(python, ["-m", "pip", "uninstall", "--quiet", "--yes", "rfc3987-syntax"]);
  },
};
