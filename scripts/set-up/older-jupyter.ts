import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { basePython } from "./python-environment.ts";
import { lastLines, runProgram } from "./run-program.ts";

/** A Python with the last Jupyter Server 1.x and the kernel of its time, as many platforms still run them. */
export interface OlderJupyter {
  readonly python: string;
}

const requirements = ["jupyter-server==1.24.0", "ipykernel~=6.29.0"];
const directory = join(partsDirectory, "older-jupyter");
const python = join(directory, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
const probe = [
  "from importlib.metadata import version",
  "import jupyter_server, ipykernel",
  'assert version("jupyter-server") == "1.24.0" and version("ipykernel").startswith("6.29.")',
].join("\n");

export const olderJupyter: Part<OlderJupyter> = {
  id: "older-jupyter",
  name: `the Python environment of an older content server (${requirements.join(", ")})`,
  duration: "about 15 s, once",
  remedy:
    "Install Python 3.10 or newer with venv (Debian: apt-get install python3 python3-venv) and check the connection to PyPI.",

  async find() {
    const { code } = await runProgram(python, ["-c", probe]);
    return code === 0 ? { python } : undefined;
  },

  async install(say) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    const base = await basePython();
    if (base === undefined) throw new Error("Python 3.10 or newer with venv was not found.");
    await run(base, ["-m", "venv", directory]);
    say(`pip install ${requirements.join(" ")}…`);
    await run(python, ["-m", "pip", "install", "--quiet", "--no-compile", ...requirements]);
    // Each kernel would load the debugger, which no test uses.
    await run(python, ["-m", "pip", "uninstall", "--quiet", "--yes", "debugpy"]);
  },
};

async function run(program: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProgram(program, args);
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(" ")} failed.\n${lastLines(output)}`);
}
