import { buildExtension } from "../build/bundle.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { runProgram } from "../set-up/run-program.ts";
import { failure, type Outcome, onePassed, sumOf } from "./outcome.ts";

/** The checks that need no test: each counts as one test, passed or failed. */
export const checks: Readonly<Record<string, () => Promise<Outcome>>> = {
  types: async () => {
    // What runs in webviews knows the browser in place of Node.
    const outcomes = [
      await tool("type check", "tsc", ["-p", "."]),
      await tool("type check of webviews' pages", "tsc", ["-p", "src/features/workflows/panels/browser"]),
    ];
    return sumOf(outcomes);
  },
  lint: () => tool("lint and format", "biome", ["check", "--error-on-warnings", "."]),
  // The rules are in .dependency-cruiser.mjs.
  imports: () => tool("import rules", "depcruise", ["src", "scripts", "test"]),
  build: async () => {
    try {
      await buildExtension({ production: true, print: true });
      return onePassed;
    } catch (error) {
      return failure("build", error instanceof Error ? error.message : String(error));
    }
  },
};

async function tool(title: string, program: string, args: readonly string[]): Promise<Outcome> {
  const started = Date.now();
  const { code, output } = await runProgram(program, args, { cwd: projectDirectory });
  if (code !== 0) return failure(title, `${program} ${args.join(" ")} (exit code ${code})`, output.trim());
  console.log(`${title}: nothing found (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return onePassed;
}
