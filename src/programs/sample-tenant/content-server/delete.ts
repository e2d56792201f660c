import { readdir, rename, rm } from "node:fs/promises";
import { checkpointDirectory, forgetCheckpoint } from "./checkpoints.ts";
import type { ContentStore } from "./content-store.ts";
import { ContentError, quoted } from "./errors.ts";
import { isHidden, kindAt, locate, trimmed } from "./paths.ts";

/** Deletes an item, a directory with all that is in it where the server allows that (API description, 4.2). */
export async function deleteAt(store: ContentStore, givenPath: string): Promise<void> {
  const path = trimmed(givenPath);
  if (await isHidden(store.root, path)) {
    throw new ContentError(400, `Cannot delete file or directory ${quoted(givenPath)}`);
  }
  if (path === "") {
    throw new ContentError(400, "Can't delete root");
  }
  const location = locate(store.root, path);
  const kind = await kindAt(location);
  if (kind === "nothing") {
    throw new ContentError(404, `File or directory does not exist: ${location}`);
  }
  if (kind === "directory" && !store.deleteNonEmptyDirectories && (await hasContent(location))) {
    throw new ContentError(400, `Directory ${location} not empty`);
  }
  const temporary = await store.temporaryPlace();
  await rename(location, temporary);
  await rm(temporary, { recursive: true, force: true });
  await forgetCheckpoint(store, path);
}

async function hasContent(location: string): Promise<boolean> {
  const names = await readdir(location);
  return names.some((name) => name !== checkpointDirectory);
}
