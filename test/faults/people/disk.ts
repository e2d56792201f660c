import { lstatSync, readdirSync, readFileSync, type Stats, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
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

/**
 * Resolves when a file that is written then has a later date than one that is written now. Two people never write within one
 * tick of the file system's clock. `probe`: a path for a file.
 */
export async function nextTick(probe: string): Promise<void> {
  const now = writtenAt(probe);
  while (writtenAt(probe) === now) await setTimeout(1);
}

function writtenAt(probe: string): bigint {
  writeFileSync(probe, "");
  return statSync(probe, { bigint: true }).mtimeNs;
}

function entryAt(place: string): Stats | undefined {
  try {
    return lstatSync(place);
  } catch {
    // There is nothing, not even a folder above it.
    return undefined;
  }
}
