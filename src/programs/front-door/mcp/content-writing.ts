import { isNotebookPath } from "../../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../../api/catalogue/models/contents.ts";
import { updateContent } from "../../../api/catalogue/operations/contents.ts";
import type { ContentClient } from "../../../api/client/client.ts";
import { updateBodyFor } from "../../../api/content-server/content-types.ts";
import { createItem } from "../../../api/content-server/contents.ts";
import { statContent } from "../../../api/content-server/file-content.ts";
import { hasStatus } from "../../../api/http/errors.ts";
import { isDirectory } from "./content-reading.ts";
import { isVersion, versionAfterWriting } from "./content-versions.ts";
import { ToolFault } from "./tool.ts";

export interface FileWritten {
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
    throw new ToolFault(
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
    throw new ToolFault("workspace", `${path} is read-only on the server.`);
  }
  if (version === undefined) {
    throw existsAlready(path);
  }
  if (!isVersion(version, now)) {
    throw new ToolFault(
      "conflict",
      `${path} was changed on the server since it was read. Nothing was overwritten. Read it again, then write it with the version that it has then.`,
    );
  }
}

function existsAlready(path: string): ToolFault {
  return new ToolFault(
    "conflict",
    `${path} exists already. Nothing was overwritten. Read it with contents_read, then write it with the version that it has.`,
  );
}

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
