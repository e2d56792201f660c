import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";

/** Maximum number of versions of a file, and the milliseconds until they are deleted. */
const versionsOfOneFile = 20;
const retentionMs = 30 * 24 * 60 * 60_000;

const description = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  reason: z.enum(["restore", "overwrite", "checkpoint", "reading"]),
  /** The checkpoint on the server that has this content. */
  checkpoint: z.optional(z.object({ id: z.string(), lastModified: z.string() })),
});

/**
 * Why a version was saved: before a restore or overwrite, as a checkpoint's content, or while a checkpoint was read.
 */
export type StoredReason = z.infer<typeof description>["reason"];

/** Identifies a checkpoint on a server. Includes the date, because servers reuse ids for new content. */
export type CheckpointKey = NonNullable<z.infer<typeof description>["checkpoint"]>;

/** A version of a file that is saved on this computer. */
export interface StoredVersion extends z.infer<typeof description> {
  readonly id: string;
}

/**
 * File versions on this computer, in the extension's storage: content that a restore or an overwrite replaced, and the
 * content of checkpoints, which most servers do not return. Keeps the last 20 versions of a file for 30 days.
 */
export class StoredVersions {
  readonly #root: string;
  #isSwept = false;

  /** `directory` is the extension's storage on this computer. */
  constructor(directory: string) {
    this.#root = join(directory, "kept-versions");
  }

  /** Saves a version of a file. `address` is the URI of the file. */
  async store(
    address: string,
    bytes: Uint8Array,
    described: { readonly reason: StoredReason; readonly checkpoint?: CheckpointKey },
  ): Promise<StoredVersion> {
    const directory = this.#directoryOf(address);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const at = Date.now();
    const id = `${at}-${randomUUID().slice(0, 8)}`;
    await writeFile(join(directory, `${id}.content`), bytes, { mode: 0o600, flush: true });
    // A version is visible only when its description exists.
    const unfinished = join(directory, `${id}.describing`);
    await writeFile(unfinished, JSON.stringify({ at, ...described }), { mode: 0o600 });
    await rename(unfinished, join(directory, `${id}.json`));
    const all = await this.list(address);
    await Promise.all(all.slice(versionsOfOneFile).map((old) => this.delete(address, old)));
    await this.#sweepOnce();
    return { id, at, ...described };
  }

  /** Saves the content of a server's checkpoint. Replaces the previous content for its id. */
  async storeCheckpoint(address: string, bytes: Uint8Array, checkpoint: CheckpointKey | undefined): Promise<void> {
    if (checkpoint === undefined) {
      return;
    }
    const before = (await this.list(address)).filter((one) => one.checkpoint?.id === checkpoint.id);
    await Promise.all(before.map((one) => this.delete(address, one)));
    await this.store(address, bytes, { reason: "checkpoint", checkpoint });
  }

  /** The saved versions of a file, newest first. */
  async list(address: string): Promise<readonly StoredVersion[]> {
    const directory = this.#directoryOf(address);
    const names = await readdir(directory).catch(() => []);
    const found: StoredVersion[] = [];
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      const text = await readFile(join(directory, name), "utf8").catch(() => "");
      const parsed = z.safeParse(description, jsonOf(text));
      if (parsed.success) {
        found.push({ ...parsed.data, id: name.slice(0, -".json".length) });
      }
    }
    return found.toSorted((one, other) => other.at - one.at);
  }

  /** The bytes of a saved version. Throws if they no longer exist. */
  async read(address: string, { id }: StoredVersion): Promise<Uint8Array> {
    return readFile(join(this.#directoryOf(address), `${id}.content`));
  }

  /** The content of a checkpoint; undefined if it is not saved. */
  async contentOf(address: string, checkpoint: CheckpointKey): Promise<Uint8Array | undefined> {
    const all = await this.list(address);
    const known = all.find(
      (one) => one.checkpoint?.id === checkpoint.id && one.checkpoint.lastModified === checkpoint.lastModified,
    );
    return known === undefined ? undefined : this.read(address, known);
  }

  async delete(address: string, { id }: StoredVersion): Promise<void> {
    const directory = this.#directoryOf(address);
    await rm(join(directory, `${id}.json`), { force: true });
    await rm(join(directory, `${id}.content`), { force: true });
  }

  #directoryOf(address: string): string {
    return join(this.#root, createHash("sha256").update(address).digest("hex").slice(0, 32));
  }

  async #sweepOnce(): Promise<void> {
    if (this.#isSwept) {
      return;
    }
    this.#isSwept = true;
    for (const directory of await readdir(this.#root)) {
      for (const name of await readdir(join(this.#root, directory)).catch(() => [])) {
        const file = join(this.#root, directory, name);
        const changed = await stat(file).catch(() => undefined);
        if (changed !== undefined && Date.now() - changed.mtimeMs > retentionMs) {
          await rm(file, { force: true });
        }
      }
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
