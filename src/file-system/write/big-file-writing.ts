import { randomUUID } from "node:crypto";
import { joinPath, nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { listCheckpoints } from "../../api/catalogue/operations/checkpoints.ts";
import type { ContentCaller, ContentClient } from "../../api/client/client.ts";
import { uploadInChunks } from "../../api/content-server/chunked-upload.ts";
import { renameItem } from "../../api/content-server/contents.ts";
import { statContent } from "../../api/content-server/file-content.ts";
import {
  endReplacement,
  putInPlace,
  type Replacement,
  type ReplacementOutcome,
  removed,
} from "../../api/content-server/replacement.ts";
import { hasStatus, PlatformError } from "../../api/http/errors.ts";
import { phrase } from "../../api/phrase.ts";
import { ConflictError, cancelledOr, FileError, incomplete, notFound } from "../errors.ts";
import type { MetadataReading } from "../read/directory-reading.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { wholeSaveBytes } from "../session/size-limits.ts";
import type { LongTransfers } from "../transfer/long-transfers.ts";
import { isSameVersion, versionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { JournaledSave, SaveJournal } from "./save-journal.ts";

/** The most bytes of a name that file systems take. */
const longestName = 255;

interface BigWritingParts {
  readonly server: ServerRequests;
  readonly journal: SaveJournal;
  /** Loads with the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
  readonly metadata: MetadataReading;
  /** The API layer's own size of a chunk when undefined. */
  readonly chunkedSaves: { readonly chunkBytes?: number };
}

interface BigSave {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The server's version that may be replaced; undefined where there is none. */
  readonly server: ContentItem | undefined;
}

/**
 * Writes a big file: in chunks to a name beside it, and in place only when all of it is there. Gives the new metadata;
 * undefined when this file has to be written in one piece, `"never"` when every file of this server has to.
 *
 * A server's checkpoint goes with the file that has it, and a file that is replaced would lose it: so one that has a
 * checkpoint is written in one piece, which servers begin to write only when it has come as a whole.
 */
export async function writeBigFile(parts: BigWritingParts, save: BigSave): Promise<ContentItem | undefined | "never"> {
  const { journal, metadata } = parts;
  const { path, bytes, server } = save;
  const client = callerOf(parts.server);
  if (server !== undefined && bytes.byteLength <= wholeSaveBytes && (await hasCheckpoint(client, path))) {
    return undefined;
  }
  const names = besideNames(path);
  await journal.record({ ...names, stage: "uploading" });
  let latest: ContentItem | undefined;
  try {
    if ((await upload(parts, client, names.upload, save)) === undefined) {
      await discard(journal, client, names.upload);
      return "never";
    }
    // For this once: a look that is kept would serve the next save, too.
    latest = server === undefined ? undefined : await metadata.statForWrite(path);
    const conflict = server === undefined || latest === undefined ? undefined : otherVersion(path, server, latest);
    if (conflict !== undefined) {
      throw conflict;
    }
    await journal.record({ ...names, stage: "placing" });
    if (latest === undefined) {
      const item = await renameItem(client, names.upload, path);
      await journal.ended(names.upload);
      return item;
    }
  } catch (error) {
    await discard(journal, client, names.upload);
    throw await explained(metadata, path, error);
  }
  return replace(journal, client, names, latest);
}

async function replace(
  journal: SaveJournal,
  client: ContentCaller,
  names: Replacement,
  latest: ContentItem,
): Promise<ContentItem> {
  let outcome: ReplacementOutcome;
  try {
    outcome = await putInPlace(client, names, latest);
  } catch (error) {
    const isInPlace = await statContent(client, names.target, { expected: "any" }).catch(() => undefined);
    if (isInPlace === undefined) {
      journal.failed(names.upload);
    } else {
      await discard(journal, client, names.upload);
    }
    throw asSave(names.target, error);
  }
  if (outcome.type === "changed") {
    await discard(journal, client, names.upload);
    throw otherVersion(names.target, latest, outcome.item) ?? incomplete(names.target);
  }
  if (outcome.leftover === undefined) {
    await journal.ended(names.upload);
  } else {
    journal.failed(names.upload);
  }
  return outcome.item;
}

/** Removes what was sent of a save that came to nothing. */
async function discard(journal: SaveJournal, client: ContentCaller, upload: string): Promise<void> {
  if ((await removed(client, upload)) === undefined) {
    await journal.ended(upload);
  } else {
    journal.failed(upload);
  }
}

interface RecoveryParts {
  readonly journal: SaveJournal;
  readonly cache: ListingCache;
  readonly versions: EditorVersions;
  /** Loads with the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
}

/**
 * Ends the saves that an earlier session, or a lost connection, interrupted. What cannot be ended now stays in the journal.
 */
export async function endInterruptedSaves(
  parts: RecoveryParts,
  client: ContentClient,
  saves: readonly JournaledSave[],
): Promise<void> {
  for (const save of saves) {
    try {
      await endSave(parts, client, save);
    } catch {
      // The server is not to be had, as the request that this goes before will tell.
    }
  }
}

async function endSave(
  { journal, cache, versions, transfers }: RecoveryParts,
  client: ContentClient,
  save: JournaledSave,
): Promise<void> {
  const { target, upload, stage } = save;
  if (stage === "uploading") {
    if ((await removed(client, upload)) === undefined) {
      await journal.ended(upload);
    }
    return;
  }
  const end = await endReplacement(client, save);
  cache.forget(parentOf(target));
  if (end.type === "leftover" || (end.type === "placed" && end.leftover !== undefined)) {
    return;
  }
  if (end.type === "placed") {
    const version = versionOf(end.item);
    if (version !== undefined) {
      versions.written(target, version);
    }
  } else if (end.type === "kept") {
    (await transfers()).tellKept(target, upload);
  }
  await journal.ended(upload);
}

async function upload(
  { transfers, chunkedSaves: { chunkBytes } }: BigWritingParts,
  client: ContentCaller,
  beside: string,
  { path, bytes }: BigSave,
): Promise<ContentItem | undefined> {
  try {
    const shown = await transfers();
    return await shown.run({ action: "save", path, bytes: bytes.byteLength }, ({ signal, onMoved }) =>
      uploadInChunks(client, beside, bytes, {
        signal,
        onSent: (sent) => onMoved(sent / bytes.byteLength),
        ...(chunkBytes === undefined ? {} : { chunkBytes }),
      }),
    );
  } catch (error) {
    throw cancelledOr(error, path, phrase`Saving ${path} was cancelled. On the server it is as it was.`);
  }
}

/** The conflict when what was found is another version than the one that may be replaced. */
function otherVersion(path: string, expected: ContentItem, found: ContentItem): ConflictError | undefined {
  const [before, now] = [versionOf(expected), versionOf(found)];
  const isSame = before !== undefined && now !== undefined && isSameVersion(before, now);
  return isSame || now === undefined ? undefined : new ConflictError(path, now);
}

/** Reports a missing parent folder as the cause: servers only say that they failed. */
async function explained(metadata: MetadataReading, path: string, error: unknown): Promise<unknown> {
  if (hasStatus(error, 409)) {
    return new FileError("exists", path, phrase`${path} already exists on the server. Nothing was overwritten.`);
  }
  const parent = parentOf(path);
  const mayLackFolder = error instanceof PlatformError && (hasStatus(error, 404) || hasStatus(error, 500));
  if (mayLackFolder && parent !== "" && (await metadata.statContent(parent).catch(() => error)) === undefined) {
    return notFound(parent);
  }
  return asSave(path, error);
}

/** What failed is the save, whatever request of it and whatever name beside the file that was about. */
function asSave(path: string, error: unknown): unknown {
  return error instanceof PlatformError ? error.with({ failure: phrase`Cannot save ${path}`, entity: path }) : error;
}

async function hasCheckpoint(client: ContentCaller, path: string): Promise<boolean> {
  try {
    return (await client.call(listCheckpoints, { path })).length > 0;
  } catch {
    // A server that knows no checkpoints has none to lose; what else is wrong the next request tells.
    return false;
  }
}

/** Operations that find the server anew where it has moved, each by itself. */
function callerOf(server: ServerRequests): ContentCaller {
  return {
    call: (operation, input, options) => server.request((client) => client.call(operation, input, options)),
  };
}

/** Names beside a file that nobody else has. */
function besideNames(target: string): Replacement {
  const id = randomUUID().slice(0, 8);
  const beside = (word: string): string => {
    const name = `${nameOf(target)}.${word}-${id}`;
    return joinPath(parentOf(target), Buffer.byteLength(name) <= longestName ? name : `${word}-${id}`);
  };
  return { target, upload: beside("saving"), aside: beside("replaced") };
}
