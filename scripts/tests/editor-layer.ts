import { createWriteStream } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { runTests } from "@vscode/test-electron";
import type { EditorEnvironment } from "../../test/harness/editor-host/environment.ts";
import { buildEditorSuite } from "../build/bundle.ts";
import { findFiles } from "../find-files.ts";
import { editorVariable } from "../set-up/editor-host.ts";
import { projectDirectory, resultsDirectory } from "../set-up/paths.ts";
import { freshTotalsFile, judge, readTotals } from "./mocha-layer.ts";
import { failure, fileNameOf, type Outcome } from "./outcome.ts";

/**
 * The editor that runs the suite. `host`: VS Code's server and a browser, started by our launcher, in one of
 * `editorVersions`. `desktop`: the desktop build that @vscode/test-electron downloads, or the one at `executable`.
 */
export type EditorChoice =
  | { readonly kind: "host"; readonly version?: string }
  | { readonly kind: "desktop"; readonly executable?: string };

/** Counts what a new window requests, so it runs before all others. */
const firstTest = "test/editor/opening.test.ts";

/** Runs `test/editor/**\/*.test.ts`, or some of these files, inside the extension host of a real editor. */
export async function runEditorLayer(choice: EditorChoice, only?: readonly string[]): Promise<Outcome> {
  const files = await findFiles(join(projectDirectory, "test", "editor"), ".test.ts");
  const tests = files
    .map((file) => relative(projectDirectory, file).split(sep).join("/"))
    .filter((file) => only === undefined || only.includes(file))
    .toSorted((one, other) => Number(other === firstTest) - Number(one === firstTest));
  if (tests.length === 0) return failure("editor", "there is no such test in test/editor/");
  const suite = await buildEditorSuite(tests, fileNameOf(nameOf(choice)));
  const { prepare }: { prepare(): Promise<EditorEnvironment> } = await import("../../test/editor/environment.ts");
  const prepared = await prepare();
  try {
    return await runInEditor(tests, suite, prepared, choice);
  } finally {
    await prepared.stop();
  }
}

function nameOf(choice: EditorChoice): string {
  return choice.kind === "host" && choice.version !== undefined ? `editor ${choice.version}` : "editor";
}

async function runInEditor(
  tests: readonly string[],
  suite: string,
  { folder, environment }: EditorEnvironment,
  choice: EditorChoice,
): Promise<Outcome> {
  const title = nameOf(choice);
  if (title !== "editor") console.log(`\n${title}`);
  const totalsFile = await freshTotalsFile(title);
  const profile = await mkdtemp(join(tmpdir(), "platform-workbench-profile-"));
  const extensions = join(profile, "extensions");
  await cp(join(projectDirectory, "test", "harness", "probe-extension"), join(extensions, "probe"), {
    recursive: true,
  });
  const log = createWriteStream(join(resultsDirectory, `${fileNameOf(title)}.log`));
  const tee = (stream: NodeJS.WriteStream): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        stream.write(chunk);
        log.write(chunk, () => done());
      },
    });
  try {
    const code = await runTests({
      ...editorExecutable(choice),
      reuseMachineInstall: true,
      extensionDevelopmentPath: projectDirectory,
      extensionTestsPath: suite,
      launchArgs: [
        ...(folder === undefined ? [] : [`--folder-uri=${asUri(folder)}`]),
        `--user-data-dir=${join(profile, "data")}`,
        `--extensions-dir=${extensions}`,
      ],
      extensionTestsEnv: {
        ...environment,
        ...(choice.kind === "host" && choice.version !== undefined ? { [editorVariable]: choice.version } : {}),
        PLATFORM_WORKBENCH_TOTALS: totalsFile,
        PLATFORM_WORKBENCH_PROFILE: profile,
        PLATFORM_WORKBENCH_TEST_FILES: JSON.stringify(tests),
        ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
      },
      stdout: tee(process.stdout),
      stderr: tee(process.stderr),
    }).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && typeof error.code === "number") return error.code;
      console.error(error instanceof Error ? error.message : String(error));
      return 1;
    });
    return judge(title, await readTotals(totalsFile), code);
  } finally {
    await new Promise<void>((resolve) => log.end(resolve));
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function editorExecutable(choice: EditorChoice): { vscodeExecutablePath?: string } {
  if (choice.kind === "host") return { vscodeExecutablePath: join(projectDirectory, "scripts", "editor-launcher") };
  return choice.executable === undefined ? {} : { vscodeExecutablePath: choice.executable };
}

function asUri(place: string): string {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(place) ? place : pathToFileURL(place).href;
}
