import { type FileHandle, open } from "node:fs/promises";
import * as vscode from "vscode";
import type { ByteSource } from "../../api/content-server/byte-source.ts";

/** Opens a file of this computer, and closes it when the work has ended. */
export async function withLocalFile<T>(place: string, work: (content: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(place);
  try {
    const { size } = await file.stat();
    return await work({ byteLength: size, read: (start, end) => readRange(file, place, start, end) });
  } finally {
    await file.close();
  }
}

async function readRange(file: FileHandle, place: string, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  for (let read = 0; read < bytes.byteLength; ) {
    const { bytesRead } = await file.read(bytes, read, bytes.byteLength - read, start + read);
    if (bytesRead === 0) {
      throw new Error(vscode.l10n.t("{0} became shorter while it was uploaded. Upload it again.", place));
    }
    read += bytesRead;
  }
  return bytes;
}
