import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Files by their path below a folder. */
export type FileSet = Readonly<Record<string, string | Uint8Array>>;

/** Writes files, with the folders that they are in. */
export async function writeFiles(directory: string, files: FileSet): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const place = join(directory, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  }
}

/** Writes a file of that many bytes that repeats a text. */
export async function writeRepeated(place: string, text: string, size: number): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const block = Buffer.from(text.repeat(Math.max(1, Math.ceil((1024 * 1024) / text.length))));
  const handle = await open(place, "w");
  try {
    for (let written = 0; written < size; ) {
      const piece = block.subarray(0, Math.min(block.length, size - written));
      await handle.write(piece);
      written += piece.length;
    }
  } finally {
    await handle.close();
  }
}

/** Lines of comma-separated values below a heading line. */
export function csv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${[columns, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}
