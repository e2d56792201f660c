import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { lastLines, runProgram } from "./run-program.ts";
import { aptInstall } from "./system-programs.ts";

/** A Python that has jupyter-server, ipykernel and jupyterhub: the real content server. */
export interface PythonEnvironment {
  readonly python: string;
  /** `pypi`: current releases in a virtual environment of our own. `debian`: the system's, older, packages. */
  readonly source: "pypi" | "debian";
}

const requirements = ["jupyter-server~=2.21", "ipykernel~=7.4", "jupyterhub~=6.1"];
const debianPackages = ["jupyter-server", "python3-ipykernel", "jupyterhub"];
const modules = ["jupyter_server", "ipykernel", "jupyterhub"];
const directory = join(partsDirectory, "python");
const stampFile = join(directory, "installed.json");
const stampVersion = createHash("sha256").update(requirements.join("\n")).digest("hex").slice(0, 16);

export const pythonEnvironment: Part<PythonEnvironment> = {
  id: "python",
  name: `the Python environment of the content server (${requirements.join(", ")})`,
  duration: "about 60 s, once",
  remedy:
    "Install Python 3.10 or newer with venv (Debian: apt-get install python3 python3-venv) and check the connection to PyPI.",

  async find() {
    try {
      const stamp: unknown = JSON.parse(await readFile(stampFile, "utf8"));
      if (!isStamp(stamp) || stamp.version !== stampVersion) return undefined;
      const probe = await runProgram(stamp.python, ["-c", "pass"]);
      return probe.code === 0 ? { python: stamp.python, source: stamp.source } : undefined;
    } catch {
      return undefined;
    }
  },

  async install(say) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    const attempt = await fromPyPi(say);
    const found =
      typeof attempt === "string"
        ? ({ python: await fromDebian(attempt, say), source: "debian" } as const)
        : ({ python: attempt.python, source: "pypi" } as const);
    await writeFile(stampFile, JSON.stringify({ version: stampVersion, ...found }));
  },
};

/** A virtual environment with current releases; a string says why there is none. */
async function fromPyPi(say: (line: string) => void): Promise<{ python: string } | string> {
  let base = await basePython();
  if (base === undefined) {
    const reason = "no Python 3.10 or newer with venv was found.";
    try {
      await aptInstall(["python3", "python3-venv"], say);
    } catch (error) {
      return `${reason} ${error instanceof Error ? error.message : ""}`;
    }
    base = await basePython();
    if (base === undefined) return reason;
  }
  const made = await runProgram(base, ["-m", "venv", directory]);
  if (made.code !== 0) return `${base} -m venv failed.\n${lastLines(made.output)}`;
  const python = join(directory, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  say(`pip install ${requirements.join(" ")}…`);
  const installed = await runProgram(python, ["-m", "pip", "install", "--quiet", ...requirements]);
  if (installed.code !== 0) return `pip install failed.\n${lastLines(installed.output)}`;
  const imported = await importsAll(python);
  return imported.code === 0 ? { python } : `the installed packages do not load.\n${lastLines(imported.output)}`;
}

async function fromDebian(reason: string, say: (line: string) => void): Promise<string> {
  say(`${reason.split("\n")[0]} Falling back to Debian's packages (older: Jupyter Server 1.23)…`);
  const python = "/usr/bin/python3";
  if ((await importsAll(python)).code === 0) return python;
  try {
    await aptInstall(debianPackages, say);
  } catch (error) {
    throw new Error(`${reason}\n${error instanceof Error ? error.message : String(error)}`);
  }
  const imported = await importsAll(python);
  if (imported.code !== 0) throw new Error(`Debian's packages do not load.\n${lastLines(imported.output)}`);
  return python;
}

/** The first Python on this machine that is new enough and can make a virtual environment with pip in it. */
export async function basePython(): Promise<string | undefined> {
  const test = "import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 1)";
  for (const candidate of ["python3", "/usr/bin/python3", "python"]) {
    if ((await runProgram(candidate, ["-c", test])).code === 0) return candidate;
  }
  return undefined;
}

function importsAll(python: string): Promise<{ code: number; output: string }> {
  return runProgram(python, ["-c", `import ${modules.join(", ")}`]);
}

function isStamp(value: unknown): value is { version: string; python: string; source: "pypi" | "debian" } {
  return (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    "python" in value &&
    typeof value.python === "string" &&
    "source" in value
  );
}
