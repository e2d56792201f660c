import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A message that never becomes a request, because it is not HTTP, too large, too slow, or not supported. */
export interface MalformedRequest {
  readonly client: string;
  readonly status: number;
  /** A code of Node, such as `HPE_INVALID_METHOD`. Contains nothing of the message. */
  readonly reason: string;
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

/**
 * Rejects messages for which the server would emit no request, as Node does by default, and reports each of them once.
 * An error in the body of a request is not reported, because the request is.
 */
export function rejectMalformed(server: Server, onMalformed: (request: MalformedRequest) => void): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  const reject = (socket: Duplex, status: number, reason: string): void => {
    const response = responses.get(socket);
    if (socket.writable && response?.headersSent !== true) {
      socket.write(`HTTP/1.1 ${status} ${phrases[status]}\r\nConnection: close\r\n\r\n`);
    }
    if (response === undefined) {
      onMalformed({ client: socket instanceof Socket ? (socket.remoteAddress ?? "") : "", status, reason });
    }
    // Sends what was written first.
    if (socket instanceof Socket) {
      socket.destroySoon();
    } else {
      socket.destroy();
    }
  };
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response);
    response.once("close", () => {
      if (responses.get(request.socket) === response) {
        responses.delete(request.socket);
      }
    });
  });
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
