import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { comparableBytes } from "./contents.ts";

/** The content below a folder: the comparable form of each file's bytes, `directory` for a directory. */
export async function diskTree(folder: string): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.name === ".ipynb_checkpoints") continue;
      if (entry.isDirectory()) {
        found.push([path, "directory"]);
        await visit(path);
      } else {
        found.push([path, comparableBytes(await readFile(join(folder, path)))]);
      }
    }
  };
  await visit("");
  return Object.fromEntries(found.toSorted());
}
