import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContentVersion, isSameVersion } from "./content-version.ts";

/** How long the bytes are of use to anybody, in milliseconds. */
const keptFor = 7 * 24 * 60 * 60_000;

let isSwept = false;

/**
 * Keeps the bytes that an editor's unsaved changes began with across a reload of the window, in the extension's own
 * storage of this workspace: with them the changes can still be merged. The last ones of each file, for a week: a window
 * that closes tells nobody whether its unsaved changes come back.
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

/** The bytes of that version of a file; undefined when they are missing, or are another version's. */
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
