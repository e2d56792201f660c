import type { IncomingMessage, ServerResponse } from "node:http";
import { challengeOf, publicAnswers, type Refusal } from "./rejections.ts";

/** One request and the response to it, with the id that binds them to the log. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** Milliseconds. */
const patience = 2000;

/** Answers with JSON. Nothing of it may be kept by anybody between. */
export function sendJson(
  { response, requestId, request }: Exchange,
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
  }, patience);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => clearTimeout(timer));
}

/** Of the codes that JSON-RPC leaves to servers. */
const serverRefuses = -32_001;

/** Answers with the public side of a refusal, in the form of the protocol so that its clients show the message. */
export function sendRefusal(exchange: Exchange, refusal: Refusal, metadataUrl?: string): void {
  const { status, code, message } = publicAnswers[refusal.refusal];
  const challenge = challengeOf(refusal, metadataUrl);
  const headers = {
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...(refusal.refusal === "overLimit" ? { "retry-after": String(refusal.retryAfterSeconds) } : {}),
    ...(refusal.refusal === "unavailable" ? { "retry-after": "5" } : {}),
    ...(refusal.refusal === "methodNotAllowed" ? { allow: refusal.allowed } : {}),
  };
  const { requestId } = exchange;
  const error = { code: serverRefuses, message, data: { reason: code, requestId } };
  sendJson(exchange, status, JSON.stringify({ jsonrpc: "2.0", id: null, error }), headers);
}
