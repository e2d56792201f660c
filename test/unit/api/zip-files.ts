import JSZip from "jszip";

/** An entry of a made-up archive; `mode` is a Unix mode with the bits of the file type. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly mode?: number;
}

/** A ZIP archive with exactly these names, whatever they are. */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new JSZip();
  for (const { name, content = "x", mode } of entries) {
    const options = mode === undefined ? {} : { unixPermissions: mode };
    zip.file(name, content, { createFolders: false, ...options });
  }
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE", platform: "UNIX" });
}

/** The archive with a name replaced by another of the same length, as no honest program writes it. */
export function renamedIn(archive: Buffer, from: string, to: string): Buffer {
  const changed = Buffer.from(archive);
  for (let at = changed.indexOf(from); at >= 0; at = changed.indexOf(from, at + 1)) {
    changed.write(to, at);
  }
  return changed;
}

/** The archive with another size in its directory than its only file really has. */
export function withDeclaredSize(archive: Buffer, size: number): Buffer {
  const changed = Buffer.from(archive);
  const directory = changed.indexOf(Buffer.from("504b0102", "hex"));
  changed.writeUInt32LE(size, directory + 24);
  return changed;
}
