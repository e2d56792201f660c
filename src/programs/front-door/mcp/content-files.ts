import { isNotebookPath } from "../../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../../api/catalogue/models/contents.ts";
import { updateContent } from "../../../api/catalogue/operations/contents.ts";
import type { ContentClient } from "../../../api/client/client.ts";
import { hashOf } from "../../../api/content-server/content-hash.ts";
import { updateBodyFor } from "../../../api/content-server/content-types.ts";
import { createItem } from "../../../api/content-server/contents.ts";
import { readFileContent, statContent } from "../../../api/content-server/file-content.ts";
import { hasStatus } from "../../../api/http/errors.ts";
import { SerialWork } from "../../../api/serial-work.ts";
import { ToolError } from "./tool.ts";

interface FileRead {
  readonly item: ContentItem;
  readonly bytes: Uint8Array;
}

/** Reads a file's exact bytes and the matching version. Throws a ToolError if it is not a readable file. */
export async function readFile(client: ContentClient, path: string, signal: AbortSignal): Promise<FileRead> {
  const read = await readFileContent(client, path, { signal });
  switch (read.type) {
    case "file":
      return read;
    case "directory":
      throw isDirectory(path);
    case "unreadable":
      throw new ToolError("workspace", `The content server returned ${path} in an unknown format.`);
  }
}

function isDirectory(path: string): ToolError {
  return new ToolError("arguments", `${path || "The workspace root"} is a folder. List it with contents_list.`);
}

interface FileWritten {
  readonly path: string;
  readonly created: boolean;
  readonly version: string | undefined;
  readonly item: ContentItem;
}

const writing = new SerialWork();

/**
 * Writes a complete file. An existing file is replaced only if `version` is its current version. A new file is created
 * only without `version`. Writes of one path through this server are serialized. A change by someone else between the
 * check and the write is not detected.
 */
export function writeFile(
  client: ContentClient,
  place: string,
  path: string,
  bytes: Uint8Array,
  version: string | undefined,
  signal: AbortSignal,
): Promise<FileWritten> {
  return writing.run([JSON.stringify([client.base.href, place, path])], async () => {
    signal.throwIfAborted();
    const now = await statContent(client, path, { signal });
    if (now === undefined) {
      return create(client, path, bytes, version, signal);
    }
    refuse(path, now, version);
    const body = updateBodyFor(path, bytes);
    const item = await client.call(updateContent, { path, body }, { signal });
    const asWritten = body.type === "file" ? bytes : undefined;
    return { path, created: false, version: versionAfterWriting(item, asWritten, now.hash_algorithm), item };
  });
}

async function create(
  client: ContentClient,
  path: string,
  bytes: Uint8Array,
  version: string | undefined,
  signal: AbortSignal,
): Promise<FileWritten> {
  if (version !== undefined) {
    throw new ToolError("conflict", `${path} no longer exists. Nothing was written. To create it, omit version.`);
  }
  try {
    const type = isNotebookPath(path) ? "notebook" : "file";
    const { item, written } = await createItem(client, path, bytes, { type, signal });
    const last = written ?? item;
    return { path, created: true, version: versionAfterWriting(last, undefined, undefined), item: last };
  } catch (error) {
    throw hasStatus(error, 409) ? existsAlready(path) : error;
  }
}

function refuse(path: string, now: ContentItem, version: string | undefined): void {
  if (now.type === "directory") {
    throw isDirectory(path);
  }
  if (now.writable === false) {
    throw new ToolError("workspace", `${path} is read-only on the server.`);
  }
  if (version === undefined) {
    throw existsAlready(path);
  }
  if (!isVersion(version, now)) {
    throw new ToolError(
      "conflict",
      `${path} was changed on the server since it was read. Nothing was overwritten. Read it again, then write it with the new version.`,
    );
  }
}

function existsAlready(path: string): ToolError {
  return new ToolError(
    "conflict",
    `${path} already exists. Nothing was overwritten. Read it with contents_read, then write it with that version.`,
  );
}

/**
 * The version of a file for callers: the server's hash, or the date and size if there is none. Callers pass it back
 * unchanged to identify the version that they have read.
 */
export function versionTextOf(item: ContentItem): string | undefined {
  return hashTextOf(item) ?? timeTextOf(item);
}

/** True if the server's current version matches the text, by hash, or by date and size. */
function isVersion(text: string, item: ContentItem): boolean {
  return text === hashTextOf(item) || text === timeTextOf(item);
}

/**
 * The version after writing these bytes. The response to a write has no hash, so it is computed with the server's
 * algorithm. Reading the file again could already return someone else's version.
 */
function versionAfterWriting(
  response: ContentItem,
  bytes: Uint8Array | undefined,
  algorithm: string | null | undefined,
): string | undefined {
  const reported = hashTextOf(response);
  if (reported !== undefined || bytes === undefined || typeof algorithm !== "string") {
    return reported ?? timeTextOf(response);
  }
  const hash = hashOf(bytes, algorithm);
  return hash === undefined ? timeTextOf(response) : hashText(algorithm, hash);
}

function hashTextOf({ hash, hash_algorithm: algorithm }: ContentItem): string | undefined {
  return typeof hash === "string" && typeof algorithm === "string" ? hashText(algorithm, hash) : undefined;
}

function timeTextOf({ last_modified: modified, size }: ContentItem): string | undefined {
  return typeof modified === "string" && typeof size === "number" ? `${modified} ${size}` : undefined;
}

function hashText(algorithm: string, hash: string): string {
  return `${algorithm}:${hash}`;
}
