import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { marksIn } from "./contents.ts";

/** The marks in the files at or below a path of this machine. Links are not followed. */
export function marksBelow(place: string): ReadonlySet<string> {
  const found = entryAt(place);
  if (found?.isFile() === true) return marksIn(readFileSync(place, "utf8"));
  if (found?.isDirectory() !== true) return new Set();
  return new Set(readdirSync(place).flatMap((name) => [...marksBelow(join(place, name))]));
}

/** The content of a file of this machine; undefined if there is none. Links are followed. */
export function contentAt(place: string): string | undefined {
  return kindAt(place) === "file" ? readFileSync(place, "utf8") : undefined;
}

/** The kind of item at a path of this machine. Links are followed. */
export function kindAt(place: string): "file" | "folder" | "nothing" {
  try {
    return statSync(place).isDirectory() ? "folder" : "file";
  } catch {
    // There is nothing, or a link that leads nowhere.
    return "nothing";
  }
}

/** True if there is an item, or a link, whether or not it leads to one. */
export function isAt(place: string): boolean {
  return entryAt(place) !== undefined;
}

function entryAt(place: string): Stats | undefined {
  try {
    return lstatSync(place);
  } catch {
    // There is nothing, not even a folder above it.
    return undefined;
  }
}
