import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A message that never becomes a request, because it is not HTTP, too large, too slow, or not supported. */
export interface MalformedRequest {
  readonly client: string;
  /** Undefined if no response was sent. */
  readonly status: number | undefined;
  /** A code of Node, such as `HPE_INVALID_METHOD`. Contains nothing of the message. */
  readonly reason: string;
}

/** Why a request ended whose body is malformed or too slow, with the status that was sent instead of its response. */
type MalformedBody = Pick<MalformedRequest, "status" | "reason">;

const malformedBodies = new WeakMap<ServerResponse, MalformedBody>();

/** Undefined unless the request of the response had a malformed body. */
export function malformedBodyOf(response: ServerResponse): MalformedBody | undefined {
  return malformedBodies.get(response);
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
};

/** The status for a code of Node, if it is not 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Milliseconds for which a client can read what was sent before its connection is closed. */
const unreadMs = 2000;

/**
 * Rejects messages for which the server would emit no request, as Node does by default, and reports each of them once.
 * An error in the body of a request is not reported, because the request is: see `malformedBodyOf`.
 */
export function rejectMalformed(server: Server, onMalformed: (request: MalformedRequest) => void): void {
  const exchanges = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  const withoutHandshake = new WeakSet<Duplex>();
  const rejected = new WeakSet<Duplex>();
  const reject = (socket: Duplex, status: number, reason: string): void => {
    if (rejected.has(socket)) {
      socket.destroy();
      return;
    }
    rejected.add(socket);
    const last = exchanges.get(socket);
    const isBody = last?.request.complete === false;
    // Without a handshake, nothing can be sent. The client would take a status for the response to its last request.
    const canRespond = isBody ? !last.response.headersSent : last === undefined && !withoutHandshake.has(socket);
    const isSent = canRespond && socket.writable;
    if (isSent) {
      socket.write(`HTTP/1.1 ${status} ${phrases[status]}\r\nConnection: close\r\n\r\n`);
    }
    const problem = { status: isSent ? status : undefined, reason };
    if (isBody) {
      malformedBodies.set(last.response, problem);
    } else {
      onMalformed({ client: socket instanceof Socket ? (socket.remoteAddress ?? "") : "", ...problem });
    }
    if (socket instanceof Socket && !withoutHandshake.has(socket)) {
      // Sends what was written first, unless the client doesn't read it.
      socket.destroySoon();
      setTimeout(() => socket.destroy(), unreadMs).unref();
    } else {
      socket.destroy();
    }
  };
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    exchanges.set(request.socket, { request, response });
    response.once("close", () => {
      if (exchanges.get(request.socket)?.response === response) {
        exchanges.delete(request.socket);
      }
    });
  });
  // Before Node emits `clientError` for it.
  server.prependListener("tlsClientError", (_: Error, socket: Duplex) => withoutHandshake.add(socket));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const { code = "unknown" } = error;
    if (code === "ECONNRESET" || code === "EPIPE") {
      socket.destroy();
    } else {
      reject(socket, statuses[code] ?? 400, code);
    }
  });
  server.on("connect", (_, socket) => reject(socket, 405, "CONNECT"));
  server.on("checkExpectation", (request) => reject(request.socket, 417, "EXPECT"));
}
