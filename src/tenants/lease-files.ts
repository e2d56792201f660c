import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { KernelLeases } from "../api/kernels/ownership.ts";

const lease = z.object({ owner: z.string(), until: z.number() });

/** Kernel leases as files in a folder that all windows on this computer share. */
export function leaseFilesIn(directory: string): KernelLeases {
  const fileOf = (kernelId: string): string =>
    join(directory, `${createHash("sha256").update(kernelId).digest("hex").slice(0, 32)}.json`);
  const unfinishedFile = (): string => join(directory, `${randomUUID()}.writing`);
  const written = async (owner: string, milliseconds: number): Promise<string> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const unfinished = unfinishedFile();
    await writeFile(unfinished, JSON.stringify({ owner, until: Date.now() + milliseconds }), { mode: 0o600 });
    return unfinished;
  };
  const write = async (kernelId: string, owner: string, milliseconds: number): Promise<void> =>
    rename(await written(owner, milliseconds), fileOf(kernelId));
  const holder = (kernelId: string): Promise<string | undefined> => holderIn(fileOf(kernelId));
  /**
   * Removes an expired lease, but not one that another window has just acquired. A third window that acquires it at the
   * same time considers itself the owner until it renews the lease.
   */
  const removeExpired = async (kernelId: string): Promise<void> => {
    const removed = unfinishedFile();
    if (await succeeds(rename(fileOf(kernelId), removed))) {
      if ((await holderIn(removed)) !== undefined) {
        await succeeds(link(removed, fileOf(kernelId)));
      }
      await rm(removed, { force: true });
    }
  };
  return {
    async acquire(kernelId, owner, milliseconds) {
      const held = await holder(kernelId);
      if (held === owner) {
        await write(kernelId, owner, milliseconds);
        return owner;
      }
      if (held !== undefined) {
        return held;
      }
      await removeExpired(kernelId);
      const unfinished = await written(owner, milliseconds);
      try {
        // Only one of the windows that acquire the lease concurrently can create the file.
        await link(unfinished, fileOf(kernelId));
      } catch {
        const other = await holder(kernelId);
        if (other !== undefined) {
          return other;
        }
        // The file system doesn't support links.
        await write(kernelId, owner, milliseconds);
      } finally {
        await rm(unfinished, { force: true });
      }
      return owner;
    },
    takeOver: write,
    async release(kernelId, owner) {
      if ((await holder(kernelId)) === owner) {
        await rm(fileOf(kernelId), { force: true });
      }
    },
  };
}

async function holderIn(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "null");
  const parsed = z.safeParse(lease, parsedJson(text));
  return parsed.success && parsed.data.until > Date.now() ? parsed.data.owner : undefined;
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
