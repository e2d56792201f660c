import { type Exchange, sendNothing, sendPage, sendTagged, targetOf } from "../http.ts";
import { decodePath } from "../routes.ts";
import type { ContentStore } from "./content-store.ts";
import { ContentError } from "./errors.ts";
import { fingerprintOf, parseNotebook } from "./notebook.ts";
import { kindAt, locate } from "./paths.ts";
import { sendRawFile } from "./raw-files.ts";
import { readItem } from "./read.ts";

const version = "2.21.1";
const trustPath = /^api\/contents((?:\/[^/]+)+|\/?)\/trust$/;

/** True for a path that asks to trust a notebook, which no content path can be. */
export function isTrustRequest(path: string): boolean {
  return trustPath.test(path);
}

/** Answers what a content server knows besides the operations of the catalogue; anything else is 404. */
export async function answerOther(exchange: Exchange, store: ContentStore, prefix: string): Promise<void> {
  const { method } = exchange.request;
  const path = exchange.path.slice(prefix.length);
  const trust = trustPath.exec(path);
  if (path.startsWith("files/")) {
    await sendRawFile(exchange, store, decodePath(path.slice("files/".length)));
  } else if (trust !== null) {
    await trustNotebook(exchange, store, decodePath(trust[1] ?? ""));
  } else if (path === "api" && method === "GET") {
    sendTagged(exchange, JSON.stringify({ version }));
  } else if (path === "login") {
    sendNothing(exchange, 302, { location: prefix });
  } else if (path === "" || path === "lab") {
    sendPage(exchange, 200, "Content server", "A content server of the sample tenant is running here.");
  } else if (path.endsWith("/")) {
    answerTrailingSlash(exchange);
  } else {
    sendPage(exchange, 404, "404 : Not Found", "You are requesting a page that does not exist!");
  }
}

function answerTrailingSlash(exchange: Exchange): void {
  if (exchange.request.method === "GET" || exchange.request.method === "HEAD") {
    sendNothing(exchange, 302, { location: targetOf(exchange).replace(/\/+(?=\?|$)/, "") });
  } else {
    sendPage(exchange, 403, "403: Forbidden", "");
  }
}

async function trustNotebook(exchange: Exchange, store: ContentStore, path: string): Promise<void> {
  if (exchange.request.method !== "POST") {
    sendPage(exchange, 405, "405 : Method Not Allowed", "");
    return;
  }
  try {
    const location = locate(store.root, path);
    const item =
      (await kindAt(location)) === "file" ? await readItem(store, path, { content: true, type: "file" }) : undefined;
    if (typeof item?.content !== "string") {
      sendPage(exchange, 404, "404 : Not Found", "You are requesting a page that does not exist!");
      return;
    }
    store.trusted.add(fingerprintOf(parseNotebook(item.content)));
    sendNothing(exchange, 201);
  } catch (error) {
    const status = error instanceof ContentError && error.status === 404 ? 404 : 500;
    sendPage(exchange, status, status === 404 ? "404 : Not Found" : "500 : Internal Server Error", "");
  }
}
