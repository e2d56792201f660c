import type { IncomingMessage } from "node:http";
import type { HttpExchange } from "./http-exchange.ts";

/** Response headers that a page of an allowed origin can read. */
const exposed = "WWW-Authenticate, Retry-After, X-Request-Id, MCP-Protocol-Version, Mcp-Session-Id";
/** Request headers that a page can send: the token, and those of the protocol. */
const allowedHeader = /^(?:authorization|accept|content-type|last-event-id|mcp-[a-z0-9-]{1,64})$/;
const preflightSeconds = "600";

/** True for a CORS preflight request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** Allows the page to read the response. The Origin must be checked before. Does nothing without an Origin. */
export function allowOrigin({ request, response }: HttpExchange): void {
  const { origin } = request.headers;
  if (origin !== undefined) {
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", exposed);
    response.setHeader("vary", "Origin");
  }
}

/**
 * Responds to a preflight request. The Origin must be checked before. Does not allow cookies, because pages send the
 * token in a header.
 */
export function respondToPreflight({ request, response, requestId }: HttpExchange, methods: string): void {
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
