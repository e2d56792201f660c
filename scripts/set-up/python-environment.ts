import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { lastLines, type ProgramOutcome, runProgram } from "./run-program.ts";
import { aptInstall } from "./system-programs.ts";
import { basePython, pythonIn, virtualEnvironmentRemedy } from "./virtual-environment.ts";

/** A Python with jupyter-server, ipykernel, jupyterhub, and the packages of the tests' notebooks. */
export interface PythonEnvironment {
  readonly python: string;
  /** `pypi`: current releases in our own virtual environment. `debian`: the system's older packages. */
  readonly source: "pypi" | "debian";
}

/** The pip that comes with a Python may be years old, and take twice the time to find and install packages. */
const currentPip = "pip~=26.3";
const requirements = ["jupyter-server~=2.21", "ipykernel~=7.4", "jupyterhub~=6.1"];
/** For kernels and notebooks. They are added to an existing environment without rebuilding it. */
const notebookRequirements = [
  ...["bash_kernel~=0.10.0", "ipywidgets~=8.1", "matplotlib~=3.11", "nbclient~=0.11.0", "nbformat~=5.11"],
  "pandas~=3.1",
];
/**
 * A package that is uninstalled again. If it is there, jsonschema imports it, and building its grammar takes three
 * quarters of the time in which a Jupyter Server starts. Without it, only IRIs of event schemas are not checked.
 */
const removedPackage = "rfc3987-syntax";
/**
 * The debugger of kernels, which no test uses, is uninstalled, too. If it is there, each kernel loads it, which takes a
 * quarter of the time in which a kernel starts and ends.
 */
const removedDebugger = "debugpy";
const debianPackages = ["jupyter-server", "python3-ipykernel", "jupyterhub"];
const debianNotebookPackages = [
  ...["python3-ipywidgets", "python3-matplotlib", "python3-nbclient", "python3-nbformat", "python3-pandas"],
];
/** Paths of the packages' own tests. The project's directory may be in a folder with such a name, too. */
const packageTests = String.raw`site-packages[\\/].+[\\/]tests?[\\/]`;
const modules = ["jupyter_server", "ipykernel", "jupyterhub"];
const notebookModules = ["ipywidgets", "matplotlib", "nbclient", "nbformat", "pandas"];
const directory = join(partsDirectory, "python");
const stampFile = join(directory, "installed.json");
const stampVersion = versionOf([...requirements, `without ${removedPackage}`]);
const notebookVersion = versionOf([...notebookRequirements, `without ${removedDebugger}`]);

interface Stamp extends PythonEnvironment {
  readonly version: string;
  /** The requirements of notebooks; absent until they are installed. */
  readonly notebooks?: string;
}

export const pythonEnvironment: Part<PythonEnvironment> = {
  id: "python",
  name: `the Python environment of the content server (${requirements.join(", ")})`,
  duration: "about 40 s, once",
  remedy: virtualEnvironmentRemedy,

  async find() {
    const stamp = await readStamp();
    return stamp?.notebooks === notebookVersion ? { python: stamp.python, source: stamp.source } : undefined;
  },

  async install(say) {
    let stamp = await readStamp();
    if (stamp === undefined) {
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { recursive: true });
      const attempt = await fromPyPi(say);
      stamp =
        typeof attempt === "string"
          ? { version: stampVersion, python: await fromDebian(attempt, say), source: "debian" }
          : { version: stampVersion, python: attempt.python, source: "pypi" };
      await writeFile(stampFile, JSON.stringify(stamp));
    }
    await addNotebookPackages(stamp, say);
    await writeFile(stampFile, JSON.stringify({ ...stamp, notebooks: notebookVersion }));
  },
};

