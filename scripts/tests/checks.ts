import { buildExtension } from "../build/bundle.ts";
import { checkImports } from "../check-imports.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { runProgram } from "../set-up/run-program.ts";
import { failure, type Outcome, onePassed, sumOf } from "./outcome.ts";

/** The checks that need no test: each counts as one test, passed or failed. */
export const checks: Readonly<Record<string, () => Promise<Outcome>>> = {
  types: async () => {
    // What runs in webviews knows the browser in place of Node.
    const outcomes = [
      await tool("type check", "tsc", ["-p", "."]),
      await tool("type check of the webviews' frame", "tsc", ["-p", "src/ui/webview/browser"]),
      await tool("type check of the webviews' pages", "tsc", ["-p", "src/features/workflows/panels/browser"]),
    ];
    return sumOf(outcomes);
  },
  lint: () => tool("lint and format", "biome", ["check", "--error-on-warnings", "."]),
  imports: async () => {
    const violations = await checkImports();
    if (violations.length > 0) return failure("import rules", `${violations.length} broken`, violations.join("\n"));
    console.log("import rules: every import is allowed");
    return onePassed;
  },
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
