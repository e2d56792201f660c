import { extname } from "node:path";

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

/** The media type by a name's extension, of the packed file for a compressed one; null when it is not known. */
export function mimeTypeOf(name: string): string | null {
  const extension = extname(name).toLowerCase();
  const bare = compressed.has(extension) ? name.slice(0, -extension.length) : name;
  return types[extname(bare).toLowerCase()] ?? null;
}

/** The `Content-Type` with which a file is sent as it is. */
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
