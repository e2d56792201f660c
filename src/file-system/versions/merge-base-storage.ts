import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContentVersion, isSameVersion } from "./content-version.ts";

/** Milliseconds until the bytes are deleted. */
const keptFor = 7 * 24 * 60 * 60_000;

let isSwept = false;

/**
 * Stores the base version of unsaved changes across a reload of the window, in the extension's storage for this
 * workspace, so that the changes can still be merged. Keeps one version per file for a week, because a closing window
 * can't know whether its unsaved changes will be restored.
 */
export async function keepBase(
  directory: string,
  address: string,
  version: ContentVersion,
  bytes: Uint8Array,
): Promise<void> {
  const place = placeOf(directory, address);
  await mkdir(join(directory, "bases"), { recursive: true, mode: 0o700 });
  await writeFile(`${place}.content`, bytes, { mode: 0o600 });
  await writeFile(`${place}.json`, JSON.stringify(version), { mode: 0o600 });
  if (!isSwept) {
    isSwept = true;
    for (const name of await readdir(join(directory, "bases"))) {
      const file = join(directory, "bases", name);
      if (Date.now() - (await stat(file)).mtimeMs > keptFor) {
        await rm(file, { force: true });
      }
    }
  }
}

/** The stored bytes of this version of a file; undefined if they are missing, or from another version. */
export async function readBase(
  directory: string,
  address: string,
  version: ContentVersion,
): Promise<Uint8Array | undefined> {
  const place = placeOf(directory, address);
  try {
    const kept: ContentVersion = JSON.parse(await readFile(`${place}.json`, "utf8"));
    return isSameVersion(kept, version) ? await readFile(`${place}.content`) : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(directory: string, address: string): string {
  return join(directory, "bases", createHash("sha256").update(address).digest("hex").slice(0, 32));
}
