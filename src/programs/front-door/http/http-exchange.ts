import type { IncomingMessage, ServerResponse } from "node:http";
import { challengeOf, publicAnswers, type Rejection } from "./rejections.ts";

/** One request and the response to it, with the id that binds them to the log. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** Milliseconds that a client may go on sending a body that nobody reads. */
const unreadBodyMilliseconds = 2000;

/** Answers with JSON that no cache may store. */
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

/** Lets the rest of a body in for a moment, so that the client reads the answer before its connection ends. */
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

/** From the range that JSON-RPC leaves to servers. */
const rejectedCode = -32_001;

/** Answers with a rejection as a JSON-RPC error, so that clients of the protocol show its message. */
export function sendRejection(exchange: HttpExchange, rejection: Rejection, metadataUrl?: string): void {
  const { status, code, message } = publicAnswers[rejection.rejection];
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
