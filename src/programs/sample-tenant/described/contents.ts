import type { CatalogueOperation } from "../../../api/catalogue/operations/catalogue.ts";
import { createUntitled, deleteAt, renameTo } from "../content-server/changes.ts";
import { createCheckpoint, listCheckpoints } from "../content-server/checkpoints.ts";
import type { ContentStore } from "../content-server/content-store.ts";
import { ContentError } from "../content-server/errors.ts";
import { bodyOf, type ContentCall, type ContentHandler, objectOf, parameter } from "../content-server/handlers.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../content-server/json.ts";
import type { ContentItem } from "../content-server/models.ts";
import { kindAt, locate } from "../content-server/paths.ts";
import { readItem, readOptionsFrom } from "../content-server/read.ts";
import { saveAt } from "../content-server/save.ts";
import { sendJson, sendNothing } from "../http.ts";
import { type DescribedMode, describedQuery, isDescribed } from "./mode.ts";

/** The handlers of a content server that implements only section 4.2: no hash, no ETag, no binary content. */
const describedHandlers: Readonly<Partial<Record<CatalogueOperation["id"], ContentHandler>>> = {
  "contents.get": async (call) => {
    const { content } = readOptionsFrom(call.exchange.query);
    const path = parameter(call, "path");
    locate(call.store.root, path);
    send(call, 200, describedItem(await readDescribed(call.store, path, content)));
  },
  "contents.create": async (call) => {
    const { type, path } = objectOf((await bodyOf(call.exchange)) ?? {});
    if (typeof path !== "string" || !["notebook", "file", "directory"].includes(String(type))) {
      throw new ContentError(400, "type and path are required");
    }
    const parent = parameter(call, "parentPath");
    send(call, 201, describedItem(await call.store.change(() => createUntitled(call.store, parent, type))));
  },
  "contents.rename": async (call) => {
    const body = objectOf((await bodyOf(call.exchange)) ?? {});
    if (typeof body.path !== "string") {
      throw new ContentError(400, "path is required");
    }
    const item = await call.store.change(() => renameTo(call.store, parameter(call, "oldPath"), body));
    send(call, 200, describedItem(item));
  },
  "contents.update": async (call) => {
    const path = parameter(call, "path");
    const { type, format, content } = objectOf((await bodyOf(call.exchange)) ?? {});
    const isNotebook = type === "notebook" && format === "json" && isJsonObject(content);
    const isFile = type === "file" && format === "text" && typeof content === "string";
    if (!isNotebook && !isFile) {
      throw new ContentError(400, "type, format and content do not fit together");
    }
    const { item } = await call.store.change(async () => {
      if (kindAt(locate(call.store.root, path)) === "nothing") {
        throw new ContentError(404, `No such file or directory: ${path}`);
      }
      return await saveAt(call.store, path, { type, format, content });
    });
    send(call, 200, describedItem(item));
  },
  "contents.delete": async (call) => {
    await call.store.change(() => deleteAt(call.store, parameter(call, "path")));
    sendNothing(call.exchange, 204);
  },
  "contents.checkpoints.list": async (call) => {
    send(call, 200, [...(await call.store.change(() => listCheckpoints(call.store, parameter(call, "path"))))]);
  },
  "contents.checkpoints.create": async (call) => {
    send(call, 201, await call.store.change(() => createCheckpoint(call.store, parameter(call, "path"))));
  },
};

/** Reads an item. An invalid notebook is read as a file, because it couldn't be read otherwise. */
async function readDescribed(store: ContentStore, path: string, content: boolean): Promise<ContentItem> {
  try {
    return await readItem(store, path, { content, marksTrust: false });
  } catch (error) {
    if (error instanceof ContentError && error.status === 400 && path.endsWith(".ipynb")) {
      return await readItem(store, path, { content, type: "file" });
    }
    throw error;
  }
}

/** Handles a content operation like a server that implements only section 4.2. Throws a ContentError. */
export async function respondAsDescribed(
  operation: CatalogueOperation,
  call: ContentCall,
  mode: DescribedMode,
): Promise<void> {
  const handler = isDescribed(operation) ? describedHandlers[operation.id] : undefined;
  if (handler === undefined) {
    throw new ContentError(404, "Not Found");
  }
  const found = describedQuery(operation, call.exchange.query, mode);
  if ("refused" in found) {
    throw new ContentError(400, `Unknown query parameter ${found.refused}`);
  }
  await handler({ ...call, exchange: { ...call.exchange, query: found.query } });
}

/**
 * An item in the described shape (2.1): sizes are numbers, times have whole seconds, which the description allows, and
 * binary content is omitted because it has no described format.
 */
function describedItem(item: JsonObject): JsonObject {
  const { message: _, content = null, format = null, size = null, ...rest } = item;
  const isBinary = format === "base64";
  const times = Object.fromEntries(
    ["last_modified", "created"].map((name) => [name, String(item[name]).replace(/\.\d+Z$/, "Z")]),
  );
  return {
    ...rest,
    ...times,
    size: size ?? 0,
    format: isBinary ? null : format,
    content: isBinary ? null : isJsonArray(content) ? content.map(describedChild) : content,
  };
}

function describedChild(child: JsonValue): JsonValue {
  return isJsonObject(child) ? describedItem(child) : child;
}

function send(call: ContentCall, status: number, value: JsonValue): void {
  sendJson(call.exchange, status, JSON.stringify(value));
}
