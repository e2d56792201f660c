/** The location of a binary value in a widget's state: member names and list indexes. */
type BufferPath = readonly (string | number)[];

/** A binary value of a widget's state. */
export interface WidgetBuffer {
  readonly path: BufferPath;
  readonly data: Uint8Array;
}

const deepestPath = 32;
/** Names that would allow prototype pollution. */
const sharedNames: ReadonlySet<unknown> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The binary values of a message, located by the `buffer_paths` of its data. Skips entries without a path or buffer.
 */
export function buffersByPath(paths: unknown, buffers: readonly Uint8Array[]): readonly WidgetBuffer[] {
  const listed: readonly unknown[] = Array.isArray(paths) ? paths : [];
  return buffers.flatMap((data, index) => {
    const path = listed[index];
    return isPath(path) ? [{ path, data }] : [];
  });
}

function isPath(path: unknown): path is BufferPath {
  return (
    Array.isArray(path) &&
    path.length > 0 &&
    path.length <= deepestPath &&
    path.every((step) => (typeof step === "string" && !sharedNames.has(step)) || isIndex(step))
  );
}

function isIndex(step: unknown): boolean {
  return typeof step === "number" && Number.isSafeInteger(step) && step >= 0;
}
