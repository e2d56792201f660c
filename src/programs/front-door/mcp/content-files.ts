import { isNotebookPath } from "../../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../../api/catalogue/models/contents.ts";
import { updateContent } from "../../../api/catalogue/operations/contents.ts";
import type { ContentClient } from "../../../api/client/client.ts";
import { hashOf } from "../../../api/content-server/content-hash.ts";
import { updateBodyFor } from "../../../api/content-server/content-types.ts";
import { createItem } from "../../../api/content-server/contents.ts";
import { readFileContent, statContent } from "../../../api/content-server/file-content.ts";
import { hasStatus } from "../../../api/http/errors.ts";
import { ToolError } from "./tool.ts";

interface FileRead {
  readonly item: ContentItem;
  readonly bytes: Uint8Array;
}

/** A file's exact bytes with the version that they are of. Throws a ToolError for what cannot be read as a file. */
export async function readFile(client: ContentClient, path: string, signal: AbortSignal): Promise<FileRead> {
  const read = await readFileContent(client, path, { signal });
  switch (read.type) {
    case "file":
      return read;
    case "directory":
      throw isDirectory(path);
    case "unreadable":
      throw new ToolError("workspace", `The content server gave ${path} in a form that cannot be read.`);
  }
}

function isDirectory(path: string): ToolError {
  return new ToolError("arguments", `${path || "The workspace root"} is a directory: list it with contents_list.`);
}

interface FileWritten {
  readonly path: string;
  readonly created: boolean;
  readonly version: string | undefined;
  readonly item: ContentItem;
}

const writing = new Map<string, Promise<unknown>>();

/**
 * Writes a whole file. One that is there is replaced only where the caller names the version that the server has, a new
 * one is made only where it names none. Writes of one path through this server follow each other; a change in the
 * moment between the look and the write, by somebody else, is the content server's to lose.
 */
export function writeFile(
  client: ContentClient,
  place: string,
  path: string,
  bytes: Uint8Array,
  version: string | undefined,
  signal: AbortSignal,
): Promise<FileWritten> {
  return oneAtATime(`${place} ${path}`, async () => {
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
    throw new ToolError(
      "conflict",
      `${path} is not there any more. Nothing was written. Leave version out to make it.`,
    );
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
      `${path} was changed on the server since it was read. Nothing was overwritten. Read it again, then write it with the version that it has then.`,
    );
  }
}

function existsAlready(path: string): ToolError {
  return new ToolError(
    "conflict",
    `${path} exists already. Nothing was overwritten. Read it with contents_read, then write it with the version that it has.`,
  );
}

/** A lock per path: entries go when nobody waits, so that the map does not grow with the paths ever written. */
async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = writing.get(key) ?? Promise.resolve();
  const run = before.then(work, work);
  const settled = run.catch(() => undefined);
  writing.set(key, settled);
  try {
    return await run;
  } finally {
    if (writing.get(key) === settled) {
      writing.delete(key);
    }
  }
}

/**
 * The version of a file as a caller holds it: the server's hash where it has one, else its time and size. A caller gives
 * it back to say which version it has seen; it is compared to the letter.
 */
export function versionTextOf(item: ContentItem): string | undefined {
  return hashTextOf(item) ?? timeTextOf(item);
}

/** True when the server has the version that the text names, by hash or by time and size. */
function isVersion(text: string, item: ContentItem): boolean {
  return text === hashTextOf(item) || text === timeTextOf(item);
}

/**
 * The version after these bytes were written as they are. The answer to a write has no hash; one is worked out with the
 * algorithm that the server used before, for a read afterwards could be of somebody else's version already.
 */
function versionAfterWriting(
  answer: ContentItem,
  bytes: Uint8Array | undefined,
  algorithm: string | null | undefined,
): string | undefined {
  const reported = hashTextOf(answer);
  if (reported !== undefined || bytes === undefined || typeof algorithm !== "string") {
    return reported ?? timeTextOf(answer);
  }
  const hash = hashOf(bytes, algorithm);
  return hash === undefined ? timeTextOf(answer) : hashText(algorithm, hash);
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
