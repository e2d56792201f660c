import type { ContentItem } from "../catalogue/models/contents.ts";
import { updateContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentCaller } from "../client/client.ts";
import { causeOf, hasStatus, mayHaveHappened, PlatformError } from "../http/errors.ts";
import { maxPauseMs, overloadedStatuses, pause, retryAfter } from "../http/retry.ts";
import { phrase, type Text } from "../phrase.ts";
import { type ByteSource, partsOf, sourceOf } from "./byte-source.ts";
import { hashOfParts } from "./content-hash.ts";
import { statContent } from "./file-content.ts";
import { getItem } from "./item-reading.ts";

export interface UploadOptions extends CallOptions {
  /** Bytes of content per request. Reduce it if the server, or a proxy in front of it, accepts less. */
  readonly chunkBytes?: number;
  /** Called with the number of bytes that the server has received. */
  readonly onSent?: (bytes: number) => void;
  /** Waits before a retry of a chunk. Tests replace it with a function that doesn't wait. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Bytes per chunk: small enough to lose little when a connection breaks, large enough for round trips not to matter.
 */
const defaultChunkBytes = 8 * 1024 * 1024;
const minChunkBytes = 512 * 1024;
const attempts = 4;
const firstPauseMs = 500;
/** Statuses with which servers reject the first chunk if they don't support chunks, or write only to existing files. */
const notTaken: ReadonlySet<number> = new Set([400, 404, 415, 422, 501]);

/**
 * Writes a file in chunks. Verifies each chunk by the file size that the server reports. If a chunk's outcome is
 * unknown, checks what has arrived before it retries, and compares the hash of the complete file at the end.
 * Resolves with the metadata; undefined if the server doesn't join chunks. Throws a PlatformError. In both cases, the
 * caller must remove what was written.
 */
export async function uploadInChunks(
  client: ContentCaller,
  path: string,
  content: Uint8Array | ByteSource,
  options: UploadOptions = {},
): Promise<ContentItem | undefined> {
  const source = sourceOf(content);
  let chunkBytes = options.chunkBytes ?? defaultChunkBytes;
  let wasRepeated = false;
  let item: ContentItem | undefined;
  for (let number = 1, offset = 0; offset < source.byteLength; number += 1) {
    const end = Math.min(offset + chunkBytes, source.byteLength);
    const isLast = end === source.byteLength;
    const chunk = number === 1 ? 1 : isLast ? -1 : number;
    const bytes = await source.read(offset, end);
    try {
      const outcome = await sendChunk(client, { path, chunk, offset, bytes }, options);
      item = outcome.item;
      wasRepeated ||= outcome.wasRepeated;
    } catch (error) {
      if (number === 1 && hasStatus(error, 413) && chunkBytes > minChunkBytes) {
        chunkBytes = Math.ceil(chunkBytes / 2);
        number = 0;
        continue;
      }
      const cause = causeOf(error);
      if (number === 1 && cause?.type === "status" && notTaken.has(cause.status)) {
        return undefined;
      }
      throw error;
    }
    if (item.size !== end) {
      if (number <= 2 && (typeof item.size !== "number" || item.size === end - offset)) {
        return undefined;
      }
      throw damaged(path, phrase`the server has ${String(item.size)} bytes, but ${end} were sent`);
    }
    offset = end;
    options.onSent?.(offset);
  }
  if (wasRepeated) {
    await compareHash(client, path, source, options);
  }
  return item;
}

interface Chunk {
  readonly path: string;
  readonly chunk: number;
  /** The chunk's position in the file. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

async function sendChunk(
  client: ContentCaller,
  { path, chunk, offset, bytes }: Chunk,
  options: UploadOptions,
): Promise<{ readonly item: ContentItem; readonly wasRepeated: boolean }> {
  const { buffer, byteOffset, byteLength } = bytes;
  const content = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
  const body = { type: "file", format: "base64", content, chunk } as const;
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { item: await client.call(updateContent, { path, body }, signal), wasRepeated: attempt > 1 };
    } catch (error) {
      if (attempt === attempts || !mayHaveFailed(error)) {
        throw error;
      }
      await (options.sleep ?? pause)(pauseAfter(error, attempt), options.signal);
      const arrived = await statContent(client, path, { ...signal, expected: "any" });
      const size = arrived?.size ?? 0;
      if (arrived !== undefined && size === offset + bytes.byteLength) {
        return { item: arrived, wasRepeated: true };
      }
      // The first chunk truncates the file. Later chunks are appended, so the file must end exactly where the chunk
      // begins.
      if (chunk !== 1 && size !== offset) {
        throw error;
      }
    }
  }
}

/** True for failures after which the upload can continue from the server's current state. */
function mayHaveFailed(error: unknown): boolean {
  const cause = causeOf(error);
  return (
    mayHaveHappened(error) ||
    (cause?.type === "network" && !cause.reachedServer) ||
    (cause?.type === "status" && overloadedStatuses.has(cause.status))
  );
}

function pauseAfter(error: unknown, attempt: number): number {
  const asked = error instanceof PlatformError ? retryAfter(error.response?.headers) : undefined;
  return Math.min(asked ?? firstPauseMs * 2 ** (attempt - 1), maxPauseMs);
}

async function compareHash(
  client: ContentCaller,
  path: string,
  source: ByteSource,
  options: UploadOptions,
): Promise<void> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const item = await getItem(client, path, 0, { type: "file", hash: 1 }, signal);
  const { hash, hash_algorithm: algorithm } = item;
  if (typeof hash !== "string" || typeof algorithm !== "string") {
    return;
  }
  const expected = await hashOfParts(partsOf(source), algorithm);
  if (expected !== undefined && expected !== hash) {
    throw damaged(path, phrase`the uploaded content differs from the content that was sent`);
  }
}

function damaged(path: string, reason: Text): PlatformError {
  return new PlatformError({
    kind: "crud",
    cause: { type: "unexpectedResponse", fields: ["size"] },
    failure: phrase`Can't save ${path}`,
    entity: path,
    operationId: updateContent.id,
    operationWord: "update",
    reason,
    remedy: phrase`Try again.`,
  });
}
