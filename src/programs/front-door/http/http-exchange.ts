import type { IncomingMessage, ServerResponse } from "node:http";
import { challengeOf, publicResponses, type Rejection } from "./rejections.ts";

/** A request and its response, with the id that identifies them in the log. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** Milliseconds for which a client can continue to send a body that is not read. */
const unreadBodyMilliseconds = 2000;

/** Sends a JSON response that must not be cached. */
export function sendJson(
  { response, requestId, request }: HttpExchange,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const all: Record<string, string | number> = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    ...headers,
  };
  response.once("finish", () => endUnlessComplete(request));
  response.writeHead(status, all).end(text);
}

/** Briefly receives the rest of a body, so that the client can read the response before the connection closes. */
function endUnlessComplete(request: IncomingMessage): void {
  if (request.complete) {
    return;
  }
  const timer = setTimeout(() => {
    if (!request.complete) {
      request.destroy();
    }
  }, unreadBodyMilliseconds);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => clearTimeout(timer));
}

/** A code in JSON-RPC's range for server errors. */
const rejectedCode = -32_001;

/** Sends a rejection as a JSON-RPC error, so that protocol clients show its message. */
export function sendRejection(exchange: HttpExchange, rejection: Rejection, metadataUrl?: string): void {
  const { status, code, message } = publicResponses[rejection.rejection];
  const challenge = challengeOf(rejection, metadataUrl);
  const headers: Record<string, string> = {
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...(rejection.rejection === "overLimit" ? { "retry-after": String(rejection.retryAfterSeconds) } : {}),
    ...(rejection.rejection === "unavailable" ? { "retry-after": "5" } : {}),
    ...(rejection.rejection === "methodNotAllowed" ? { allow: rejection.allowed } : {}),
  };
  const { requestId } = exchange;
  const error = { code: rejectedCode, message, data: { reason: code, requestId } };
  sendJson(exchange, status, JSON.stringify({ jsonrpc: "2.0", id: null, error }), headers);
}