/** The installed environment, if it has these requirements and works. */
async function readStamp(): Promise<Stamp | undefined> {
  try {
    const stamp: unknown = JSON.parse(await readFile(stampFile, "utf8"));
    if (!isStamp(stamp) || stamp.version !== stampVersion) return undefined;
    const probe = await runProgram(stamp.python, ["-c", "pass"]);
    return probe.code === 0 ? stamp : undefined;
  } catch {
    return undefined;
  }
}

async function addNotebookPackages({ python, source }: PythonEnvironment, say: (line: string) => void): Promise<void> {
  if (source === "debian") {
    if ((await importsAll(python, notebookModules)).code !== 0) await aptInstall(debianNotebookPackages, say);
  } else {
    const problem = await addPackages(python, notebookRequirements, removedDebugger, say);
    if (problem !== undefined) throw new Error(problem);
    const registered = await runProgram(python, ["-m", "bash_kernel.install", "--sys-prefix"]);
    if (registered.code !== 0) throw new Error(`bash_kernel can't be installed.\n${lastLines(registered.output)}`);
  }
  const imported = await importsAll(python, notebookModules);
  if (imported.code !== 0)
    throw new Error(`the packages for notebooks can't be imported.\n${lastLines(imported.output)}`);
}

/** A virtual environment with current releases; otherwise the reason as a string. */
async function fromPyPi(say: (line: string) => void): Promise<{ python: string } | string> {
  let base = await basePython();
  if (base === undefined) {
    const reason = "Python 3.10 or newer with venv was not found.";
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
  const python = pythonIn(directory);
  const updated = await runProgram(python, ["-m", "pip", "install", "--quiet", currentPip]);
  if (updated.code !== 0) return `pip install ${currentPip} failed.\n${lastLines(updated.output)}`;
  const problem = await addPackages(python, requirements, removedPackage, say);
  if (problem !== undefined) return problem;
  const imported = await importsAll(python, modules);
  return imported.code === 0 ? { python } : `the installed packages can't be imported.\n${lastLines(imported.output)}`;
}

async function fromDebian(reason: string, say: (line: string) => void): Promise<string> {
  say(`${reason.split("\n")[0]} Falling back to Debian's packages (older: Jupyter Server 1.23)…`);
  const python = "/usr/bin/python3";
  if ((await importsAll(python, modules)).code === 0) return python;
  try {
    await aptInstall(debianPackages, say);
  } catch (error) {
    throw new Error(`${reason}\n${error instanceof Error ? error.message : String(error)}`);
  }
  const imported = await importsAll(python, modules);
  if (imported.code !== 0) throw new Error(`Debian's packages can't be imported.\n${lastLines(imported.output)}`);
  return python;
}

/** Installs packages without one of their dependencies. Returns what failed. */
async function addPackages(
  python: string,
  packages: readonly string[],
  removed: string,
  say: (line: string) => void,
): Promise<string | undefined> {
  say(`pip install ${packages.join(" ")}…`);
  const installed = await runProgram(python, ["-m", "pip", "install", "--quiet", "--no-compile", ...packages]);
  if (installed.code !== 0) return `pip install failed.\n${lastLines(installed.output)}`;
  const uninstalled = await runProgram(python, ["-m", "pip", "uninstall", "--quiet", "--yes", removed]);
  if (uninstalled.code !== 0) return `pip uninstall failed.\n${lastLines(uninstalled.output)}`;
  // pip would also compile the packages' own tests, a quarter of all files. A file that can't be compiled is only slower.
  await runProgram(python, ["-m", "compileall", "-q", "-x", packageTests, directory]);
  return undefined;
}

function importsAll(python: string, names: readonly string[]): Promise<ProgramOutcome> {
  return runProgram(python, ["-c", `import ${names.join(", ")}`]);
}

function versionOf(packages: readonly string[]): string {
  return createHash("sha256").update(packages.join("\n")).digest("hex").slice(0, 16);
}

function isStamp(value: unknown): value is Stamp {
  return (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    "python" in value &&
    typeof value.python === "string" &&
    "source" in value
  );
}
