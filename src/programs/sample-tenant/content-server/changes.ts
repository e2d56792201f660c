import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ContentStore } from "./content-store.ts";
import { ContentError, quoted } from "./errors.ts";
import type { JsonObject, JsonValue } from "./exact-json.ts";
import type { ContentItem } from "./models.ts";
import { childPath, freeName, isHidden, kindAt, locate, splitPath, trimmed } from "./paths.ts";
import { readItem } from "./read.ts";
import { saveNew } from "./save.ts";

/** Creates an item with a default name in a directory, or copies one (API description, 4.2). */
export async function createIn(store: ContentStore, path: string, body: JsonObject): Promise<ContentItem> {
  if ((await kindAt(locate(store.root, path))) === "file") {
    throw new ContentError(400, "Cannot POST to files, use PUT instead.");
  }
  if (typeof body.copy_from === "string" && body.copy_from !== "") {
    if ((await isHidden(store.root, path)) || (await isHidden(store.root, body.copy_from))) {
      throw new ContentError(400, `Cannot copy file or directory ${quoted(path)}`);
    }
    return await copyItem(store, trimmed(body.copy_from), trimmed(path));
  }
  return await createUntitled(store, path, body.type, body.ext);
}

/** Creates `Untitled.ipynb`, `untitled.py` or `Untitled Folder`, with a number when the name is taken. */
export async function createUntitled(
  store: ContentStore,
  givenPath: string,
  givenType?: JsonValue,
  givenExtension?: JsonValue,
): Promise<ContentItem> {
  const directory = trimmed(givenPath);
  if ((await kindAt(locate(store.root, directory))) !== "directory") {
    throw new ContentError(404, `No such directory: ${directory}`);
  }
  const extension = typeof givenExtension === "string" ? givenExtension : "";
  const type = untitledType(givenType, extension);
  const [name, insert] =
    type === "directory"
      ? ["Untitled Folder", " "]
      : [type === "notebook" ? "Untitled.ipynb" : `untitled${extension}`, ""];
  const free = await freeName(store.root, name, directory, insert);
  if (await isHidden(store.root, directory)) {
    throw new ContentError(404, `file or directory does not exist: '${childPath(directory, free)}'`);
  }
  return await saveNew(store, childPath(directory, free), { type });
}

function untitledType(type: JsonValue | undefined, extension: string): "directory" | "notebook" | "file" {
  if (type === "directory" || type === "notebook") {
    return type;
  }
  const unsaid = type === undefined || type === null || type === "";
  return unsaid && extension === ".ipynb" ? "notebook" : "file";
}

/** Into a directory the copy gets a free name (`name-Copy1.ext`), at a path that does not exist exactly that name. */
async function copyItem(store: ContentStore, from: string, to: string): Promise<ContentItem> {
  const source = await readItem(store, from, { content: true });
  const name = splitPath(from).name.replaceAll(/-Copy\d*\./g, ".");
  const intoDirectory = (await kindAt(locate(store.root, to))) === "directory";
  const free = intoDirectory ? await freeName(store.root, name, to, "-Copy") : name;
  if (source.type === "directory") {
    return await copyDirectory(store, from, to, childPath(to, free));
  }
  const target = intoDirectory ? childPath(to, free) : to;
  const { parent } = splitPath(target);
  if ((await kindAt(locate(store.root, parent))) !== "directory") {
    throw new ContentError(404, `No such parent directory: ${parent} to copy file in`);
  }
  return await saveNew(store, target, { type: source.type, format: source.format, content: source.content });
}

async function copyDirectory(store: ContentStore, from: string, to: string, target: string): Promise<ContentItem> {
  const place = locate(store.root, target);
  const refused = new ContentError(400, `Can't copy '${from}' into read-only Folder '${to}'`);
  if ((await kindAt(place)) !== "nothing") {
    throw refused;
  }
  const temporary = await store.temporaryPlace();
  try {
    await cp(locate(store.root, from), temporary, { recursive: true, preserveTimestamps: true });
    await mkdir(dirname(place), { recursive: true });
    await rename(temporary, place);
  } catch {
    await rm(temporary, { recursive: true, force: true });
    throw refused;
  }
  return await readItem(store, join(target), { content: false });
}
