// npm start -- [--content-server embedded|jupyter | --described[=strict]] [--desktop] [--port N] [--data DIR]: opens
// the extension in an editor with the sample tenant.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { buildExtension } from "../build/bundle.ts";
import { editorHost } from "../set-up/editor-host.ts";
import { MissingPartError, ready } from "../set-up/part.ts";
import { partsDirectory } from "../set-up/paths.ts";
import { pythonEnvironment } from "../set-up/python-environment.ts";
import { isRunning } from "../set-up/run-program.ts";
import { basePython } from "../set-up/virtual-environment.ts";
import {
  CommandLineError,
  contentServersOf,
  portOf,
  readOptions,
  runCommand,
  untilInterrupted,
} from "../start/command-line.ts";
import { startDesktopEditor, startServedEditor } from "../start/editors.ts";
import { startLines, startSamplePlatform } from "../start/sample-platform.ts";

await runCommand(async () => {
  const options = readOptions({
    "content-server": { type: "string" },
    described: { type: "string" },
    desktop: { type: "boolean" },
    port: { type: "string" },
    data: { type: "string" },
  });
  const { contentServer: wantedServer, described } = contentServersOf(options);
  const port = portOf(options.port);
  if (options.desktop === true && port !== undefined)
    throw new CommandLineError("--port can't be combined with --desktop.");
  if (options.desktop !== true) await ready(editorHost);
  const contentServer = await contentServerFor(described === undefined ? wantedServer : "embedded");

  const dataDirectory = resolve(options.data ?? join(partsDirectory, "data"));
  const release = await claim(dataDirectory);
  try {
    console.log("Building the extension…");
    await buildExtension({ production: true, print: false });
    console.log("Starting the sample tenant…");
    const platform = await startSamplePlatform({ dataDirectory, contentServer, described });
    try {
      const environment = { PLATFORM_WORKBENCH_TENANT_FILE: platform.tenantFile };
      for (const line of startLines(platform, contentServer)) console.log(line);
      const editor =
        options.desktop === true
          ? await startDesktopEditor(dataDirectory, environment)
          : await startServedEditor(dataDirectory, port, environment);
      console.log("Press Ctrl+C to stop everything.");
      const reason = await untilInterrupted(editor.ended);
      console.log(`\n${reason ?? "Ending…"}`);
      await editor.stop();
    } finally {
      await platform.stop();
    }
  } finally {
    await release();
  }
});

/**
 * A Jupyter Server if available, so that notebooks run. Otherwise, the embedded server, with a message about what is
 * missing.
 */
async function contentServerFor(wanted: "embedded" | "jupyter" | undefined): Promise<"embedded" | "jupyter"> {
  if (wanted === "embedded") return "embedded";
  if (wanted === "jupyter") {
    await ready(pythonEnvironment);
    return "jupyter";
  }
  if ((await basePython()) === undefined && (await pythonEnvironment.find()) === undefined) {
    console.log(
      "Notebooks open, but can't run: Python 3.10 or newer with venv was not found. Install it, then start again.",
    );
    return "embedded";
  }
  try {
    await ready(pythonEnvironment);
    return "jupyter";
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error;
    console.log(`Notebooks open, but can't run. ${error.message}`);
    return "embedded";
  }
}

/** Two editors can't share a data directory. The second one reports this. */
async function claim(dataDirectory: string): Promise<() => Promise<void>> {
  await mkdir(dataDirectory, { recursive: true });
  const file = join(dataDirectory, "process-id");
  const owner = Number(await readFile(file, "utf8").catch(() => ""));
  if (owner > 0 && owner !== process.pid && isRunning(owner)) {
    throw new Error(
      `npm start is already running (process ${owner}) with ${dataDirectory}. Stop it, or use another directory: npm start -- --data DIR`,
    );
  }
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}
