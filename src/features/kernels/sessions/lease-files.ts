import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { KernelLeases } from "../../../api/kernels/ownership.ts";

const lease = z.object({ owner: z.string(), until: z.number() });

/** Kernel leases as files in a folder that all windows on this computer share. */
export function leaseFilesIn(directory: string): KernelLeases {
  const fileOf = (kernelId: string): string =>
    join(directory, `${createHash("sha256").update(kernelId).digest("hex").slice(0, 32)}.json`);
  const write = async (kernelId: string, owner: string, milliseconds: number): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const unfinished = join(directory, `${randomUUID()}.writing`);
    await writeFile(unfinished, JSON.stringify({ owner, until: Date.now() + milliseconds }), { mode: 0o600 });
    await rename(unfinished, fileOf(kernelId));
  };
  const holder = async (kernelId: string): Promise<string | undefined> => {
    const text = await readFile(fileOf(kernelId), "utf8").catch(() => "null");
    const parsed = z.safeParse(lease, parsedJson(text));
    return parsed.success && parsed.data.until > Date.now() ? parsed.data.owner : undefined;
  };
  return {
    async acquire(kernelId, owner, milliseconds) {
      const held = await holder(kernelId);
      if (held !== undefined && held !== owner) {
        return held;
      }
      await write(kernelId, owner, milliseconds);
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

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
