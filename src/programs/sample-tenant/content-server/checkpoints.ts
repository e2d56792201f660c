import { copyFile, mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { ContentStore } from "./content-store.ts";
import { ContentError, systemError } from "./errors.ts";
import { type CheckpointModel, timestamp } from "./models.ts";
import { kindAt, locate, splitPath, trimmed } from "./paths.ts";

/** The folder beside a file that holds its one checkpoint. */
export const checkpointDirectory = ".ipynb_checkpoints";
const onlyIdentifier = "checkpoint";

/** Where a file's checkpoint lies; its folder is made on the way, as a content server does even to look. */
async function checkpointPlace(store: ContentStore, path: string, id: string): Promise<string> {
  const { parent, name } = splitPath(trimmed(path));
  const extension = extname(name);
  const base = extension === "" ? name : name.slice(0, -extension.length);
  const directory = join(locate(store.root, parent), checkpointDirectory);
  if ((await kindAt(dirname(directory))) === "directory") {
    await mkdir(directory, { recursive: true });
  }
  return join(directory, `${base}-${id}${extension}`);
}

async function modelOf(place: string): Promise<CheckpointModel> {
  const found = await stat(place, { bigint: true });
  return { id: onlyIdentifier, last_modified: timestamp(found.mtimeNs) };
}

/** The checkpoints of a file: none or one. */
export async function listCheckpoints(store: ContentStore, path: string): Promise<readonly CheckpointModel[]> {
  const place = await checkpointPlace(store, path, onlyIdentifier);
  return (await kindAt(place)) === "file" ? [await modelOf(place)] : [];
}

/** Keeps the file as it is now, in place of an earlier checkpoint. Fails for a directory and for a missing file. */
export async function createCheckpoint(store: ContentStore, path: string): Promise<CheckpointModel> {
  const place = await checkpointPlace(store, path, onlyIdentifier);
  await copyOver(store, locate(store.root, path), place);
  return await modelOf(place);
}

/** Puts the checkpoint in the file's place. Fails when there is none. */
export async function restoreCheckpoint(store: ContentStore, path: string, id: string): Promise<void> {
  await copyOver(store, await checkpointPlace(store, path, id), locate(store.root, path));
}

/** Removes a checkpoint. Throws a ContentError 404 when there is none. */
export async function deleteCheckpoint(store: ContentStore, path: string, id: string): Promise<void> {
  const place = await checkpointPlace(store, path, id);
  if ((await kindAt(place)) !== "file") {
    throw new ContentError(404, `Checkpoint does not exist: ${trimmed(path)}@${id}`);
  }
  await rm(place);
}

/** Takes a file's checkpoint along when the file has moved. */
export async function moveCheckpoint(store: ContentStore, oldPath: string, newPath: string): Promise<void> {
  const place = await checkpointPlace(store, oldPath, onlyIdentifier);
  if ((await kindAt(place)) === "file") {
    await rename(place, await checkpointPlace(store, newPath, onlyIdentifier));
  }
}

/** Removes what is left of a file that was deleted. */
export async function forgetCheckpoint(store: ContentStore, path: string): Promise<void> {
  await rm(await checkpointPlace(store, path, onlyIdentifier), { force: true });
}

/** The copy has the times of what it was made from: a restored file is as old as it was then. */
async function copyOver(store: ContentStore, from: string, to: string): Promise<void> {
  if ((await kindAt(from)) !== "file") {
    throw systemError("ENOENT");
  }
  const temporary = await store.temporaryPlace();
  try {
    const { atimeMs, mtimeMs } = await stat(from);
    await copyFile(from, temporary);
    await utimes(temporary, atimeMs / 1000, mtimeMs / 1000);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
