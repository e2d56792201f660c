import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Part, ready } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { pythonEnvironment } from "./python-environment.ts";
import { lastLines, runProgram } from "./run-program.ts";

/** A package of Python outside of all environments, so that only the programs that need it see it. */
export interface PythonPackage {
  /** For PYTHONPATH. */
  readonly directory: string;
}

/**
 * A part that is a Python package without what it requires. `title`: its name for users. `others`: requirements that are
 * installed with it.
 */
export function pythonPackage(options: {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly version: string;
  readonly duration: string;
  readonly others?: readonly string[];
}): Part<PythonPackage> {
  const { id, title, name, version, duration, others = [] } = options;
  const requirement = `${name}==${version}`;
  const directory = join(partsDirectory, id);
  return {
    id,
    name: `${title} (${requirement})`,
    duration,
    remedy: "Check the connection to PyPI.",

    async find() {
      const isThere = await access(join(directory, `${name.replaceAll("-", "_")}-${version}.dist-info`)).then(
        () => true,
        () => false,
      );
      return isThere ? { directory } : undefined;
    },

    async install(say) {
      await rm(directory, { recursive: true, force: true });
      const { python } = await ready(pythonEnvironment);
      say(`pip install ${requirement}…`);
      const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", directory, requirement, ...others];
      const { code, output } = await runProgram(python, pip);
      if (code !== 0) throw new Error(`pip install ${requirement} failed.\n${lastLines(output)}`);
    },
  };
}
