import { dirname, join } from "node:path";
import { ready } from "../set-up/part.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { pythonTools } from "../set-up/python-tools.ts";
import { runProgram } from "../set-up/run-program.ts";
import { failure, type Outcome, onePassed, sumOf } from "./outcome.ts";

const program = join("src", "companion");

/**
 * Checks the companion's program, which runs in the kernels of servers: lint and format with ruff, that Python 3.8 has
 * all that it uses with vermin, and its tests with pytest.
 */
export async function checkPython(title: string): Promise<Outcome> {
  const { python } = await ready(pythonTools);
  const started = Date.now();
  const runs: readonly (readonly [string, ...string[]])[] = [
    ["ruff", "check", "--no-cache", program],
    ["ruff", "format", "--no-cache", "--check", program],
    // The tests of the program run with the Python of this machine alone.
    ["vermin", "--no-tips", "--violations", "--target=3.8-", "--exclude-regex", String.raw`[\\/]tests$`, program],
    ["pytest", "-q", "-p", "no:cacheprovider", program],
  ];
  const outcomes: Outcome[] = [];
  for (const [tool, ...args] of runs) {
    const { code, output } = await runProgram(join(dirname(python), tool), args, {
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
