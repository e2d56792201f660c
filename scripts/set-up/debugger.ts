import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Part, ready } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { pythonEnvironment } from "./python-environment.ts";
import { lastLines, runProgram } from "./run-program.ts";

/**
 * The debugger of Python, which comes with ipykernel. It isn't in the environments of the tests, because each kernel
 * would load it: only the servers of the tests that debug have it.
 */
export interface KernelDebugger {
  /** For PYTHONPATH. */
  readonly directory: string;
}

const version = "1.8.22";
const requirement = `debugpy==${version}`;
const directory = join(partsDirectory, "debugger");

export const kernelDebugger: Part<KernelDebugger> = {
  id: "debugger",
  name: `the debugger of kernels (${requirement})`,
  duration: "about 5 s, once",
  remedy: "Check the connection to PyPI.",

  async find() {
    const isThere = await access(join(directory, `debugpy-${version}.dist-info`)).then(
      () => true,
      () => false,
    );
    return isThere ? { directory } : undefined;
  },

  async install(say) {
    await rm(directory, { recursive: true, force: true });
    const { python } = await ready(pythonEnvironment);
    say(`pip install ${requirement}…`);
    const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", directory, requirement];
    const { code, output } = await runProgram(python, pip);
    if (code !== 0) throw new Error(`pip install ${requirement} failed.\n${lastLines(output)}`);
  },
};
