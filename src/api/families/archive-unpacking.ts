import { mkdir, open, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import JSZip from "jszip";

/** How much an archive may bring. */
export interface UnpackLimits {
  /** Bytes of all files together, and of the archive itself. */
  readonly bytes: number;
  /** Files and folders. */
  readonly entries: number;
}

/** Why an archive is not unpacked. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** What was unpacked. */
export interface Unpacked {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Unpacks a ZIP archive into an empty folder. Every entry is judged before the first is written: one that leaves the
 * folder, a link, a name that stands twice, and more than the limits are refused with an ArchiveError. What was written
 * until an error is the caller's to remove.
 */
export async function unpackArchive(
  archive: string,
  directory: string,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<Unpacked> {
  const { size } = await stat(archive);
  if (size > limits.bytes) {
    throw new ArchiveError(`it has ${size} bytes, and ${limits.bytes} are allowed`);
  }
  const files = await filesOf(await readFile(archive), limits);
  const room = roomFor(limits);
  for (const [path, entry] of files) {
    const place = join(directory, ...path.split("/"));
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
  return { files: files.size, bytes: limits.bytes - room.left };
}

/**
 * The files of an archive in memory by their paths, in the order of the paths: nothing is written anywhere. Judged as
 * `unpackArchive` does, with the same ArchiveError.
 */
export async function readArchive(
  content: Uint8Array,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const room = roomFor(limits);
  for (const [path, entry] of inOrder(await filesOf(content, limits))) {
    files.set(path, await contentWithin(room, entry, signal));
  }
  return files;
}

/**
 * The files of an archive with the bytes that each really has, in the order of their paths: counted while they unpack, and
 * not kept. Judged as `unpackArchive` does, with the same ArchiveError.
 */
export async function measureArchive(
  content: Uint8Array,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<readonly { readonly path: string; readonly size: number }[]> {
  const sizes: { readonly path: string; readonly size: number }[] = [];
  const room = roomFor(limits);
  for (const [path, entry] of inOrder(await filesOf(content, limits))) {
    const before = room.left;
    for await (const _ of partsWithin(room, entry, signal));
    sizes.push({ path, size: before - room.left });
  }
  return sizes;
}

/** One file of an archive, judged by its limits alone; undefined where the archive has no file at that path. */
export async function readArchiveFile(
  content: Uint8Array,
  path: string,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const entry = (await filesOf(content, limits)).get(path);
  if (entry === undefined) {
    return undefined;
  }
  const room = roomFor(limits, path);
  return contentWithin(room, entry, signal);
}

/** How many bytes may come yet, and how it reads when more do. */
interface Room {
  left: number;
  readonly full: ArchiveError;
}

function roomFor({ bytes }: UnpackLimits, path?: string): Room {
  const reason =
    path === undefined
      ? `its files have more than ${bytes} bytes together`
      : `its entry ${path} has more than ${bytes} bytes`;
  return { left: bytes, full: new ArchiveError(reason) };
}

/** What an entry really holds, counted while it unpacks: its own word on its size is not trusted. */
async function* partsWithin(
  room: Room,
  entry: JSZip.JSZipObject,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for await (const part of partsOf(entry)) {
    signal?.throwIfAborted();
    room.left -= part.byteLength;
    if (room.left < 0) {
      throw room.full;
    }
    yield part;
  }
}

async function contentWithin(room: Room, entry: JSZip.JSZipObject, signal: AbortSignal | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of partsWithin(room, entry, signal)) {
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function inOrder<Entry>(files: ReadonlyMap<string, Entry>): readonly (readonly [string, Entry])[] {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The files of an archive by the path that each is to have within the folder. */
async function filesOf(content: Uint8Array, limits: UnpackLimits): Promise<ReadonlyMap<string, JSZip.JSZipObject>> {
  const zip = await JSZip.loadAsync(content).catch((error: unknown) => {
    throw new ArchiveError(`it is no ZIP archive that can be read (${messageOf(error)})`);
  });
  const entries = Object.values(zip.files);
  if (entries.length > limits.entries) {
    throw new ArchiveError(`it has ${entries.length} entries, and ${limits.entries} are allowed`);
  }
  const files = new Map<string, JSZip.JSZipObject>();
  const taken = new Set<string>();
  for (const entry of entries) {
    refuseSpecial(entry);
    if (!entry.dir) {
      const path = pathWithin(entry.unsafeOriginalName ?? entry.name);
      // Many file systems know no difference between these.
      const same = path.normalize("NFC").toLowerCase();
      if (taken.has(same)) {
        throw new ArchiveError(`it has two entries with the name ${path}`);
      }
      taken.add(same);
      files.set(path, entry);
    }
  }
  return files;
}

const typeBits = 0o170000;
const regularFile = 0o100000;
const folder = 0o040000;

function refuseSpecial(entry: JSZip.JSZipObject): void {
  const type = Number(entry.unixPermissions ?? 0) & typeBits;
  if (type !== 0 && type !== (entry.dir ? folder : regularFile)) {
    throw new ArchiveError(`its entry ${entry.unsafeOriginalName ?? entry.name} is a link or no usual file`);
  }
}

/** The path of an entry below the folder; some programs write `\` for `/`. Throws an ArchiveError for one that leaves it. */
function pathWithin(name: string): string {
  const segments = name.replaceAll("\\", "/").split("/");
  const leaves =
    segments[0] === "" || /^[a-z]:/i.test(name) || segments.includes("..") || (name.includes(":") && isWindows);
  if (leaves) {
    throw new ArchiveError(`its entry ${name} leaves the folder`);
  }
  const path = segments.filter((segment) => segment !== "" && segment !== ".").join("/");
  if (path === "" || path.includes("\0")) {
    throw new ArchiveError(`its entry ${JSON.stringify(name)} has no name that a file can have`);
  }
  return path;
}

const isWindows = process.platform === "win32";

async function* partsOf(entry: JSZip.JSZipObject): AsyncGenerator<Buffer> {
  try {
    for await (const part of new Readable({ objectMode: true }).wrap(entry.nodeStream("nodebuffer"))) {
      yield part;
    }
  } catch (error) {
    throw new ArchiveError(`its entry ${entry.name} cannot be read (${messageOf(error)})`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
