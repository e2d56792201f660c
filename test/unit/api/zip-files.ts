import { crc32 } from "node:zlib";
import JSZip from "jszip";

/** An entry of a made-up archive; `mode` is a Unix mode with the bits of the file type. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly mode?: number;
}

/** A ZIP archive with exactly these names. */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new JSZip();
  for (const { name, content = "x", mode } of entries) {
    const options = mode === undefined ? {} : { unixPermissions: mode };
    zip.file(name, content, { createFolders: false, ...options });
  }
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE", platform: "UNIX" });
}

/** The archive with a name replaced by another of the same length, as no regular program writes it. */
export function renamedIn(archive: Buffer, from: string, to: string): Buffer {
  const changed = Buffer.from(archive);
  for (let at = changed.indexOf(from); at >= 0; at = changed.indexOf(from, at + 1)) {
    changed.write(to, at);
  }
  return changed;
}

/** The archive with another size in its directory than its only file has. */
export function withDeclaredSize(archive: Buffer, size: number): Buffer {
  const changed = Buffer.from(archive);
  const directory = changed.indexOf(Buffer.from("504b0102", "hex"));
  changed.writeUInt32LE(size, directory + 24);
  return changed;
}

/** An entry that is written byte by byte. */
export interface StoredEntry {
  readonly name: string | Uint8Array;
  readonly content?: string;
  /** General purpose flags. */
  readonly flags?: number;
  /** True for an entry that names the local header of the previous one. */
  readonly sharesHeader?: boolean;
  /** Bytes of extra fields in the directory. */
  readonly extra?: number;
}

/**
 * An uncompressed archive with these entries, which may include the same name twice. `claimed` is the number that it
 * claims.
 */
export function storedZip(entries: readonly StoredEntry[], claimed = entries.length % 65_536): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let size = 0;
  let header = 0;
  for (const { name, content = "x", flags = 0, sharesHeader = false, extra = 0 } of entries) {
    const rawName = Buffer.from(name);
    const data = Buffer.from(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.byteLength, 14);
    common.writeUInt32LE(data.byteLength, 18);
    common.writeUInt16LE(rawName.byteLength, 22);
    if (!sharesHeader) {
      header = size;
      const file = Buffer.concat([Buffer.from("504b0304", "hex"), common, rawName, data]);
      files.push(file);
      size += file.byteLength;
    }
    const place = Buffer.alloc(14);
    place.writeUInt32LE(header, 10);
    common.writeUInt16LE(extra, 24);
    directory.push(Buffer.from("504b01021400", "hex"), common, place, rawName, Buffer.alloc(extra));
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("504b0506", "hex");
  end.writeUInt16LE(claimed, 8);
  end.writeUInt16LE(claimed, 10);
  end.writeUInt32LE(directoryBytes.byteLength, 12);
  end.writeUInt32LE(size, 16);
  return Buffer.concat([...files, directoryBytes, end]);
}
