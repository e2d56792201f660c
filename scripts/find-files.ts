import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Absolute paths of the files below a directory whose names have this ending, sorted; none if the directory does not
 * exist.
 */
export async function findFiles(directory: string, ending: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
