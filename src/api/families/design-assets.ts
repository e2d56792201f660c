import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getDesignAssets } from "../catalogue/operations/designs.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { operationError } from "../client/operation-errors.ts";
import { errorMessage } from "../error-message.ts";
import type { BodyReceiver } from "../http/dispatch.ts";
import { PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";
import type { Unpacked, UnpackLimits } from "./archive-unpacking.ts";

/** Identifies a version of a design. */
export interface DesignVersionId {
  readonly designId: string;
  readonly version: string;
}

/** Where to save the source of a design version: an archive.zip, an unpacked folder, or both. */
export interface AssetsTarget {
  /** Folder for archive.zip; created if it does not exist. */
  readonly archiveDirectory?: string;
  /** Name of the archive; archive.zip by default. */
  readonly archiveName?: string;
  /** True to replace an existing archive.zip. */
  readonly replaceArchive?: boolean;
  /** Folder into which the archive is unpacked. Must be new or empty. Can be the archive's folder. */
  readonly unpackDirectory?: string;
  readonly limits?: Partial<UnpackLimits>;
}

/** The result of a download. */
export interface FetchedAssets {
  /** Bytes of the archive. */
  readonly bytes: number;
  /** Path of archive.zip. */
  readonly archive?: string;
  readonly unpacked?: Unpacked & { readonly directory: string };
}

/** 256 MiB and 20,000 entries: far more than any design needs, and safe for a disk. */
export const defaultUnpackLimits: UnpackLimits = { bytes: 256 * 1024 * 1024, entries: 20_000 };

const archiveName = "archive.zip";

/**
 * Downloads the source of a design's version (API description, 4.3, rule 5) to disk in parts; `onReceived` reports the
 * progress. Either creates everything that was requested, or nothing. Exception: a requested archive that can't be
 * unpacked is kept. Throws a PlatformError of kind `asset`.
 */
export async function fetchDesignAssets(
  client: PlatformClient,
  id: DesignVersionId,
  target: AssetsTarget,
  options: CallOptions = {},
): Promise<FetchedAssets> {
  const { archiveDirectory, unpackDirectory } = target;
  const made: string[] = [];
  let temporary: string | undefined;
  try {
    for (const directory of new Set([unpackDirectory, archiveDirectory])) {
      if (directory !== undefined && (await mkdir(directory, { recursive: true })) !== undefined) {
        made.unshift(directory);
      }
    }
    if (archiveDirectory === undefined && unpackDirectory === undefined) {
      throw assetError(id, phrase`no destination folder was specified`);
    }
    if (unpackDirectory !== undefined && (await readdir(unpackDirectory)).length > 0) {
      throw assetError(id, phrase`the folder ${unpackDirectory} isn't empty`, phrase`Choose a new or empty folder.`);
    }
    const archive =
      archiveDirectory === undefined ? undefined : join(archiveDirectory, target.archiveName ?? archiveName);
    if (archive !== undefined && target.replaceArchive !== true && (await exists(archive))) {
      throw assetError(
        id,
        phrase`${archive} already exists`,
        phrase`Choose another folder, or allow the archive to be replaced.`,
      );
    }
    temporary = join(archiveDirectory ?? tmpdir(), `.${randomUUID()}.part`);
    const receiver = new FileReceiver(temporary);
    await client.call(getDesignAssets, id, { ...options, receiver }).finally(() => receiver.close());
    const { bytes } = receiver;
    if (!receiver.isArchive) {
      throw assetError(id, phrase`the platform didn't send a ZIP archive`);
    }
    const place = async (): Promise<void> => {
      if (archive !== undefined && temporary !== undefined) {
        await rename(temporary, archive);
      }
    };
    if (unpackDirectory === undefined) {
      await place();
      return { bytes, ...(archive === undefined ? {} : { archive }) };
    }
    let unpacked: Unpacked;
    try {
      unpacked = await unpackInto(unpackDirectory, temporary, { ...defaultUnpackLimits, ...target.limits }, options);
    } catch (error) {
      await place();
      const failed = asPlatformError(error, id, options.signal);
      throw archive === undefined ? failed : failed.withRemark(phrase`The archive itself is in ${archive}.`);
    }
    await place();
    return {
      bytes,
      ...(archive === undefined ? {} : { archive }),
      unpacked: { ...unpacked, directory: unpackDirectory },
    };
  } catch (error) {
    if (temporary !== undefined) {
      await rm(temporary, { force: true });
    }
    for (const directory of made) {
      await rmdir(directory).catch(() => undefined);
    }
    throw asPlatformError(error, id, options.signal);
  } finally {
    if (temporary !== undefined) {
      await rm(temporary, { force: true });
    }
  }
}

/** 64 MiB: the editor keeps browsed content in memory. */
export const memoryLimits: UnpackLimits = { bytes: 64 * 1024 * 1024, entries: 20_000 };

/**
 * Reads the files of a design's version into memory, by path (API description, 4.3). Throws a PlatformError of kind
 * `asset`, including if the archive exceeds `limits`.
 */
export async function readDesignAssets(
  client: PlatformClient,
  id: DesignVersionId,
  limits: UnpackLimits = memoryLimits,
  options: CallOptions = {},
): Promise<ReadonlyMap<string, Uint8Array>> {
  const receiver = new MemoryReceiver(limits.bytes);
  try {
    await client.call(getDesignAssets, id, { ...options, receiver });
    const { readArchive } = await import("./archive-unpacking.ts");
    return await readArchive(receiver.content, limits, options.signal);
  } catch (error) {
    throw asPlatformError(error, id, options.signal);
  }
}

/** Collects received bytes, up to a limit. */
class MemoryReceiver implements BodyReceiver {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get content(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  get beginning(): Uint8Array {
    return this.#parts[0]?.subarray(0, remembered) ?? new Uint8Array();
  }

  async begin(): Promise<void> {
    this.#parts = [];
    this.#bytes = 0;
  }

  async write(part: Uint8Array): Promise<void> {
    this.#bytes += part.byteLength;
    if (this.#bytes > this.#limit) {
      throw new WordedError(
        phrase`it has more than ${this.#limit} bytes and is too large to browse; download it instead`,
      );
    }
    // The transport may reuse the part's memory.
    this.#parts.push(Buffer.from(part));
  }
}

/** Unpacks to a sibling of the target folder first, so that the target gets either all files or none. */
async function unpackInto(
  directory: string,
  archive: string,
  limits: UnpackLimits,
  options: CallOptions,
): Promise<Unpacked> {
  const staging = join(directory, `.${randomUUID()}.unpacking`);
  const moved: string[] = [];
  try {
    await mkdir(staging);
    const { unpackArchive } = await import("./archive-unpacking.ts");
    const unpacked = await unpackArchive(archive, staging, limits, options.signal);
    for (const name of await readdir(staging)) {
      const place = join(directory, name);
      if (await exists(place)) {
        throw new WordedError(phrase`${place} was created by someone else in the meantime`);
      }
      await rename(join(staging, name), place);
      moved.push(place);
    }
    return unpacked;
  } catch (error) {
    for (const place of moved) {
      await rm(place, { recursive: true, force: true });
    }
    throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Number of bytes that are kept from the start of a response, to detect an archive or to report what else it is. */
const remembered = 1024;

/** Writes received bytes to a file. Each attempt starts at the beginning. */
class FileReceiver implements BodyReceiver {
  readonly #path: string;
  #file: FileHandle | undefined;
  beginning: Uint8Array = new Uint8Array();
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** True if the received bytes start with a ZIP signature, including that of an empty archive. */
  get isArchive(): boolean {
    return /^504b(?:0304|0506)/.test(Buffer.from(this.beginning.subarray(0, 4)).toString("hex"));
  }

  async begin(): Promise<void> {
    await this.close();
    this.beginning = new Uint8Array();
    this.bytes = 0;
    this.#file = await open(this.#path, "w");
  }

  async write(part: Uint8Array): Promise<void> {
    if (this.beginning.byteLength < remembered) {
      this.beginning = Buffer.concat([this.beginning, part.subarray(0, remembered)]);
    }
    this.bytes += part.byteLength;
    await this.#file?.writeFile(part);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function assetError(id: DesignVersionId, reason: Text, remedy?: Text): PlatformError {
  return operationError(getDesignAssets, id, {
    kind: "asset",
    cause: { type: "receiver", code: "REFUSED" },
    reason,
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/** Converts disk and archive errors to errors of the API layer. */
function asPlatformError(error: unknown, id: DesignVersionId, signal: AbortSignal | undefined): PlatformError {
  if (error instanceof PlatformError) {
    return error;
  }
  if (signal?.aborted === true) {
    return operationError(getDesignAssets, id, {
      kind: "request",
      cause: { type: "cancelled" },
      reason: phrase`it was canceled`,
    });
  }
  const words = error instanceof WordedError ? error.text : errorMessage(error);
  if (error instanceof Error && error.name === "ArchiveError") {
    return assetError(id, phrase`the archive can't be unpacked: ${words}`);
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN";
  return operationError(getDesignAssets, id, {
    kind: "asset",
    cause: { type: "receiver", code },
    reason: phrase`it can't be saved (${words})`,
  });
}
