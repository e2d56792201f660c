import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes a file of this computer so that nobody reads it half-written, and that a crash leaves the earlier content. Only
 * the user can read it. Rejects with the error of the system.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const unfinished = join(dirname(path), `${randomUUID()}.writing`);
  try {
    await writeFile(unfinished, content, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
