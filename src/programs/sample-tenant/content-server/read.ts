import { createHash } from "node:crypto";
import { type Dirent, lstatSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentStore } from "./content-store.ts";
import { ContentError } from "./errors.ts";
import { baseModel, type ContentItem, type ContentModel, mimeTypeOf } from "./models.ts";
import { fingerprintOf, NotebookError, parseNotebook, sentNotebook } from "./notebook.ts";
import { childPath, isHidden, isLeftOut, kindAt, locate, trimmed } from "./paths.ts";

/** The options of a read. */
interface ReadOptions {
  readonly content: boolean;
  readonly type?: "notebook" | "file" | "directory";
  readonly format?: "text" | "base64";
  readonly hash?: boolean;
  /** False to omit whether the outputs of cells are trusted. */
  readonly marksTrust?: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the options from a query. Throws a ContentError 400 for values that a content server rejects. */
export function readOptionsFrom(query: URLSearchParams): ReadOptions {
  const last = (name: string): string | undefined => query.getAll(name).at(-1)?.trim();
  const type = last("type");
  const format = last("format");
  const content = last("content") ?? "1";
  const hash = last("hash") ?? "0";
  if (format !== undefined && format !== "text" && format !== "base64") {
    throw new ContentError(400, `Format '${format}' is invalid`);
  }
  if (content !== "0" && content !== "1") {
    throw new ContentError(400, `Content '${content}' is invalid`);
  }
  if (hash !== "0" && hash !== "1") {
    throw new ContentError(400, `Hash argument '${hash}' is invalid. It must be '0' or '1'.`);
  }
  return {
    content: content === "1",
    hash: hash === "1",
    ...(type === undefined ? {} : { type: type === "directory" || type === "notebook" ? type : "file" }),
    ...(format === undefined ? {} : { format }),
  };
}

/** Reads an item (API description, 4.2). Throws a ContentError 404 or 400. */
export async function readItem(store: ContentStore, givenPath: string, options: ReadOptions): Promise<ContentItem> {
  const path = trimmed(givenPath);
  const location = locate(store.root, path);
  if (isHidden(store.root, path)) {
    throw new ContentError(404, `file or directory does not exist: '${path}'`);
  }
  if (lstatSync(location, { throwIfNoEntry: false }) === undefined) {
    throw new ContentError(404, `No such file or directory: ${path}`);
  }
  if (kindAt(location) === "directory") {
    if (options.type !== undefined && options.type !== "directory") {
      throw new ContentError(400, `${path} is a directory, not a ${options.type}`, { reason: "bad type" });
    }
    return await readDirectory(store, path, options);
  }
  if (options.type === "directory") {
    throw new ContentError(400, `${path} is not a directory`, { reason: "bad type" });
  }
  if (options.type === "notebook" || (options.type === undefined && path.endsWith(".ipynb"))) {
    return await readNotebook(store, path, options);
  }
  return await readPlainFile(store, path, options);
}

async function readDirectory(store: ContentStore, path: string, options: ReadOptions): Promise<ContentItem> {
  const location = locate(store.root, path);
  const model: ContentModel = { ...baseModel(path, location), type: "directory", size: null };
  if (options.content) {
    const entries = await readdir(location, { withFileTypes: true });
    const shown = entries.filter(
      (entry) =>
        (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()) &&
        !entry.name.startsWith(".") &&
        !isLeftOut(entry.name),
    );
    const children = shown.map((entry) => childModel(path, location, entry));
    model.content = children.filter((child) => child !== undefined);
    model.format = "json";
  }
  if (options.hash === true) {
    throw new ContentError(500, "Keys unexpectedly None: ['hash', 'hash_algorithm']");
  }
  return model;
}

/** A child without its content; undefined if it was deleted meanwhile. */
function childModel(parent: string, location: string, entry: Dirent): ContentModel | undefined {
  const { name } = entry;
  const place = join(location, name);
  const path = childPath(parent, name);
  try {
    const base = baseModel(path, place);
    // Only a link must be followed to learn its kind.
    const isDirectory = entry.isSymbolicLink() ? kindAt(place) === "directory" : entry.isDirectory();
    if (isDirectory) {
      return { ...base, type: "directory", size: null };
    }
    return name.endsWith(".ipynb")
      ? { ...base, type: "notebook" }
      : { ...base, type: "file", mimetype: mimeTypeOf(name) };
  } catch {
    return undefined;
  }
}

async function readNotebook(store: ContentStore, path: string, options: ReadOptions): Promise<ContentItem> {
  const location = locate(store.root, path);
  const model: ContentItem = { ...baseModel(path, location), type: "notebook" };
  const bytes = options.content || options.hash === true ? await readBytes(location) : undefined;
  if (options.content && bytes !== undefined) {
    const text = decode(bytes, location);
    try {
      const notebook = parseNotebook(text);
      model.content =
        options.marksTrust === false
          ? notebook.content
          : sentNotebook(notebook, store.trusted.has(fingerprintOf(notebook)));
      model.format = "json";
      if (notebook.problem !== undefined) {
        model.message = notebook.problem;
      }
    } catch (error) {
      if (error instanceof NotebookError) {
        throw new ContentError(400, `Unreadable Notebook: ${location} ${error.message}`);
      }
      throw error;
    }
  }
  return withHash(model, options, bytes);
}

async function readPlainFile(store: ContentStore, path: string, options: ReadOptions): Promise<ContentItem> {
  const location = locate(store.root, path);
  const model: ContentItem = { ...baseModel(path, location), type: "file", mimetype: mimeTypeOf(path) };
  const bytes = options.content || options.hash === true ? await readBytes(location) : undefined;
  if (options.content && bytes !== undefined) {
    const text = options.format === "base64" ? undefined : decodeOrNothing(bytes);
    if (text === undefined && options.format === "text") {
      decode(bytes, location);
    }
    model.content = text ?? base64Lines(bytes);
    model.format = text === undefined ? "base64" : "text";
    model.mimetype ??= text === undefined ? "application/octet-stream" : "text/plain";
  }
  return withHash(model, options, bytes);
}

function withHash(model: ContentItem, options: ReadOptions, bytes: Buffer | undefined): ContentItem {
  return options.hash === true && bytes !== undefined
    ? { ...model, hash: createHash("sha256").update(bytes).digest("hex"), hash_algorithm: "sha256" }
    : model;
}

async function readBytes(location: string): Promise<Buffer> {
  if (kindAt(location) !== "file") {
    throw new ContentError(400, `Cannot read non-file ${location}`);
  }
  return await readFile(location);
}

function decodeOrNothing(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer, location: string): string {
  const text = decodeOrNothing(bytes);
  if (text === undefined) {
    throw new ContentError(400, `${location} is not UTF-8 encoded`, { reason: "bad format" });
  }
  return text;
}

/** Base64 with a line break after every 76 characters and at the end. */
function base64Lines(bytes: Buffer): string {
  return bytes.toString("base64").replace(/.{1,76}/g, "$&\n");
}
