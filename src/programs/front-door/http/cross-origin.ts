import type { IncomingMessage } from "node:http";
import type { HttpExchange } from "./http-exchange.ts";

/** Headers of answers that a page of an allowed origin may read. */
const exposed = "WWW-Authenticate, Retry-After, X-Request-Id, MCP-Protocol-Version, Mcp-Session-Id";
/** Headers of requests that a page may send: those of the protocol and the token. */
const allowedHeader = /^(?:authorization|accept|content-type|last-event-id|mcp-[a-z0-9-]{1,64})$/;
const preflightSeconds = "600";

/** True for the question of a browser whether a page may send a request of that method. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** Lets the page read the answer whose Origin has been checked; nothing where the request comes from no page. */
export function allowOrigin({ request, response }: HttpExchange): void {
  const { origin } = request.headers;
  if (origin !== undefined) {
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", exposed);
    response.setHeader("vary", "Origin");
  }
}

/** Answers a preflight whose Origin has been checked and allowed. Pages send the token themselves: no cookie is allowed. */
export function answerPreflight({ request, response, requestId }: HttpExchange, methods: string): void {
  const asked = (request.headers["access-control-request-headers"] ?? "")
    .split(",")
    .map((one) => one.trim().toLowerCase());
  response
    .writeHead(204, {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": asked.filter((name) => allowedHeader.test(name)).join(", "),
      "access-control-max-age": preflightSeconds,
      "cache-control": "no-store",
      "x-request-id": requestId,
    })
    .end();
}
