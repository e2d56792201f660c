import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { systemCode, systemError } from "./errors.ts";
import { kindAt } from "./paths.ts";

/** Options of a store for behavior that differs between content servers. */
interface ContentStoreOptions {
  /** The folder that is served, as a real path. */
  readonly root: string;
  /** A folder on the same disk for unfinished files. */
  readonly temporaryDirectory: string;
  /** False for a server that refuses to delete a directory that is not empty. */
  readonly deleteNonEmptyDirectories: boolean;
}

/** The files of one workspace. Changes are serialized, and readers never see a partially written file. */
export class ContentStore {
  readonly root: string;
  readonly deleteNonEmptyDirectories: boolean;
  /** Fingerprints of notebooks whose outputs are trusted. */
  readonly trusted = new Set<string>();
  readonly #temporaryDirectory: string;
  /** One change at a time. */
  readonly #limit = pLimit(1);

  constructor(options: ContentStoreOptions) {
    this.root = options.root;
    this.deleteNonEmptyDirectories = options.deleteNonEmptyDirectories;
    this.#temporaryDirectory = options.temporaryDirectory;
  }

  /** Runs a change after all earlier ones have ended. */
  change<Result>(action: () => Promise<Result>): Promise<Result> {
    return this.#limit(action);
  }

  /** A place for files that are unfinished or about to be deleted, in a folder that no listing shows. */
  async temporaryPlace(): Promise<string> {
    await mkdir(this.#temporaryDirectory, { recursive: true });
    return join(this.#temporaryDirectory, randomUUID());
  }

  /** Writes a complete file atomically. Follows links. */
  async write(location: string, bytes: Uint8Array): Promise<void> {
    if (kindAt(location) === "directory") {
      throw systemError("EISDIR");
    }
    const target = await realpath(location).catch(() => location);
    const temporary = await this.temporaryPlace();
    try {
      const handle = await open(temporary, "wx");
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      const mode = await modeOf(target);
      if (mode !== undefined) {
        await chmod(temporary, mode);
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

async function modeOf(location: string): Promise<number | undefined> {
  try {
    return (await stat(location)).mode & 0o777;
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}
