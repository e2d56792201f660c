import { lstat, rename, stat } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { moveCheckpoint } from "./checkpoints.ts";
import type { ContentStore } from "./content-store.ts";
import { ContentError, describeSystemError, quoted, systemCode, systemError } from "./errors.ts";
import type { JsonObject } from "./exact-json.ts";
import type { ContentItem } from "./models.ts";
import { isHidden, kindAt, locate, trimmed } from "./paths.ts";
import { readItem } from "./read.ts";

/** Renames or moves an item (API description, 4.2); without a new path, or with the same one, nothing happens. */
export async function renameTo(store: ContentStore, path: string, body: JsonObject): Promise<ContentItem> {
  const oldPath = trimmed(path);
  const given = body.path === undefined ? oldPath : body.path;
  if (typeof given !== "string") {
    throw new TypeError("The new path is not a text");
  }
  if (given !== "" && ((await isHidden(store.root, path)) || (await isHidden(store.root, given)))) {
    throw new ContentError(400, `Cannot rename file or directory ${quoted(path)}`);
  }
  const newPath = trimmed(given);
  if (newPath !== oldPath) {
    await move(store, oldPath, newPath);
    await moveCheckpoint(store, oldPath, newPath);
  }
  return await readItem(store, newPath, { content: false });
}

async function move(store: ContentStore, oldPath: string, newPath: string): Promise<void> {
  const target = locate(store.root, newPath);
  const source = locate(store.root, oldPath);
  if ((await kindAt(target)) !== "nothing" && !(await isSameFile(source, target))) {
    throw new ContentError(409, `File already exists: ${newPath}`);
  }
  try {
    if (target.startsWith(source + sep) && (await kindAt(source)) === "directory") {
      throw new Error(`Cannot move a directory '${source}' into itself '${target}'.`);
    }
    await lstat(source);
    if ((await kindAt(dirname(target))) === "nothing") {
      throw systemError("ENOENT");
    }
    await rename(source, target);
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      throw new ContentError(404, `File or directory does not exist: ${oldPath}`);
    }
    const description = describeSystemError(error, target);
    throw new ContentError(500, `Unknown error renaming file: ${oldPath} ${description}`);
  }
}

/** True for two names of one file, as in a rename that changes capitals alone where the disk ignores them. Fails for a missing source. */
async function isSameFile(source: string, target: string): Promise<boolean> {
  const [left, right] = await Promise.all([stat(source), stat(target)]);
  return left.dev === right.dev && left.ino === right.ino;
}
