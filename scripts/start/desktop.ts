import { spawn } from "node:child_process";
import { join } from "node:path";
import { downloadAndUnzipVSCode } from "@vscode/test-electron";
import { endProcess } from "../../test/harness/end-process.ts";
import { partsDirectory, projectDirectory } from "../set-up/paths.ts";

export interface DesktopEditor {
  /** Settles with the reason when its last window was closed. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Opens the desktop editor (PLATFORM_WORKBENCH_DESKTOP, else a downloaded one) with the extension loaded. */
export async function startDesktopEditor(
  dataDirectory: string,
  environment: Readonly<Record<string, string>>,
): Promise<DesktopEditor> {
  const named = process.env.PLATFORM_WORKBENCH_DESKTOP ?? "";
  const executable = named !== "" && named !== "1" ? named : await download();
  const child = spawn(
    executable,
    [
      `--extensionDevelopmentPath=${projectDirectory}`,
      `--user-data-dir=${join(dataDirectory, "desktop")}`,
      `--extensions-dir=${join(dataDirectory, "desktop-extensions")}`,
      "--disable-workspace-trust",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    { env: { ...process.env, ...environment }, stdio: "ignore" },
  );
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(`The desktop editor does not start: ${error.message}`));
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
      `The desktop VS Code cannot be downloaded: ${reason}. Leave out --desktop, or name an installed one in PLATFORM_WORKBENCH_DESKTOP.`,
    );
  }
}
