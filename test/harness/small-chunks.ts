import type { ChunkedSaves } from "../../src/file-system/write/file-writer.ts";

/** For saves that are interrupted at every step: files of more than 2,000 bytes are sent in chunks of 1,500. */
export const smallChunks: ChunkedSaves = { above: 2000, chunkBytes: 1500 };
