import { dirname, join } from "node:path";
import { dataFrames } from "../set-up/data-frames.ts";
import { ready } from "../set-up/part.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { pythonTools } from "../set-up/python-tools.ts";
import { runProgram } from "../set-up/run-program.ts";
import { failure, type Outcome, onePassed, sumOf } from "./outcome.ts";

const program = join("src", "companion");
const frameTests = join(program, "tests", "frames");

/**
 * Checks the companion's program, which runs in the kernels of servers: lint and format with ruff, that Python 3.8 has
 * all that it uses with vermin, and its tests with pytest. Those of data frames run where pandas and polars are
 * installed, the others where they aren't.
 */
export async function checkPython(title: string): Promise<Outcome> {
  const tools = dirname((await ready(pythonTools)).python);
  const libraries = dirname((await ready(dataFrames)).python);
  const started = Date.now();
  const runs: readonly (readonly [string, string, ...string[]])[] = [
    [tools, "ruff", "check", "--no-cache", program],
    [tools, "ruff", "format", "--no-cache", "--check", program],
    // The tests of the program run with the Python of this machine alone.
    [
      tools,
      "vermin",
      "--no-tips",
      "--violations",
      "--target=3.8-",
      "--exclude-regex",
      String.raw`[\\/]tests$`,
      program,
    ],
    [tools, "pytest", "-q", "-p", "no:cacheprovider", `--ignore=${frameTests}`, program],
    [libraries, "pytest", "-q", "-p", "no:cacheprovider", frameTests],
  ];
  const outcomes: Outcome[] = [];
  for (const [directory, tool, ...args] of runs) {
    const { code, output } = await runProgram(join(directory, tool), args, {
      cwd: projectDirectory,
      environment: { PYTHONDONTWRITEBYTECODE: "1" },
    });
    const command = `${tool} ${args.join(" ")}`;
    outcomes.push(code === 0 ? onePassed : failure(title, `${command} (exit code ${code})`, output.trim()));
  }
  const outcome = sumOf(outcomes);
  if (outcome.failed === 0) console.log(`${title}: nothing found (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return outcome;
}
