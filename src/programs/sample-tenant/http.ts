import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http";

/** A request and the parts of its address. */
export interface Incoming {
  readonly request: IncomingMessage;
  /** The original, percent-encoded path. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** One request and the response to it. */
export interface HttpExchange extends Incoming {
  readonly response: ServerResponse;
}

/** Parses a request's address. */
export function incomingOf(request: IncomingMessage): Incoming {
  const target = request.url ?? "/";
  const at = target.indexOf("?");
  return {
    request,
    path: at < 0 ? target : target.slice(0, at),
    query: new URLSearchParams(at < 0 ? "" : target.slice(at + 1)),
  };
}

/** The original path and query of a request. */
export function targetOf(incoming: Incoming): string {
  return incoming.request.url ?? "/";
}

/** The body exceeds the server's limit. The connection is closed, after a bare status line at most. */
export class BodyTooLargeError extends Error {}

/** Maximum size of a request body in bytes: 512 MiB. */
const bodyLimit = 512 * 1024 * 1024;

/** The complete body of a request. Throws a BodyTooLargeError beyond the limit. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) {
    throw new BodyTooLargeError();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) {
      continue;
    }
    size += chunk.length;
    if (size > bodyLimit) {
      throw new BodyTooLargeError();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Sends a complete body with its length. */
export function send(
  exchange: HttpExchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Uint8Array | string,
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  exchange.response.writeHead(status, { ...headers, "content-length": bytes.byteLength });
  exchange.response.end(exchange.request.method === "HEAD" ? undefined : bytes);
}

/** Sends JSON text. */
export function sendJson(
  exchange: HttpExchange,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  send(exchange, status, { ...headers, "content-type": "application/json" }, text);
}

/** Sends JSON text with the hash of the body as its ETag, or 304 to a client that already has it. */
export function sendTagged(exchange: HttpExchange, text: string, headers: OutgoingHttpHeaders = {}): void {
  const tag = `"${createHash("sha1").update(text).digest("hex")}"`;
  const known = exchange.request.headers["if-none-match"]?.split(",").map((one) => one.trim().replace(/^W\//, ""));
  if (known !== undefined && (known.includes(tag) || known[0] === "*")) {
    exchange.response.writeHead(304, { ...headers, etag: tag });
    exchange.response.end();
    return;
  }
  sendJson(exchange, 200, text, { ...headers, etag: tag });
}

/** Sends a response without a body. */
export function sendNothing(exchange: HttpExchange, status: number, headers: OutgoingHttpHeaders = {}): void {
  exchange.response.writeHead(status, status === 204 ? headers : { ...headers, "content-length": 0 });
  exchange.response.end();
}

/** Sends a small page with a headline and a sentence. */
export function sendPage(
  exchange: HttpExchange,
  status: number,
  headline: string,
  sentence: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const page = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(headline)}</title></head>
<body><h1>${escapeHtml(headline)}</h1><p>${escapeHtml(sentence)}</p></body>
</html>
`;
  send(exchange, status, { ...headers, "content-type": "text/html" }, page);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/**
 * Milliseconds for which an idle connection stays open. Long, so that a connection isn't closed when a request arrives.
 */
const idleConnectionMs = 75_000;

/** Listens on 127.0.0.1, on a free port for 0. Returns the server's address without a trailing slash. */
export async function listenOnLoopback(server: Server, port: number): Promise<string> {
  server.keepAliveTimeout = idleConnectionMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The sample tenant isn't listening on a port.");
  }
  return `http://127.0.0.1:${address.port}`;
}

/** Closes a server and every connection to it. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
