import { randomUUID } from "node:crypto";
import { parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { listCheckpoints } from "../../api/catalogue/operations/checkpoints.ts";
import type { ContentCaller, ContentClient } from "../../api/client/client.ts";
import type { ByteSource } from "../../api/content-server/byte-source.ts";
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
import type { MetadataReader } from "../read/directory-reader.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { wholeSaveBytes } from "../session/size-limits.ts";
import type { LongTransfers, TransferControl } from "../transfer/long-transfers.ts";
import { isSameVersion, versionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import { besideOf, endMove } from "./item-replacing.ts";
import { missingFolderOf } from "./missing-folder.ts";
import type { JournaledSave, SaveJournal } from "./save-journal.ts";

interface BigFileWriterParts {
  readonly server: ServerRequests;
  readonly journal: SaveJournal;
  /** Loaded by the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
  readonly metadata: MetadataReader;
  /** Size of a chunk in bytes. The API layer's default if undefined. */
  readonly chunkedSaves: { readonly chunkBytes?: number };
}

interface BigSave {
  readonly path: string;
  readonly content: Uint8Array | ByteSource;
  /** The server's version that can be replaced; undefined for a new file. */
  readonly server: ContentItem | undefined;
  /** Of a transfer whose progress is already shown. */
  readonly control?: TransferControl | undefined;
}

/** Bytes per chunk of a file that is read from the disk, because several are uploaded at the same time. */
const streamedChunkBytes = 2 * 1024 * 1024;

/**
 * Writes a large file in chunks to a temporary name, and moves it into place when it is complete. Resolves with the new
 * metadata; with undefined if this file must be written in one request; with `"never"` if that applies to all files on
 * this server.
 *
 * A checkpoint would be lost with the replaced file. Therefore, a file with a checkpoint is written in one request,
 * which servers process only after they have received all of it.
 */
export async function writeBigFile(
  parts: BigFileWriterParts,
  save: BigSave,
): Promise<ContentItem | undefined | "never"> {
  const { journal, metadata } = parts;
  const { path, content, server } = save;
  const client = callerOf(parts.server);
  if (server !== undefined && content.byteLength <= wholeSaveBytes && (await hasCheckpoint(client, path))) {
    return undefined;
  }
  const names = besideNames(path);
  try {
    await journal.record({ ...names, stage: "uploading" });
  } catch (error) {
    // Without the journal, an interruption would leave parts behind. The user's changes are more important than chunks.
    if (content.byteLength <= wholeSaveBytes) {
      return undefined;
    }
    throw error;
  }
  let latest: ContentItem | undefined;
  try {
    if ((await upload(parts, client, names.upload, save)) === undefined) {
      await discard(journal, client, names.upload);
      return "never";
    }
    // Used only for this check, because cached metadata would also serve the next save.
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
  return replace(parts, client, names, latest);
}

async function replace(
  { journal, transfers }: BigFileWriterParts,
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
    (await transfers()).reportLeftover(names.target, outcome.leftover);
  }
  return outcome.item;
}

/** Removes the uploaded chunks of a save that failed. */
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
  /** Loaded by the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
}

/** Finishes saves that an earlier session or a lost connection interrupted. Those that fail stay in the journal. */
export async function endInterruptedSaves(
  parts: RecoveryParts,
  client: ContentClient,
  saves: readonly JournaledSave[],
): Promise<void> {
  for (const save of saves) {
    try {
      await endSave(parts, client, save);
    } catch {
      // The server is unreachable, which the next request reports.
    }
  }
}

async function endSave(
  { journal, cache, versions, transfers }: RecoveryParts,
  client: ContentClient,
  save: JournaledSave,
): Promise<void> {
  if (save.stage === "renaming" || save.stage === "copying") {
    cache.delete(parentOf(save.target));
    if (await endMove(client, save)) {
      await journal.ended(save.upload);
    }
    return;
  }
  const { target, upload, stage } = save;
  if (stage === "uploading") {
    if ((await removed(client, upload)) === undefined) {
      await journal.ended(upload);
    }
    return;
  }
  const end = await endReplacement(client, save);
  cache.delete(parentOf(target));
  if (end.type === "leftover" || (end.type === "placed" && end.leftover !== undefined)) {
    return;
  }
  if (end.type === "placed") {
    const version = versionOf(end.item);
    if (version !== undefined) {
      versions.written(target, version);
    }
  } else if (end.type === "kept") {
    (await transfers()).reportInterrupted(target, upload);
  }
  await journal.ended(upload);
}

async function upload(
  { transfers, chunkedSaves: { chunkBytes } }: BigFileWriterParts,
  client: ContentCaller,
  beside: string,
  { path, content, control }: BigSave,
): Promise<ContentItem | undefined> {
  const bytes = content.byteLength;
  const bytesPerChunk = chunkBytes ?? (control === undefined ? undefined : streamedChunkBytes);
  const work = ({ signal, onMoved }: TransferControl): Promise<ContentItem | undefined> =>
    uploadInChunks(client, beside, content, {
      signal,
      onSent: (sent) => onMoved(sent / bytes),
      ...(bytesPerChunk === undefined ? {} : { chunkBytes: bytesPerChunk }),
    });
  try {
    return await (control === undefined
      ? (await transfers()).run({ action: "save", path, bytes }, work)
      : work(control));
  } catch (error) {
    throw cancelledOr(error, path, phrase`Saving ${path} was canceled. The file on the server is unchanged.`);
  }
}

/** The conflict if the found version is not the expected one. */
function otherVersion(path: string, expected: ContentItem, found: ContentItem): ConflictError | undefined {
  const [before, now] = [versionOf(expected), versionOf(found)];
  const isSame = before !== undefined && now !== undefined && isSameVersion(before, now);
  return isSame || now === undefined ? undefined : new ConflictError(path, now);
}

/** Reports a missing parent folder as the cause, because servers only report a failure. */
async function explained(metadata: MetadataReader, path: string, error: unknown): Promise<unknown> {
  if (hasStatus(error, 409)) {
    return new FileError("exists", path, phrase`${path} already exists on the server. Nothing was overwritten.`);
  }
  const mayLackFolder = hasStatus(error, 404) || hasStatus(error, 500);
  const folder = mayLackFolder ? await missingFolderOf(metadata, path) : undefined;
  return folder === undefined ? asSave(path, error) : notFound(folder);
}

/** Rewords an error as a failure of the save, regardless of which request or temporary name failed. */
function asSave(path: string, error: unknown): unknown {
  return error instanceof PlatformError ? error.with({ failure: phrase`Can't save ${path}`, entity: path }) : error;
}

async function hasCheckpoint(client: ContentCaller, path: string): Promise<boolean> {
  try {
    return (await client.call(listCheckpoints, { path })).length > 0;
  } catch {
    // A server without support for checkpoints has none to lose. The next request reports other errors.
    return false;
  }
}

/** Sends each operation as a separate request, so that a moved server is found again. */
function callerOf(server: ServerRequests): ContentCaller {
  return {
    call: (operation, input, options) => server.request((client) => client.call(operation, input, options)),
  };
}

/** Creates unique temporary names next to a file. */
function besideNames(target: string): Replacement {
  const id = randomUUID().slice(0, 8);
  return { target, upload: besideOf(target, "saving", id), aside: besideOf(target, "replaced", id) };
}
