import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Part, ready } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { pythonEnvironment } from "./python-environment.ts";
import { lastLines, runProgram } from "./run-program.ts";

/** The service that stops idle servers of a JupyterHub. */
export interface IdleCuller {
  /** For PYTHONPATH. */
  readonly directory: string;
}

const requirement = "jupyterhub-idle-culler==2.0.0";
const directory = join(partsDirectory, "idle-culler");

export const idleCuller: Part<IdleCuller> = {
  id: "idle-culler",
  name: `the idle culler of JupyterHub (${requirement})`,
  duration: "about 2 s, once",
  remedy: "Check the connection to PyPI.",

  async find() {
    const isThere = await access(join(directory, "jupyterhub_idle_culler-2.0.0.dist-info")).then(
      () => true,
      () => false,
    );
    return isThere ? { directory } : undefined;
  },

  async install(say) {
    await rm(directory, { recursive: true, force: true });
    const { python } = await ready(pythonEnvironment);
    say(`pip install ${requirement}…`);
    // The hub's environment has what it needs.
    const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", directory, requirement];
    const { code, output } = await runProgram(python, pip);
    if (code !== 0) throw new Error(`pip install ${requirement} failed.\n${lastLines(output)}`);
  },
};
