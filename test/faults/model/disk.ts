import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { comparableBytes } from "./contents.ts";

/** The content below a folder: the comparable form of each file's bytes, `directory` for a directory. */
export function diskTree(folder: string): Readonly<Record<string, string>> {
  const found: [string, string][] = [];
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.name === ".ipynb_checkpoints") continue;
      if (entry.isDirectory()) {
        found.push([path, "directory"]);
        visit(path);
      } else {
        found.push([path, comparableBytes(readFileSync(join(folder, path)))]);
      }
    }
  };
  visit("");
  return Object.fromEntries(found.toSorted());
}
