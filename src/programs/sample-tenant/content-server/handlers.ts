import { type HttpExchange, readBody, sendJson, sendNothing, sendTagged } from "../http.ts";
import { createIn, createUntitled, deleteAt, renameTo } from "./changes.ts";
import { createCheckpoint, deleteCheckpoint, listCheckpoints, restoreCheckpoint } from "./checkpoints.ts";
import type { ContentStore } from "./content-store.ts";
import { ContentError, quoted } from "./errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "./json.ts";
import type { ContentItem } from "./models.ts";
import { locate } from "./paths.ts";
import { readItem, readOptionsFrom } from "./read.ts";
import { saveAt } from "./save.ts";

/** A request to a workspace's content server that passed the token check. */
export interface ContentCall {
  readonly exchange: HttpExchange;
  readonly store: ContentStore;
  /** Path of the content server, with a slash at both ends. */
  readonly prefix: string;
  /** Decoded path parameters; a content path starts with a slash. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Reports a missing item in plain text with a JSON content type, as some servers do. */
  readonly plainText404: boolean;
}

export type ContentHandler = (call: ContentCall) => Promise<void>;

/** The content server's handlers for the operations of API description, 4.2. */
export const contentHandlers = {
  "contents.get": async (call) => {
    const { exchange, store } = call;
    const path = parameter(call, "path");
    const options = readOptionsFrom(exchange.query);
    locate(store.root, path);
    try {
      const item = await readItem(store, path, options);
      sendTagged(exchange, JSON.stringify(item), { "last-modified": httpDate(item) });
    } catch (error) {
      if (!(error instanceof ContentError) || error.status !== 404 || !call.plainText404) {
        throw error;
      }
      sendJson(exchange, 404, `file or directory ${quoted(path)} does not exist`);
    }
  },
  "contents.create": async (call) => {
    const path = parameter(call, "parentPath");
    const body = await bodyOf(call.exchange);
    const item = await call.store.change(() => createIn(call.store, path, objectOf(body ?? {})));
    sendItem(call, 201, item);
  },
  "contents.update": async (call) => {
    const path = parameter(call, "path");
    const body = await bodyOf(call.exchange);
    if (body === undefined || body === null || (isJsonObject(body) && Object.keys(body).length === 0)) {
      sendItem(call, 201, await call.store.change(() => createUntitled(call.store, path)));
      return;
    }
    const { item, created } = await call.store.change(() => saveAt(call.store, path, objectOf(body)));
    sendItem(call, created ? 201 : 200, item);
  },
  "contents.rename": async (call) => {
    const path = parameter(call, "oldPath");
    const body = await bodyOf(call.exchange);
    if (body === undefined || body === null) {
      throw new ContentError(400, "JSON body missing");
    }
    const item = await call.store.change(() => renameTo(call.store, path, objectOf(body)));
    sendItem(call, 200, item);
  },
  "contents.delete": async (call) => {
    await call.store.change(() => deleteAt(call.store, parameter(call, "path")));
    sendNothing(call.exchange, 204);
  },
  "contents.checkpoints.list": async (call) => {
    const list = await call.store.change(() => listCheckpoints(call.store, parameter(call, "path")));
    sendTagged(call.exchange, JSON.stringify(list));
  },
  "contents.checkpoints.create": async (call) => {
    const path = parameter(call, "path");
    const checkpoint = await call.store.change(() => createCheckpoint(call.store, path));
    const location = `${locationOf(call, path)}/checkpoints/${checkpoint.id}`;
    sendJson(call.exchange, 201, JSON.stringify(checkpoint), { location });
  },
  "contents.checkpoints.restore": async (call) => {
    const id = parameter(call, "checkpointId");
    await call.store.change(() => restoreCheckpoint(call.store, parameter(call, "path"), id));
    sendNothing(call.exchange, 204);
  },
  "contents.checkpoints.delete": async (call) => {
    const id = parameter(call, "checkpointId");
    await call.store.change(() => deleteCheckpoint(call.store, parameter(call, "path"), id));
    sendNothing(call.exchange, 204);
  },
} satisfies Readonly<Record<string, ContentHandler>>;

/** Reports a failure like a content server: with its own message, or only as unhandled. */
export function sendContentError(exchange: HttpExchange, error: unknown): void {
  const failure =
    error instanceof ContentError
      ? { status: error.status, body: { message: error.message, reason: error.reason } }
      : { status: 500, body: { message: "Unhandled error", reason: null, traceback: "" } };
  sendJson(exchange, failure.status, JSON.stringify(failure.body));
}

/** A path parameter; empty if the path doesn't have it. */
export function parameter(call: ContentCall, name: string): string {
  return call.parameters.get(name) ?? "";
}

/** The JSON body of a request; undefined without one. Throws a ContentError 400. */
export async function bodyOf(exchange: HttpExchange): Promise<JsonValue | undefined> {
  const text = (await readBody(exchange.request)).toString("utf8").trim();
  if (text === "") {
    return undefined;
  }
  try {
    return parseJson(text);
  } catch {
    throw new ContentError(400, "Invalid JSON in body of request");
  }
}

/** The body as an object; throws for anything else. */
export function objectOf(body: JsonValue): JsonObject {
  if (!isJsonObject(body)) {
    throw new TypeError("The body is not an object");
  }
  return body;
}

function httpDate(item: ContentItem): string {
  return new Date(item.last_modified).toUTCString();
}

function locationOf(call: ContentCall, path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  return [`${call.prefix}api/contents`, ...segments.map(encodeURIComponent)].join("/");
}

function sendItem(call: ContentCall, status: number, item: ContentItem): void {
  sendJson(call.exchange, status, JSON.stringify(item), {
    location: locationOf(call, item.path),
    "last-modified": httpDate(item),
  });
}
