import { isUtf8 } from "node:buffer";
import { mkdir, open, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
import { errorMessage } from "../error-message.ts";
import { localPaths, type NamingSystem, thisSystem } from "../local-names.ts";
import { phrase, type Text } from "../phrase.ts";
import { nextTurn } from "../turns.ts";
import { WordedError } from "../worded-error.ts";

/** The limits for the contents of an archive. */
export interface UnpackLimits {
  /** Bytes of all files together, and of the archive itself. */
  readonly bytes: number;
  /** Files and folders. */
  readonly entries: number;
}

/** The reason that an archive was not unpacked. */
export class ArchiveError extends WordedError {
  override readonly name = "ArchiveError";
}

/** The result of unpacking. */
export interface Unpacked {
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: readonly LeftOutEntry[];
  /** Files that have another path than in the archive, because the computer can't hold theirs. */
  readonly renamed: readonly { readonly path: string; readonly newPath: string }[];
}

/** An entry that isn't read or written, for example because it is outside of the folder. */
interface LeftOutEntry {
  readonly name: string;
  readonly reason: Text;
}

/**
 * Unpacks a ZIP archive into an empty folder. All entries are checked before the first is written. Leaves out entries
 * outside the folder, links, entries with the same name, and unreadable ones. Throws an ArchiveError for entries that
 * share bytes, and exceeded limits. After an error, the caller removes the files that were written.
 */
export async function unpackArchive(
  archive: string,
  directory: string,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
  system: NamingSystem = thisSystem,
): Promise<Unpacked> {
  const { size } = await stat(archive);
  if (size > limits.bytes) {
    throw new ArchiveError(phrase`it has ${size} bytes, but only ${limits.bytes} are allowed`);
  }
  const { files, leftOut } = await filesOf(await readFile(archive), limits);
  const room = roomFor(limits);
  const unpacked = [...files].filter(([, { isLink }]) => !isLink);
  const places = localPaths(
    unpacked.map(([path]) => path),
    system,
  );
  for (const [path, entry] of unpacked) {
    const place = join(directory, ...(places.get(path) ?? path).split("/"));
    await mkdir(dirname(place), { recursive: true });
    const file = await open(place, "wx");
    try {
      for await (const part of partsWithin(room, entry, signal)) {
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
  }
  const links = [...files.values()].filter(({ isLink }) => isLink);
  return {
    files: unpacked.length,
    bytes: limits.bytes - room.left,
    leftOut: [...leftOut, ...links.map(({ name }) => ({ name, reason: phrase`it is a link` }))],
    renamed: [...places].flatMap(([path, newPath]) => (newPath === path ? [] : [{ path, newPath }])),
  };
}

/**
 * Reads the files of an archive into memory, by path and in the order of the paths. Writes nothing to disk. The content
 * of a link says where it leads. Checks the archive like `unpackArchive`, with the same ArchiveError.
 */
export async function readArchive(
  content: Uint8Array,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const room = roomFor(limits);
  for (const [path, entry] of inOrder((await filesOf(content, limits)).files)) {
    files.set(path, await contentWithin(room, entry, signal));
  }
  return files;
}

/**
 * The files of an archive with their real sizes in bytes, in the order of the paths. Counts the bytes while unpacking
 * and doesn't keep them. Checks the archive like `unpackArchive`, with the same ArchiveError.
 */
export async function measureArchive(
  content: Uint8Array,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<readonly { readonly path: string; readonly size: number }[]> {
  const sizes: { readonly path: string; readonly size: number }[] = [];
  const room = roomFor(limits);
  for (const [path, entry] of inOrder((await filesOf(content, limits)).files)) {
    const before = room.left;
    for await (const _ of partsWithin(room, entry, signal));
    sizes.push({ path, size: before - room.left });
  }
  return sizes;
}

/**
 * Reads one file of an archive and checks only this file against the limits; undefined if the archive has no file at
 * that path.
 */
export async function readArchiveFile(
  content: Uint8Array,
  path: string,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const entry = (await filesOf(content, limits)).files.get(path);
  if (entry === undefined) {
    return undefined;
  }
  const room = roomFor(limits, path);
  return contentWithin(room, entry, signal);
}

/** An entry within its archive. The content of a link is the path that it leads to. */
interface ArchiveEntry extends NamedEntry {
  readonly isLink: boolean;
}

/** An entry with its original name. */
interface NamedEntry {
  readonly archive: ZipFile;
  readonly entry: Entry;
  readonly name: string;
}

/** The number of bytes that are still allowed, and the error message for exceeding it. */
interface Room {
  left: number;
  readonly full: ArchiveError;
}

function roomFor({ bytes }: UnpackLimits, path?: string): Room {
  const reason =
    path === undefined
      ? phrase`its files have more than ${bytes} bytes in total`
      : phrase`its entry ${path} has more than ${bytes} bytes`;
  return { left: bytes, full: new ArchiveError(reason) };
}

/** Unpacks an entry in parts and counts the bytes, because the size in the archive can't be trusted. */
async function* partsWithin(room: Room, entry: ArchiveEntry, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for await (const part of partsOf(entry)) {
    signal?.throwIfAborted();
    room.left -= part.byteLength;
    if (room.left < 0) {
      throw room.full;
    }
    yield part;
  }
}

async function contentWithin(room: Room, entry: ArchiveEntry, signal: AbortSignal | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of partsWithin(room, entry, signal)) {
    parts.push(part);
  }
  return entry.isLink ? Buffer.concat([Buffer.from("Link to "), ...parts, Buffer.from("\n")]) : Buffer.concat(parts);
}

function inOrder<Entry>(files: ReadonlyMap<string, Entry>): readonly (readonly [string, Entry])[] {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Number of characters of names that are checked in one turn. Each name can be a path with hundreds of segments. */
const namesPerTurn = 64 * 1024;

/** The files and links of an archive by their path within the folder, and the entries that are left out. */
interface ArchiveFiles {
  readonly files: ReadonlyMap<string, ArchiveEntry>;
  readonly leftOut: readonly LeftOutEntry[];
}

async function filesOf(content: Uint8Array, limits: UnpackLimits): Promise<ArchiveFiles> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const files = new Map<string, ArchiveEntry>();
  const leftOut: LeftOutEntry[] = [];
  const repeated = new Set<string>();
  let sinceTurn = 0;
  for (const found of await entriesOf(bytes, limits)) {
    sinceTurn += found.name.length;
    if (sinceTurn > namesPerTurn) {
      sinceTurn = 0;
      await nextTurn();
    }
    const checked = checkedEntry(found);
    if (checked.type === "leftOut") {
      leftOut.push({ name: found.name, reason: checked.reason });
    } else if (checked.type === "file") {
      if (files.has(checked.path)) {
        repeated.add(checked.path);
      }
      files.set(checked.path, { ...found, isLink: checked.isLink });
    }
  }
  for (const path of repeated) {
    // Another program could show the other content.
    files.delete(path);
    leftOut.push({ name: path, reason: phrase`it is in the archive more than once` });
  }
  for (const path of pathsThroughFiles(files)) {
    files.delete(path);
    leftOut.push({ name: path, reason: phrase`another entry is a file where it needs a folder` });
  }
  return { files, leftOut };
}

/** Paths that need a folder with the path of a file. */
function pathsThroughFiles(files: ReadonlyMap<string, ArchiveEntry>): readonly string[] {
  // A folder's path sorts before its content, but not always directly before it.
  const sorted = [...files.keys()].map((path) => `${path}/`).sort();
  const through: string[] = [];
  let file: string | undefined;
  for (const path of sorted) {
    if (file !== undefined && path.startsWith(file)) {
      through.push(path.slice(0, -1));
    } else {
      file = path;
    }
  }
  return through;
}

/** All entries of an archive, including folders. Checks the archive's directory before it reads the first entry. */
async function entriesOf(bytes: Buffer, limits: UnpackLimits): Promise<readonly NamedEntry[]> {
  const entries: NamedEntry[] = [];
  try {
    // Names are decoded here, because the library's own checks would throw its own error messages.
    const archive = await fromBufferPromise(bytes, { decodeStrings: false });
    const directoryStart = Number(archive.readEntryCursor);
    checkDirectory(bytes.subarray(directoryStart), archive.entryCount, limits);
    for await (const entry of archive.eachEntry()) {
      entries.push({ archive, entry, name: nameOf(entry) });
    }
    refuseSharedBytes(bytes, entries, directoryStart);
  } catch (error) {
    throw error instanceof ArchiveError
      ? error
      : new ArchiveError(phrase`it isn't a readable ZIP archive (${errorMessage(error)})`);
  }
  return entries;
}

const directoryRecord = { signature: 0x02014b50, size: 46, nameLength: 28, extraLength: 30, commentLength: 32 };
/** Maximum length of an entry's name in bytes. File systems don't allow longer paths. */
const maxNameLength = 1024;
/** Bytes of names, extra fields, and comments for each allowed entry. */
const directoryBytes = 256;

/**
 * Counts the records of a directory without loading them into memory. The count in the archive can be wrong or exceed
 * its 16 bits. In each record, the name, the extra fields, and the comment can have up to 65,535 bytes each.
 */
function checkDirectory(directory: Buffer, claimed: number, { entries }: UnpackLimits): void {
  if (claimed > entries) {
    throw new ArchiveError(phrase`it has ${claimed} entries, but only ${entries} are allowed`);
  }
  const { signature, size, nameLength, extraLength, commentLength } = directoryRecord;
  let count = 0;
  let extent = 0;
  for (let at = 0; at + size <= directory.length && directory.readUInt32LE(at) === signature; ) {
    const name = directory.readUInt16LE(at + nameLength);
    const length = name + directory.readUInt16LE(at + extraLength) + directory.readUInt16LE(at + commentLength);
    count += 1;
    extent += length;
    at += size + length;
    if (count > claimed) {
      throw new ArchiveError(phrase`its directory has more entries than declared`);
    }
    if (name > maxNameLength) {
      throw new ArchiveError(phrase`it has an entry whose name has more than ${maxNameLength} bytes`);
    }
    if (extent > entries * directoryBytes) {
      throw new ArchiveError(
        phrase`its directory has more than ${entries * directoryBytes} bytes of names and comments`,
      );
    }
  }
}

/**
 * Rejects entries that share bytes. They allow a small archive to expand to far more than its size, and no ordinary
 * program writes them.
 */
function refuseSharedBytes(bytes: Buffer, entries: readonly NamedEntry[], directoryStart: number): void {
  const inPlace = entries.toSorted((one, other) => startOf(one) - startOf(other));
  for (const [index, found] of inPlace.entries()) {
    const next = inPlace[index + 1];
    const header = startOf(found);
    const data = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    if (data + found.entry.compressedSize > (next === undefined ? directoryStart : startOf(next))) {
      throw new ArchiveError(phrase`its entry ${found.name} overlaps with ${next?.name ?? "its directory"}`);
    }
  }
}

function startOf({ entry }: NamedEntry): number {
  return entry.relativeOffsetOfLocalHeader;
}

const utf8Flag = 0x800;

/** An entry's original name, including any `\`. Some programs write UTF-8 without setting the flag for it. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | utf8Flag : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
}

const typeBits = 0o170000;
const regularFile = 0o100000;
const symbolicLink = 0o120000;
const folder = 0o040000;
const folderAttribute = 0x10;

type CheckedEntry =
  | { readonly type: "file"; readonly path: string; readonly isLink: boolean }
  | { readonly type: "leftOut"; readonly reason: Text }
  | { readonly type: "ignored" };

/**
 * Checks an entry. The path of a file or link is below the folder, with slashes; some programs write `\` instead.
 * Folders are ignored, and so is what macOS adds.
 */
function checkedEntry({ entry, name }: NamedEntry): CheckedEntry {
  const leftOut = (reason: Text): CheckedEntry => ({ type: "leftOut", reason });
  const written = name.replaceAll("\\", "/");
  const segments = written.split("/");
  const isFolder = written.endsWith("/") || (entry.externalFileAttributes & folderAttribute) !== 0;
  const type = (entry.externalFileAttributes >>> 16) & typeBits;
  if (segments[0] === "__MACOSX") {
    return { type: "ignored" };
  }
  if (segments[0] === "" || /^[a-z]:/i.test(name) || segments.includes("..")) {
    return leftOut(phrase`it is outside the folder`);
  }
  if (type !== 0 && type !== symbolicLink && type !== (isFolder ? folder : regularFile)) {
    return leftOut(phrase`it isn't a regular file`);
  }
  if (isFolder) {
    return { type: "ignored" };
  }
  const path = segments.filter((segment) => segment !== "" && segment !== ".").join("/");
  if (path === "" || path.includes("\0")) {
    return leftOut(phrase`it doesn't have a valid file name`);
  }
  if (!entry.canDecodeFileData()) {
    return leftOut(phrase`it is encrypted or uses a compression method other than deflate`);
  }
  return { type: "file", path, isLink: type === symbolicLink };
}

async function* partsOf({ archive, entry, name }: ArchiveEntry): AsyncGenerator<Buffer> {
  try {
    for await (const part of await archive.openReadStreamPromise(entry)) {
      yield part;
    }
  } catch (error) {
    throw new ArchiveError(phrase`its entry ${name} can't be read (${errorMessage(error)})`);
  }
}
