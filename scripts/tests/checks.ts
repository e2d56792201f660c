import { join } from "node:path";
import { buildExtension, entryLimit } from "../build/bundle.ts";
import { packageContents, packageLimit } from "../build/package.ts";
import { packageNames } from "../build/third-party-notices.ts";
import { dataFrames } from "../set-up/data-frames.ts";
import type { Part } from "../set-up/part.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { pythonTools } from "../set-up/python-tools.ts";
import { runProgram } from "../set-up/run-program.ts";
import { checkModuleState } from "./module-state.ts";
import { failure, fileNameOf, type Outcome, onePassed, sumOf } from "./outcome.ts";
import { checkProse } from "./prose.ts";
import { checkPython } from "./python.ts";
import { checkRegularExpressions } from "./regular-expressions.ts";

/** What tools found in files that haven't changed since. `npm ci` removes it, so CI checks all files again. */
const cacheDirectory = join(projectDirectory, "node_modules", ".cache", "checks");

/** A check without tests. It counts as one test, passed or failed. */
interface Check {
  readonly title: string;
  readonly parts?: readonly Part<unknown>[];
  run(): Promise<Outcome>;
}

/** The checks that only read the sources. `npm run check` runs them. */
export const sourceChecks: Readonly<Record<string, Check>> = {
  types: {
    title: "type check",
    // Code in webviews uses the browser's types instead of Node's.
    run: async () =>
      sumOf([
        await typeCheck("type check", "."),
        await typeCheck("type check of the webviews' frame", "src/ui/webview/browser"),
        await typeCheck("type check of the data explorer's page", "src/features/data-explorer/browser"),
        await typeCheck("type check of the webviews' pages", "src/features/workflows/panels/browser"),
        await typeCheck("type check of the file viewers", "src/features/viewers/browser"),
        await typeCheck("type check of the widgets' renderer", "src/features/kernels/widgets/browser"),
      ]),
  },
  lint: {
    title: "lint and format",
    run: () => tool("lint and format", "biome", ["check", "--error-on-warnings", "."]),
  },
  imports: {
    title: "import rules",
    // Its cache doesn't notice changes in package.json, which a rule depends on.
    run: () => tool("import rules", "depcruise", ["src", "scripts", "test", "--config", ".dependency-cruiser.mjs"]),
  },
  unused: {
    title: "unused code",
    run: () => tool("unused code", "knip", ["--no-progress", "--treat-config-hints-as-errors"]),
  },
  regularExpressions: {
    title: "regular expressions",
    run: () => checkRegularExpressions("regular expressions"),
  },
  moduleState: {
    title: "state of modules",
    run: async () => checkModuleState("state of modules"),
  },
  spelling: {
    title: "spelling",
    run: () =>
      tool("spelling", "cspell", [
        ...["lint", "--no-progress", "--no-summary"],
        ...["--cache", "--cache-strategy", "content", "--cache-location", join(cacheDirectory, "spelling")],
      ]),
  },
  identifiers: {
    title: "words in identifiers",
    run: () =>
      tool("words in identifiers", "cspell", [
        ...["lint", "--no-progress", "--no-summary", "--config", join("scripts", "prose", "identifiers.cspell.json")],
      ]),
  },
  prose: {
    title: "prose",
    run: () => checkProse("prose"),
  },
  python: {
    title: "Python of the companion",
    parts: [pythonTools, dataFrames],
    run: () => checkPython("Python of the companion"),
  },
};

/** All checks, in the order of a whole run. */
export const checks: Readonly<Record<string, Check>> = {
  ...sourceChecks,
  build: {
    title: "build",
    run: async () => {
      try {
        const { entryBytes, thirdPartyFiles } = await buildExtension({ production: true, print: true });
        if (entryBytes > entryLimit) {
          return failure(
            "build",
            `the code that loads with the extension has ${entryBytes} bytes, more than the limit of ${entryLimit}`,
          );
        }
        const { bytes, notices = "" } = await packageContents();
        if (bytes > packageLimit) {
          return failure("build", `the .vsix has ${bytes} bytes, more than the limit of ${packageLimit}`);
        }
        const missing = packageNames(thirdPartyFiles).filter((name) => !notices.includes(`\n${name} `));
        return missing.length > 0
          ? failure("build", `the .vsix has no notices of packages that it contains: ${missing.join(", ")}`)
          : onePassed;
      } catch (error) {
        return failure("build", error instanceof Error ? error.message : String(error));
      }
    },
  },
};

/** Checks the types of a project: a directory with a `tsconfig.json`. */
function typeCheck(title: string, project: string): Promise<Outcome> {
  const stateFile = join(cacheDirectory, "types", `${fileNameOf(title)}.tsbuildinfo`);
  return tool(title, "tsc", ["-p", project, "--incremental", "--tsBuildInfoFile", stateFile]);
}

async function tool(title: string, program: string, args: readonly string[]): Promise<Outcome> {
  const started = Date.now();
  const { code, output } = await runProgram(program, args, { cwd: projectDirectory });
  if (code !== 0) return failure(title, `${program} ${args.join(" ")} (exit code ${code})`, output.trim());
  console.log(`${title}: nothing found (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return onePassed;
}
