import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { partsDirectory } from "./paths.ts";
import { isRunning } from "./run-program.ts";

/** A part that a command needs and that the set-up can install. It is looked up first, and installed once. */
export interface Part<T> {
  /** The name of its lock file, such as `editor-host`. */
  readonly id: string;
  /** The name for users, such as "the editor host". */
  readonly name: string;
  /** The duration of the first installation, in words. */
  readonly duration: string;
  /** What a user can do if it isn't available, in one sentence. */
  readonly remedy: string;
  find(): Promise<T | undefined>;
  /** Installs the part. Throws an error that describes what failed. */
  install(say: (line: string) => void): Promise<void>;
}

/** A part that isn't available. The message is a single line with the remedy. `details` is the installer's output. */
export class MissingPartError extends Error {
  readonly details: string;

  constructor(name: string, reason: string, remedy: string) {
    const [first = "", ...more] = reason.split("\n");
    super(`${name} can't be installed: ${first} ${remedy}`);
    this.name = "MissingPartError";
    this.details = more.join("\n");
  }
}

/** Returns the part, and installs it if it is missing. Concurrent commands install it only once. */
export async function ready<T>(part: Part<T>): Promise<T> {
  const present = await part.find();
  if (present !== undefined) return present;
  const release = await takeLock(part);
  try {
    const meanwhile = await part.find();
    if (meanwhile !== undefined) return meanwhile;
    const say = (line: string): void => console.error(`Set-up: ${line}`);
    say(`getting ${part.name}, ${part.duration}…`);
    const started = Date.now();
    try {
      await part.install(say);
    } catch (error) {
      throw new MissingPartError(part.name, error instanceof Error ? error.message : String(error), part.remedy);
    }
    const installed = await part.find();
    if (installed === undefined) {
      throw new MissingPartError(part.name, "it was installed, but doesn't work.", part.remedy);
    }
    say(`${part.name} is ready (${Math.round((Date.now() - started) / 1000)} s).`);
    return installed;
  } finally {
    await release();
  }
}

async function takeLock(part: Part<unknown>): Promise<() => Promise<void>> {
  const path = join(partsDirectory, `${part.id}.lock`);
  await mkdir(partsDirectory, { recursive: true });
  for (let waited = false; ; waited = true) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx" });
      return () => rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    if (owner > 0 && !isRunning(owner)) {
      await rm(path, { force: true });
      continue;
    }
    if (!waited)
      console.error(`Set-up: another command (process ${owner}) is installing ${part.name}; waiting for it…`);
    await delay(500);
  }
}
