import { accessSync, constants, lstatSync } from "node:fs";
import { extname } from "node:path";
import type { JsonValue } from "./json.ts";
import { splitPath } from "./paths.ts";

/** A content item in a response (API description, 2.1); `size` in bytes. */
export type ContentModel = {
  name: string;
  path: string;
  last_modified: string;
  created: string;
  content: JsonValue;
  format: "json" | "text" | "base64" | null;
  mimetype: string | null;
  size: number | null;
  writable: boolean;
  hash: string | null;
  hash_algorithm: string | null;
  type: "notebook" | "file" | "directory";
};

/** An item with its type and, for a notebook, its validation error. */
export type ContentItem = ContentModel & { message?: string };

/** A checkpoint in a response (API description, 2.2). */
export type CheckpointModel = { id: string; last_modified: string };

/** Converts nanoseconds since 1970 to ISO 8601 UTC with microseconds, which are omitted if they are zero. */
export function timestamp(nanoseconds: bigint): string {
  const seconds = nanoseconds / 1_000_000_000n;
  const microseconds = (nanoseconds % 1_000_000_000n) / 1000n;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return microseconds === 0n ? `${whole}Z` : `${whole}.${microseconds.toString().padStart(6, "0")}Z`;
}

/** The fields of every item. `created` is the inode's change time, as content servers on Linux report it. */
export function baseModel(path: string, location: string): Omit<ContentModel, "type"> {
  const found = lstatSync(location, { bigint: true });
  return {
    name: splitPath(path).name,
    path,
    last_modified: timestamp(found.mtimeNs),
    created: timestamp(found.ctimeNs),
    content: null,
    format: null,
    mimetype: null,
    size: Number(found.size),
    writable: isWritable(location),
    hash: null,
    hash_algorithm: null,
  };
}

function isWritable(location: string): boolean {
  try {
    accessSync(location, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const types: Readonly<Record<string, string>> = {
  ".bin": "application/octet-stream",
  ".bmp": "image/bmp",
  ".css": "text/css",
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".htm": "text/html",
  ".html": "text/html",
  ".ico": "image/vnd.microsoft.icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mjs": "text/javascript",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".py": "text/x-python",
  ".pyc": "application/x-python-code",
  ".pyo": "application/x-python-code",
  ".sh": "application/x-sh",
  ".svg": "image/svg+xml",
  ".tar": "application/x-tar",
  ".tsv": "text/tab-separated-values",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".xml": "text/xml",
  ".zip": "application/zip",
};

const compressed = new Set([".gz", ".bz2", ".xz"]);

/** The media type for a name's extension; for a compressed file, that of the file inside. Null if unknown. */
export function mimeTypeOf(name: string): string | null {
  const extension = extname(name).toLowerCase();
  const bare = compressed.has(extension) ? name.slice(0, -extension.length) : name;
  return types[extname(bare).toLowerCase()] ?? null;
}

/** The `Content-Type` of a raw file. */
export function rawContentTypeOf(name: string): string {
  if (name.endsWith(".ipynb")) {
    return "application/x-ipynb+json";
  }
  const extension = extname(name).toLowerCase();
  if (extension === ".gz") {
    return "application/gzip";
  }
  if (compressed.has(extension)) {
    return "application/octet-stream";
  }
  const type = mimeTypeOf(name) ?? "application/octet-stream";
  return type === "text/plain" ? "text/plain; charset=UTF-8" : type;
}
