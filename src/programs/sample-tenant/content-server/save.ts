import { appendFile, mkdir, realpath } from "node:fs/promises";
import { createCheckpoint, listCheckpoints } from "./checkpoints.ts";
import type { ContentStore } from "./content-store.ts";
import { ContentError, describeSystemError, quoted, systemError } from "./errors.ts";
import { type JsonObject, type JsonValue, numberOf } from "./json.ts";
import type { ContentItem } from "./models.ts";
import { emptyNotebook, fingerprintOf, isHarmless, type Notebook, notebookFrom, notebookText } from "./notebook.ts";
import { isHidden, kindAt, locate, trimmed } from "./paths.ts";
import { readItem } from "./read.ts";

/** The result of a save: `created` selects 201 or 200. */
interface Saved {
  readonly item: ContentItem;
  readonly created: boolean;
}

/** Saves an item at a path (API description, 4.2). Must run within `change` of the store. */
export async function saveAt(store: ContentStore, path: string, body: JsonObject): Promise<Saved> {
  if (body.copy_from) {
    throw new ContentError(400, "Cannot copy with PUT, only POST");
  }
  const bodyPath = typeof body.path === "string" && body.path !== "" ? body.path : undefined;
  if ((bodyPath !== undefined && isHidden(store.root, bodyPath)) || isHidden(store.root, path)) {
    throw new ContentError(400, `Cannot create file or directory ${quoted(path)}`);
  }
  const exists = kindAt(locate(store.root, path)) === "file";
  const model: JsonObject = { ...body, ...(isUnknownType(body.type) ? { type: "file" } : {}) };
  return exists
    ? { item: await saveModel(store, path, model), created: false }
    : { item: await saveNew(store, path, model), created: true };
}

/** Creates an item, with defaults for members that the model doesn't specify. */
export async function saveNew(store: ContentStore, path: string, given: JsonObject): Promise<ContentItem> {
  const model: JsonObject = { ...given };
  model.type ??= trimmed(path).endsWith(".ipynb") ? "notebook" : "file";
  if (model.content === undefined && model.type === "notebook") {
    model.content = emptyNotebook().content;
  } else if (model.content === undefined && model.type !== "directory") {
    Object.assign(model, { type: "file", format: "text", content: "" });
  }
  return await saveModel(store, path, model);
}

async function saveModel(store: ContentStore, givenPath: string, model: JsonObject): Promise<ContentItem> {
  const path = trimmed(givenPath);
  const { type, content } = model;
  const chunk = numberOf(model.chunk);
  if (type === undefined) {
    throw new ContentError(400, "No file type provided");
  }
  if (chunk !== undefined && type !== "file") {
    throw new ContentError(400, `File type "${String(type)}" is not supported for large file transfer`);
  }
  if (content === undefined && type !== "directory") {
    throw new ContentError(400, "No file content provided");
  }
  const location = locate(store.root, path);
  let problem: string | undefined;
  try {
    if (type === "notebook") {
      problem = await saveNotebook(store, path, location, content ?? null);
    } else if (type === "directory") {
      await saveDirectory(location);
    } else {
      await saveFile(store, location, bytesOf(location, content, model.format), chunk);
    }
  } catch (error) {
    if (error instanceof ContentError) {
      throw error;
    }
    throw new ContentError(500, `Unexpected error while saving file: ${path} ${describeSystemError(error, location)}`);
  }
  const item = await readItem(store, path, { content: false });
  return problem === undefined ? item : { ...item, message: problem };
}

async function saveNotebook(
  store: ContentStore,
  path: string,
  location: string,
  content: JsonValue,
): Promise<string | undefined> {
  const notebook: Notebook = notebookFrom(content);
  if (isHarmless(notebook)) {
    store.trusted.add(fingerprintOf(notebook));
  }
  await store.write(location, Buffer.from(notebookText(notebook)));
  if ((await listCheckpoints(store, path)).length === 0) {
    await createCheckpoint(store, path);
  }
  return notebook.problem;
}

async function saveDirectory(location: string): Promise<void> {
  const kind = kindAt(location);
  if (kind === "file") {
    throw new ContentError(400, `Not a directory: ${location}`);
  }
  if (kind === "nothing") {
    await mkdir(location);
  }
}

/** Later chunks are appended to the file; anything else replaces the file. */
async function saveFile(
  store: ContentStore,
  location: string,
  bytes: Buffer,
  chunk: number | undefined,
): Promise<void> {
  if (chunk === undefined || chunk === 1) {
    await store.write(location, bytes);
    return;
  }
  if (kindAt(location) === "directory") {
    throw systemError("EISDIR");
  }
  await appendFile(await realpath(location).catch(() => location), bytes);
}

function bytesOf(location: string, content: JsonValue | undefined, format: JsonValue | undefined): Buffer {
  if (format !== "text" && format !== "base64") {
    throw new ContentError(400, "Must specify format of file contents as 'text' or 'base64'");
  }
  const refused = (why: string): ContentError => new ContentError(400, `Encoding error saving ${location}: ${why}`);
  if (typeof content !== "string") {
    throw refused("the content is not a text");
  }
  if (format === "text") {
    if (!content.isWellFormed()) {
      throw refused("'utf-8' codec can't encode a lone surrogate: surrogates not allowed");
    }
    return Buffer.from(content);
  }
  return decodeBase64(content, refused);
}

/** Skips characters that are not base64, as a content server does. Such text can result in an empty file. */
function decodeBase64(text: string, refused: (why: string) => ContentError): Buffer {
  if (!/^\p{ASCII}*$/u.test(text)) {
    throw refused("'ascii' codec can't encode characters: ordinal not in range(128)");
  }
  const cleaned = text.replace(/[^A-Za-z0-9+/=]/g, "");
  const head = cleaned.indexOf("=") < 0 ? cleaned : cleaned.slice(0, cleaned.indexOf("="));
  let letters = head;
  let padding = 0;
  for (const sign of cleaned.slice(head.length)) {
    padding = sign === "=" ? padding + 1 : 0;
    const open = letters.length % 4;
    if (sign !== "=") {
      letters += sign;
    } else if (open >= 2 && open + padding >= 4) {
      return Buffer.from(letters, "base64");
    }
  }
  const open = letters.length % 4;
  if (open === 1) {
    throw refused(
      `Invalid base64-encoded string: number of data characters (${letters.length}) cannot be 1 more than a multiple of 4`,
    );
  }
  if (open !== 0) {
    throw refused("Incorrect padding");
  }
  return Buffer.from(letters, "base64");
}

function isUnknownType(type: JsonValue | undefined): boolean {
  return type !== undefined && type !== null && !["", "directory", "file", "notebook"].includes(String(type));
}
