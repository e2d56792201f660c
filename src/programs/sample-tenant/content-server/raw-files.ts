import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { pipeline } from "node:stream/promises";
import { type HttpExchange, sendNothing, sendPage } from "../http.ts";
import type { ContentStore } from "./content-store.ts";
import { ContentError } from "./errors.ts";
import { rawContentTypeOf } from "./models.ts";
import { isHidden, kindAt, locate, splitPath, trimmed } from "./paths.ts";

type Range = { readonly start: number; readonly end: number };

/** Sends a file's bytes unchanged, or the requested range. */
export async function sendRawFile(exchange: HttpExchange, store: ContentStore, givenPath: string): Promise<void> {
  const { request, response, query } = exchange;
  const path = trimmed(givenPath);
  if (request.method !== "GET" && request.method !== "HEAD") {
    sendPage(exchange, 405, "405 : Method Not Allowed", "");
    return;
  }
  const location = await visiblePlace(exchange, store, path);
  if (location === undefined) {
    return;
  }
  const found = await stat(location);
  const modified = new Date(Math.floor(found.mtimeMs / 1000) * 1000);
  const { name } = splitPath(path);
  const asDownload = name.endsWith(".ipynb") || Boolean(query.get("download"));
  const headers: OutgoingHttpHeaders = {
    "accept-ranges": "bytes",
    "cache-control": "no-cache",
    "last-modified": modified.toUTCString(),
    ...(asDownload ? { "content-disposition": `attachment; filename*=utf-8''${encodeURIComponent(name)}` } : {}),
  };
  const since = Date.parse(request.headers["if-modified-since"] ?? "");
  if (since >= modified.getTime()) {
    sendNothing(exchange, 304, headers);
    return;
  }
  const range = rangeOf(request.headers.range, found.size);
  if (range === "unsatisfiable") {
    sendNothing(exchange, 416, { ...headers, "content-type": "text/plain", "content-range": `bytes */${found.size}` });
    return;
  }
  const { start, end } = range ?? { start: 0, end: found.size - 1 };
  response.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    "content-type": rawContentTypeOf(name),
    "content-length": end - start + 1,
    ...(range === undefined ? {} : { "content-range": `bytes ${start}-${end}/${found.size}` }),
  });
  if (request.method === "HEAD" || found.size === 0) {
    response.end();
    return;
  }
  await pipeline(createReadStream(location, { start, end }), response);
}

async function visiblePlace(exchange: HttpExchange, store: ContentStore, path: string): Promise<string | undefined> {
  try {
    const location = locate(store.root, path);
    const kind = isHidden(store.root, path) ? "nothing" : kindAt(location);
    if (kind === "file") {
      return location;
    }
    if (kind === "directory") {
      sendPage(exchange, 403, "403 : Forbidden", `${path} is not a file`);
    } else {
      sendPage(exchange, 404, "404 : Not Found", "You are requesting a page that does not exist!");
    }
  } catch (error) {
    if (!(error instanceof ContentError)) {
      throw error;
    }
    sendPage(exchange, 403, "403 : Forbidden", `${path} is not in root static directory`);
  }
  return undefined;
}

/**
 * The bytes that a `Range` header requests, both ends included; undefined if it requests the entire file or can't be
 * parsed.
 */
function rangeOf(header: string | undefined, size: number): Range | "unsatisfiable" | undefined {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  const [, first = "", last = ""] = parts ?? [];
  if (parts === null || (first === "" && last === "")) {
    return undefined;
  }
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || (first === "" && last === "0")) {
    return "unsatisfiable";
  }
  return end < start || (start === 0 && end === size - 1) ? undefined : { start, end };
}
