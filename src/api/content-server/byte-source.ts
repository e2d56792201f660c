/** Content that is read in parts, for example of a file that doesn't fit in memory. */
export interface ByteSource {
  readonly byteLength: number;
  /** Resolves with exactly the bytes from `start` up to `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Bytes that are read at once from a source, where the number doesn't matter. */
const partBytes = 1024 * 1024;

/** The source of content that may be in memory. */
export function sourceOf(content: Uint8Array | ByteSource): ByteSource {
  return content instanceof Uint8Array
    ? { byteLength: content.byteLength, read: async (start, end) => content.subarray(start, end) }
    : content;
}

/** All bytes of a source. */
export async function wholeOf(content: Uint8Array | ByteSource): Promise<Uint8Array> {
  return content instanceof Uint8Array ? content : content.read(0, content.byteLength);
}

/** The parts of a source, in order. */
export async function* partsOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < source.byteLength; start += partBytes) {
    yield await source.read(start, Math.min(start + partBytes, source.byteLength));
  }
}
