// The editors that `npm start` opens with the extension.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { downloadAndUnzipVSCode } from "@vscode/test-electron";
import { type EditorServer, startEditorServer } from "../../test/harness/editor-host/server.ts";
import { endProcess } from "../../test/harness/end-process.ts";
import { partsDirectory, projectDirectory } from "../set-up/paths.ts";

/** The extension that opens the walkthrough on the first start with a data directory. */
const firstStartDirectory = join(import.meta.dirname, "first-start");

export interface Editor {
  /** Resolves with the reason when the editor has exited by itself. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ServedEditor extends EditorServer {
  /** The browser must send it in the address (`?tkn=`). */
  readonly connectionToken: string;
}

/** Serves the editor to a browser, and opens the browser. */
export async function startServedEditor(
  dataDirectory: string,
  port: number | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<ServedEditor> {
  console.log("Starting the editor…");
  const editorDirectory = join(dataDirectory, "editor");
  const extensionsDirectory = join(editorDirectory, "extensions");
  await linkExtensions(extensionsDirectory, [projectDirectory, firstStartDirectory]);
  const connectionToken = randomBytes(16).toString("hex");
  const editor = await startEditorServer({
    ...(port === undefined ? {} : { port }),
    dataDirectory: editorDirectory,
    extensionsDirectory,
    connectionToken,
    forUser: true,
    marketplace: true,
    environment,
  });
  const address = `${editor.url}/?tkn=${connectionToken}`;
  console.log(`\n  Open ${address}\n`);
  openAddress(address);
  return { ...editor, connectionToken };
}

/** Opens the address in the user's browser if there is a display. The address is also printed. */
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

/**
 * Links directories with an extension into an editor's extensions directory, so that the editor treats them as installed.
 * Other extensions that a user installed there are kept.
 */
async function linkExtensions(extensionsDirectory: string, directories: readonly string[]): Promise<void> {
  await mkdir(extensionsDirectory, { recursive: true });
  const linked = await Promise.all(directories.map((directory) => linkExtension(extensionsDirectory, directory)));
  const listFile = join(extensionsDirectory, "extensions.json");
  const listed: unknown = JSON.parse(await readFile(listFile, "utf8").catch(() => "[]"));
  const others = (Array.isArray(listed) ? listed : []).filter(
    (entry: unknown) => !linked.some(({ identifier }) => JSON.stringify(entry).includes(`"id":"${identifier.id}"`)),
  );
  await writeFile(listFile, JSON.stringify([...others, ...linked]));
}

/** Links one extension and returns its entry in the editor's list. */
async function linkExtension(extensionsDirectory: string, directory: string) {
  const manifest: unknown = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const text = (name: string): string => String(Reflect.get(Object(manifest), name));
  const id = `${text("publisher")}.${text("name")}`;
  const version = text("version");
  const relativeLocation = `${id}-${version}`;
  const path = join(extensionsDirectory, relativeLocation);
  await rm(path, { recursive: true, force: true });
  await symlink(directory, path, "junction");
  return {
    identifier: { id },
    version,
    location: { $mid: 1, path, scheme: "file" },
    relativeLocation,
    metadata: { installedTimestamp: Date.now(), source: "vsix", pinned: true },
  };
}

/** Opens the desktop editor (PLATFORM_WORKBENCH_DESKTOP, otherwise a downloaded one) with the extension. */
export async function startDesktopEditor(
  dataDirectory: string,
  environment: Readonly<Record<string, string>>,
): Promise<Editor> {
  const named = process.env.PLATFORM_WORKBENCH_DESKTOP ?? "";
  const executable = named !== "" && named !== "1" ? named : await download();
  const child = spawn(
    executable,
    [
      `--extensionDevelopmentPath=${projectDirectory}`,
      `--extensionDevelopmentPath=${firstStartDirectory}`,
      `--user-data-dir=${join(dataDirectory, "desktop")}`,
      `--extensions-dir=${join(dataDirectory, "desktop-extensions")}`,
      "--disable-workspace-trust",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    { env: { ...process.env, ...environment }, stdio: "ignore" },
  );
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(`The desktop editor could not start: ${error.message}`));
    child.on("exit", () => resolve("The desktop editor was closed."));
  });
  return { ended, stop: () => endProcess(child) };
}

async function download(): Promise<string> {
  try {
    return await downloadAndUnzipVSCode({ cachePath: join(partsDirectory, "desktop") });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The desktop VS Code can't be downloaded: ${reason}. Omit --desktop, or set PLATFORM_WORKBENCH_DESKTOP to an installed one.`,
    );
  }
}
