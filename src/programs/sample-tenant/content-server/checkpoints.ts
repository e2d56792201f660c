import { copyFile, mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { ContentStore } from "./content-store.ts";
import { ContentError, systemError } from "./errors.ts";
import { type CheckpointModel, timestamp } from "./models.ts";
import { kindAt, locate, splitPath, trimmed } from "./paths.ts";

/** The folder next to a file that contains its only checkpoint. */
export const checkpointDirectory = ".ipynb_checkpoints";
const onlyIdentifier = "checkpoint";

/** The location of a file's checkpoint. Creates its folder, as a content server does even when it only reads. */
async function checkpointPlace(store: ContentStore, path: string, id: string): Promise<string> {
  const { parent, name } = splitPath(trimmed(path));
  const extension = extname(name);
  const base = extension === "" ? name : name.slice(0, -extension.length);
  const directory = join(locate(store.root, parent), checkpointDirectory);
  if (kindAt(dirname(directory)) === "directory") {
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
  return kindAt(place) === "file" ? [await modelOf(place)] : [];
}

/**
 * Saves the current file as the checkpoint, and replaces an earlier one. Fails for a directory and for a missing file.
 */
export async function createCheckpoint(store: ContentStore, path: string): Promise<CheckpointModel> {
  const place = await checkpointPlace(store, path, onlyIdentifier);
  await copyOver(store, locate(store.root, path), place);
  return await modelOf(place);
}

/** Replaces the file with the checkpoint. Fails if there is none. */
export async function restoreCheckpoint(store: ContentStore, path: string, id: string): Promise<void> {
  await copyOver(store, await checkpointPlace(store, path, id), locate(store.root, path));
}

/** Removes a checkpoint. Throws a ContentError 404 if there is none. */
export async function deleteCheckpoint(store: ContentStore, path: string, id: string): Promise<void> {
  const place = await checkpointPlace(store, path, id);
  if (kindAt(place) !== "file") {
    throw new ContentError(404, `Checkpoint does not exist: ${trimmed(path)}@${id}`);
  }
  await rm(place);
}

/** Moves a file's checkpoint after the file was moved. */
export async function moveCheckpoint(store: ContentStore, oldPath: string, newPath: string): Promise<void> {
  const place = await checkpointPlace(store, oldPath, onlyIdentifier);
  if (kindAt(place) === "file") {
    await rename(place, await checkpointPlace(store, newPath, onlyIdentifier));
  }
}

/** Removes the checkpoint of a deleted file. */
export async function deleteCheckpointOf(store: ContentStore, path: string): Promise<void> {
  await rm(await checkpointPlace(store, path, onlyIdentifier), { force: true });
}

/** The copy keeps the times of the original, so a restored file has its earlier times. */
async function copyOver(store: ContentStore, from: string, to: string): Promise<void> {
  if (kindAt(from) !== "file") {
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
