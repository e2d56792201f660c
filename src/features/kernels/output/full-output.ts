import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EscapeFilter } from "../../../api/displayed-text.ts";

/** Maximum size of a file, and of all files together, in bytes. */
const maxBytes = 200_000_000;
const maxTotalBytes = 1_000_000_000;
/** Milliseconds after which a file is removed. */
const retentionMs = 7 * 24 * 60 * 60_000;

/**
 * The full text output of a cell. Kept in memory up to the length that cells show. Beyond that, written to a file in
 * the extension's storage.
 */
export class FullOutput {
  readonly #path: string;
  readonly #directory: string;
  readonly #threshold: number;
  readonly #onError: (error: unknown) => void;
  #held: string[] = [];
  #heldLength = 0;
  #written = 0;
  #isInFile = false;
  #stream: WriteStream | undefined;
  /** The file is opened as text, which shows escape sequences as characters. */
  #filter = new EscapeFilter({ keepsColors: false });

  /** `threshold`: number of characters that are held in memory. */
  constructor(directory: string, name: string, threshold: number, onError: (error: unknown) => void) {
    this.#directory = directory;
    this.#path = join(directory, `${name}.txt`);
    this.#threshold = threshold;
    this.#onError = onError;
  }

  /** Path of the file; undefined if the output is held in memory. */
  get path(): string | undefined {
    return this.#isInFile ? this.#path : undefined;
  }

  async write(chunk: string): Promise<void> {
    const text = this.#filter.write(chunk);
    if (this.#isInFile) {
      await this.#append(text);
      return;
    }
    this.#held.push(text);
    this.#heldLength += text.length;
    if (this.#heldLength > this.#threshold) {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      this.#isInFile = true;
      const held = this.#held.join("");
      this.#held = [];
      await this.#append(held);
    }
  }

  /** Starts over, because all output is sent again. */
  async restart(): Promise<void> {
    await this.end();
    this.#isInFile = false;
    this.#held = [];
    this.#heldLength = 0;
    this.#written = 0;
    this.#filter = new EscapeFilter({ keepsColors: false });
  }

  /** Closes the file. More output opens it again. */
  async end(): Promise<void> {
    const rest = this.#filter.end();
    if (this.#isInFile && rest !== "") {
      await this.#append(rest);
    }
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream !== undefined && !stream.closed) {
      await new Promise<void>((resolve) => stream.end(resolve));
    }
  }

  async #append(text: string): Promise<void> {
    const room = maxBytes - this.#written;
    if (room <= 0) {
      return;
    }
    const stream = this.#stream ?? this.#open();
    const length = Buffer.byteLength(text);
    this.#written += length;
    const written = length < room ? text : Buffer.concat([Buffer.from(text).subarray(0, room), Buffer.from("\n…\n")]);
    await new Promise<void>((resolve) => stream.write(written, () => resolve()));
  }

  #open(): WriteStream {
    const stream = createWriteStream(this.#path, { flags: this.#written === 0 ? "w" : "a", mode: 0o600 });
    stream.on("error", this.#onError);
    this.#stream = stream;
    return stream;
  }
}

/** Removes files that are older than a week, and the oldest ones if all files together exceed the limit. */
export async function sweepFullOutputs(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      try {
        const { mtimeMs, size } = await stat(path);
        return [{ path, mtimeMs, size }];
      } catch {
        // For example, another window has just removed it.
        return [];
      }
    }),
  );
  let together = 0;
  for (const { path, mtimeMs, size } of files.flat().toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
    together += size;
    if (together > maxTotalBytes || Date.now() - mtimeMs > retentionMs) {
      // A file that is open in another program is removed later.
      await rm(path, { force: true }).catch(() => {});
    }
  }
}
