// npm start -- [--content-server jupyter] [--desktop] [--port N] [--data DIR]: the extension in an editor, on the sample tenant.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startEditorServer } from "../../test/harness/editor-host/server.ts";
import { buildExtension } from "../build/bundle.ts";
import { editorHost } from "../set-up/editor-host.ts";
import { ready } from "../set-up/part.ts";
import { partsDirectory } from "../set-up/paths.ts";
import { pythonEnvironment } from "../set-up/python-environment.ts";
import {
  CommandLineError,
  contentServerOf,
  portOf,
  readOptions,
  runCommand,
  untilInterrupted,
} from "../start/command-line.ts";
import { startDesktopEditor } from "../start/desktop.ts";
import { linkExtension } from "../start/installed-extension.ts";
import { startSamplePlatform } from "../start/sample-platform.ts";

interface Editor {
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

await runCommand(async () => {
  const options = readOptions({
    "content-server": { type: "string" },
    desktop: { type: "boolean" },
    port: { type: "string" },
    data: { type: "string" },
  });
  const contentServer = contentServerOf(options["content-server"]);
  const port = portOf(options.port);
  if (options.desktop === true && port !== undefined) throw new CommandLineError("--port has no use with --desktop.");
  if (options.desktop !== true) await ready(editorHost);
  if (contentServer === "jupyter") await ready(pythonEnvironment);

  const dataDirectory = resolve(options.data ?? join(partsDirectory, "data"));
  const release = await claim(dataDirectory);
  try {
    console.log("Building the extension…");
    await buildExtension({ production: true, print: false });
    console.log("Starting the sample tenant…");
    const platform = await startSamplePlatform({ dataDirectory, contentServer });
    try {
      const environment = { PLATFORM_WORKBENCH_TENANT_FILE: platform.tenantFile };
      const behind = contentServer === "jupyter" ? ", a Jupyter Server behind every workspace" : "";
      console.log(`Sample tenant at ${platform.tenant.url}${behind}; its log: ${platform.logFile}`);
      const editor =
        options.desktop === true
          ? await startDesktopEditor(dataDirectory, environment)
          : await startServedEditor(dataDirectory, port, environment);
      console.log("Ctrl-C ends everything.");
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

async function startServedEditor(
  dataDirectory: string,
  port: number | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<Editor> {
  console.log("Starting the editor…");
  const editorDirectory = join(dataDirectory, "editor");
  const extensionsDirectory = join(editorDirectory, "extensions");
  await linkExtension(extensionsDirectory);
  const connectionToken = randomBytes(16).toString("hex");
  const editor = await startEditorServer({
    ...(port === undefined ? {} : { port }),
    dataDirectory: editorDirectory,
    extensionsDirectory,
    connectionToken,
    automation: false,
    marketplace: true,
    environment,
  });
  const address = `${editor.url}/?tkn=${connectionToken}`;
  console.log(`\n  Open ${address}\n`);
  openAddress(address);
  return editor;
}

/** Opens the address in the person's browser where there is a display; they have it in print where that fails. */
function openAddress(address: string): void {
  const { platform, env } = process;
  if (platform === "linux" && (env.DISPLAY ?? env.WAYLAND_DISPLAY ?? "") === "") return;
  if (env.CI === "true") return;
  const [program, args]: [string, string[]] =
    platform === "darwin"
      ? ["open", [address]]
      : platform === "win32"
        ? ["cmd", ["/c", "start", "", address]]
        : ["xdg-open", [address]];
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/** Two editors cannot share a data directory: the second says so. */
async function claim(dataDirectory: string): Promise<() => Promise<void>> {
  await mkdir(dataDirectory, { recursive: true });
  const file = join(dataDirectory, "process-id");
  const owner = Number(await readFile(file, "utf8").catch(() => ""));
  if (owner > 0 && owner !== process.pid && isRunning(owner)) {
    throw new Error(
      `npm start runs already (process ${owner}) on ${dataDirectory}. End that one, or give another directory: npm start -- --data DIR`,
    );
  }
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
