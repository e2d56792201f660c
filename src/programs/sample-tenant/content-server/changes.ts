import { lstatSync, statSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { checkpointDirectory, deleteCheckpointOf, moveCheckpoint } from "./checkpoints.ts";
import type { ContentStore } from "./content-store.ts";
import { ContentError, describeSystemError, quoted, systemCode, systemError } from "./errors.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ContentItem } from "./models.ts";
import { childPath, freeName, isHidden, kindAt, locate, splitPath, trimmed } from "./paths.ts";
import { readItem } from "./read.ts";
import { saveNew } from "./save.ts";

/** Creates an item with a default name in a directory, or copies one (API description, 4.2). */
export async function createIn(store: ContentStore, path: string, body: JsonObject): Promise<ContentItem> {
  if (kindAt(locate(store.root, path)) === "file") {
    throw new ContentError(400, "Cannot POST to files, use PUT instead.");
  }
  if (typeof body.copy_from === "string" && body.copy_from !== "") {
    if (isHidden(store.root, path) || isHidden(store.root, body.copy_from)) {
      throw new ContentError(400, `Cannot copy file or directory ${quoted(path)}`);
    }
    return await copyItem(store, trimmed(body.copy_from), trimmed(path));
  }
  return await createUntitled(store, path, body.type, body.ext);
}

/** Creates `Untitled.ipynb`, `untitled.py`, or `Untitled Folder`, with a number if the name is taken. */
export async function createUntitled(
  store: ContentStore,
  givenPath: string,
  givenType?: JsonValue,
  givenExtension?: JsonValue,
): Promise<ContentItem> {
  const directory = trimmed(givenPath);
  if (kindAt(locate(store.root, directory)) !== "directory") {
    throw new ContentError(404, `No such directory: ${directory}`);
  }
  const extension = typeof givenExtension === "string" ? givenExtension : "";
  const type = untitledType(givenType, extension);
  const [name, insert] =
    type === "directory"
      ? ["Untitled Folder", " "]
      : [type === "notebook" ? "Untitled.ipynb" : `untitled${extension}`, ""];
  const free = freeName(store.root, name, directory, insert);
  if (isHidden(store.root, directory)) {
    throw new ContentError(404, `file or directory does not exist: '${childPath(directory, free)}'`);
  }
  return await saveNew(store, childPath(directory, free), { type });
}

function untitledType(type: JsonValue | undefined, extension: string): "directory" | "notebook" | "file" {
  if (type === "directory" || type === "notebook") {
    return type;
  }
  const unsaid = type === undefined || type === null || type === "";
  return unsaid && extension === ".ipynb" ? "notebook" : "file";
}

/**
 * In a directory, the copy gets a free name (`name-Copy1.ext`); at a path that does not exist, it gets exactly that
 * name.
 */
async function copyItem(store: ContentStore, from: string, to: string): Promise<ContentItem> {
  const source = await readItem(store, from, { content: true });
  const name = splitPath(from).name.replaceAll(/-Copy\d*\./g, ".");
  const intoDirectory = kindAt(locate(store.root, to)) === "directory";
  const free = intoDirectory ? freeName(store.root, name, to, "-Copy") : name;
  if (source.type === "directory") {
    return await copyDirectory(store, from, to, childPath(to, free));
  }
  const target = intoDirectory ? childPath(to, free) : to;
  const { parent } = splitPath(target);
  if (kindAt(locate(store.root, parent)) !== "directory") {
    throw new ContentError(404, `No such parent directory: ${parent} to copy file in`);
  }
  return await saveNew(store, target, { type: source.type, format: source.format, content: source.content });
}

async function copyDirectory(store: ContentStore, from: string, to: string, target: string): Promise<ContentItem> {
  const place = locate(store.root, target);
  const refused = new ContentError(400, `Can't copy '${from}' into read-only Folder '${to}'`);
  if (kindAt(place) !== "nothing") {
    throw refused;
  }
  const temporary = await store.temporaryPlace();
  try {
    await cp(locate(store.root, from), temporary, { recursive: true, preserveTimestamps: true });
    await mkdir(dirname(place), { recursive: true });
    await rename(temporary, place);
  } catch {
    await rm(temporary, { recursive: true, force: true });
    throw refused;
  }
  return await readItem(store, join(target), { content: false });
}

/** Renames or moves an item (API description, 4.2). Does nothing if the new path is missing or unchanged. */
export async function renameTo(store: ContentStore, path: string, body: JsonObject): Promise<ContentItem> {
  const oldPath = trimmed(path);
  const given = body.path === undefined ? oldPath : body.path;
  if (typeof given !== "string") {
    throw new TypeError("The new path is not a text");
  }
  if (given !== "" && (isHidden(store.root, path) || isHidden(store.root, given))) {
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
  if (kindAt(target) !== "nothing" && !isSameFile(source, target)) {
    throw new ContentError(409, `File already exists: ${newPath}`);
  }
  try {
    if (target.startsWith(source + sep) && kindAt(source) === "directory") {
      throw new Error(`Cannot move a directory '${source}' into itself '${target}'.`);
    }
    lstatSync(source);
    if (kindAt(dirname(target)) === "nothing") {
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

/**
 * True for two names of the same file, as in a rename that changes only the case on a case-insensitive disk. Fails for
 * a missing source.
 */
function isSameFile(source: string, target: string): boolean {
  const [left, right] = [statSync(source), statSync(target)];
  return left.dev === right.dev && left.ino === right.ino;
}

/** Deletes an item; a directory with its content if the server allows that (API description, 4.2). */
export async function deleteAt(store: ContentStore, givenPath: string): Promise<void> {
  const path = trimmed(givenPath);
  if (isHidden(store.root, path)) {
    throw new ContentError(400, `Cannot delete file or directory ${quoted(givenPath)}`);
  }
  if (path === "") {
    throw new ContentError(400, "Can't delete root");
  }
  const location = locate(store.root, path);
  const kind = kindAt(location);
  if (kind === "nothing") {
    throw new ContentError(404, `File or directory does not exist: ${location}`);
  }
  if (kind === "directory" && !store.deleteNonEmptyDirectories && (await hasContent(location))) {
    throw new ContentError(400, `Directory ${location} not empty`);
  }
  const temporary = await store.temporaryPlace();
  await rename(location, temporary);
  await rm(temporary, { recursive: true, force: true });
  await deleteCheckpointOf(store, path);
}

async function hasContent(location: string): Promise<boolean> {
  const names = await readdir(location);
  return names.some((name) => name !== checkpointDirectory);
}
