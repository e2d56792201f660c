import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { lastLines, runProgram } from "./run-program.ts";

/** What users can do if a part with a virtual environment can't be installed. */
export const virtualEnvironmentRemedy =
  "Install Python 3.10 or newer with venv (Debian: apt-get install python3 python3-venv) and check the connection to PyPI.";

/** Path of the Python in a virtual environment. */
export function pythonIn(directory: string): string {
  return join(directory, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
}

/**
 * The first Python on this machine that is new enough and can create a virtual environment with pip. That of the system
 * comes first: distributions optimize it with profiles, while one that was compiled here often isn't, and runs kernels
 * and servers up to a sixth slower.
 */
export async function basePython(): Promise<string | undefined> {
  const test = "import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 1)";
  for (const candidate of ["/usr/bin/python3", "python3", "python"]) {
    if ((await runProgram(candidate, ["-c", test])).code === 0) return candidate;
  }
  return undefined;
}

/** Creates an empty virtual environment in place of the one in the directory. Throws if there is no Python for it. */
export async function createVirtualEnvironment(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const base = await basePython();
  if (base === undefined) throw new Error("Python 3.10 or newer with venv was not found.");
  await runOrThrow(base, ["-m", "venv", directory]);
}

/** A virtual environment with packages of exact releases. */
interface Environment {
  readonly id: string;
  readonly name: string;
  readonly duration: string;
  /** As `name==release`. */
  readonly packages: readonly string[];
  /** A package that comes with these and that slows down each start. */
  readonly unwanted?: string;
}

export interface PythonEnvironment {
  readonly python: string;
}

/** A part that is a virtual environment. */
export function environmentPart({ id, name, duration, packages, unwanted }: Environment): Part<PythonEnvironment> {
  const directory = join(partsDirectory, id);
  const python = pythonIn(directory);
  const probe = [
    "from importlib.metadata import version",
    ...packages.map((one) => one.split("==")).map(([one, release]) => `assert version("${one}") == "${release}"`),
  ].join("\n");
  return {
    id,
    name: `${name} (${packages.join(", ")})`,
    duration,
    remedy: virtualEnvironmentRemedy,
    async find() {
      const { code } = await runProgram(python, ["-c", probe]);
      return code === 0 ? { python } : undefined;
    },
    async install(say) {
      await createVirtualEnvironment(directory);
      say(`pip install ${packages.join(" ")}…`);
      await runOrThrow(python, ["-m", "pip", "install", "--quiet", "--no-compile", ...packages]);
      if (unwanted !== undefined) {
        await runOrThrow(python, ["-m", "pip", "uninstall", "--quiet", "--yes", unwanted]);
      }
    },
  };
}

/** Runs a program. Throws an error with its last lines if it fails. */
export async function runOrThrow(program: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProgram(program, args);
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(" ")} failed.\n${lastLines(output)}`);
}
