// The copies of unsaved changes that the editor stores.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import type { TenantWindow } from "./tenant-window.ts";

type EditorData = Pick<TenantWindow, "dataDirectory">;

/** Waits until the editor has a copy that matches the pattern. It makes one some time after the last change. */
export async function waitForBackup(of: EditorData, pattern: RegExp): Promise<void> {
  await waitFor("the copy of the unsaved changes", async () => (await backups(of)).some((copy) => pattern.test(copy)));
}

/**
 * Waits until the editor has no copy of this file. It removes the copy of a saved file a moment after the save. A window
 * that is closed before that restores the copy, and takes the saved version for a change by someone else.
 */
export async function waitForNoBackup(of: EditorData, name: string): Promise<void> {
  await waitFor(`the editor to remove its copy of ${name}`, async () =>
    // A copy begins with the file's URI.
    (await backups(of)).every((copy) => !(copy.split("\n")[0] ?? "").includes(`/${name}`)),
  );
}

async function backups({ dataDirectory }: EditorData): Promise<readonly string[]> {
  const directory = join(dataDirectory, "data", "User", "Backups");
  if (!existsSync(directory)) return [];
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")));
}
