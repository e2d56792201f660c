// Accepts the desktop editor's flags, runs the suite in the editor host, and exits with the suite's code.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runSuiteInEditor } from "../test/harness/editor-host/suite-run.ts";
import { MissingPartError } from "./set-up/part.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: "string" },
    extensionTestsPath: { type: "string" },
    "folder-uri": { type: "string" },
    "file-uri": { type: "string" },
    "user-data-dir": { type: "string" },
    "extensions-dir": { type: "string" },
    "disable-workspace-trust": { type: "boolean" },
    verbose: { type: "boolean" },
  },
});

function text(name: keyof typeof values): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A file URI is a path on the server's machine, which is this one. */
function place(uri: string): string {
  return uri.startsWith("file:") ? fileURLToPath(uri) : uri;
}

function asPath(flag: "extensionDevelopmentPath" | "extensionTestsPath"): string {
  const value = text(flag);
  if (value === undefined) {
    console.error(`Editor launcher: the flag --${flag}= is missing.`);
    process.exit(2);
  }
  return place(value);
}

const folder = text("folder-uri") ?? positionals[0];
const workspace = text("file-uri");
const dataDirectory = text("user-data-dir");
const extensionsDirectory = text("extensions-dir");

try {
  process.exitCode = await runSuiteInEditor(
    {
      ...(dataDirectory === undefined ? {} : { dataDirectory }),
      ...(extensionsDirectory === undefined ? {} : { extensionsDirectory }),
    },
    {
      window: {
        extensionDevelopmentPath: asPath("extensionDevelopmentPath"),
        extensionTestsPath: asPath("extensionTestsPath"),
        ...(folder === undefined ? {} : { folder: place(folder) }),
        ...(workspace === undefined ? {} : { workspace: place(workspace) }),
      },
      timeLimitMs: Number(process.env.PLATFORM_WORKBENCH_SUITE_SECONDS ?? 2700) * 1000,
      verbose: values.verbose === true,
    },
  );
} catch (error) {
  console.error(`Editor launcher: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof MissingPartError && error.details !== "") console.error(error.details);
  process.exitCode = 1;
}
