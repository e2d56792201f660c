import * as z from "zod/mini";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { defineOperation } from "../catalogue/operation.ts";
import type { CallOptions, ContentClient, RawResponse } from "../client/client.ts";
import type { BodyReceiver } from "../http/dispatch.ts";

/**
 * Reads the raw bytes of a file. Most content servers have this endpoint. The API description doesn't mention it, so it
 * is not in the catalog, and the content API's own response takes precedence.
 */
const readRawFile = defineOperation({
  id: "contents.raw",
  section: "beyond",
  summary: "Read a file's bytes as stored on the server",
  method: "GET",
  path: "files/{path*}",
  pathParameters: { path: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "read",
  failure: "Can't read {path}",
  entity: "{path}",
  errors: { otherwise: { kind: "retrieval" } },
  responseFormat: "bytes",
  transfer: true,
});

/** The expected version of a file; `size` in bytes. */
export type ExpectedFile = Pick<ContentItem, "path" | "last_modified"> & { readonly size: number };

/**
 * `whole`: all bytes of the expected version arrived. `other`: the bytes belong to another version, or were silently
 * truncated. `refused`: no file was sent; `isFinal` if the server will probably refuse every other file, too.
 */
export type RawRead =
  | { readonly type: "whole" }
  | { readonly type: "other" }
  | { readonly type: "refused"; readonly isFinal: boolean };

/** The destination of a file's bytes. Each attempt starts from the beginning. */
export interface FileSink {
  begin(): Promise<void>;
  write(part: Uint8Array, offset: number): Promise<void>;
}

/** A sink that collects the expected number of bytes in memory. */
export class MemorySink implements FileSink {
  readonly bytes: Uint8Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  async begin(): Promise<void> {}

  async write(part: Uint8Array, offset: number): Promise<void> {
    this.bytes.set(part, offset);
  }
}

/**
 * Streams a file from `/files/` into a sink. Throws a PlatformError only if the connection fails. Reports a response
 * that is not a file as `refused`, because the content API's own response explains more than a login page.
 */
export async function readRaw(
  client: ContentClient,
  file: ExpectedFile,
  sink: FileSink,
  options: CallOptions = {},
): Promise<RawRead> {
  let received = 0;
  const receiver: BodyReceiver = {
    begin: async () => {
      received = 0;
      await sink.begin();
    },
    write: async (part) => {
      // Extra bytes belong to another version. Count them, but don't write them.
      if (received + part.byteLength <= file.size) {
        await sink.write(part, received);
      }
      received += part.byteLength;
    },
  };
  const response = await client.raw(readRawFile, { path: file.path }, { ...options, receiver });
  if (response.status !== 200 || isSignInPage(file.path, response)) {
    return { type: "refused", isFinal: response.status === 200 || noRawFiles.has(response.status) };
  }
  return received === file.size && isOfSecond(response.headers["last-modified"], file.last_modified)
    ? { type: "whole" }
    : { type: "other" };
}

/**
 * Reads the beginning of a file, up to about `maxBytes`, and ends the request then. Undefined if the server has no such
 * endpoint, or no such file. Throws a PlatformError if the connection fails.
 */
export async function readBeginning(
  client: ContentClient,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const enough = new AbortController();
  const parts: Uint8Array[] = [];
  let length = 0;
  const receiver: BodyReceiver = {
    begin: async () => {
      parts.length = 0;
      length = 0;
    },
    write: async (part) => {
      parts.push(Uint8Array.from(part));
      length += part.byteLength;
      if (length >= maxBytes) {
        enough.abort();
      }
    },
  };
  try {
    const response = await client.raw(readRawFile, { path }, { signal: enough.signal, receiver });
    if (response.status !== 200 || isSignInPage(path, response)) {
      return undefined;
    }
  } catch (error) {
    if (!enough.signal.aborted) {
      throw error;
    }
  }
  return Buffer.concat(parts);
}

/** Statuses of servers that don't have this endpoint, or serve it only to browsers. */
const noRawFiles: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 401, 403, 404, 405, 501]);

function isSignInPage(path: string, response: RawResponse): boolean {
  return /html/i.test(response.headers["content-type"] ?? "") && !/\.x?html?$/i.test(path);
}

/** True if the header's time, in whole seconds, matches the metadata. */
function isOfSecond(header: string | undefined, lastModified: string | null | undefined): boolean {
  if (header === undefined || typeof lastModified !== "string") {
    return false;
  }
  return Math.floor(Date.parse(lastModified) / 1000) === Date.parse(header) / 1000;
}
