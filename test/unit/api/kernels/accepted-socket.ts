import { createHash } from "node:crypto";
import { type Duplex, duplexPair } from "node:stream";
import type { SocketRequest } from "../../../../src/api/http/dispatch.ts";

/** A socket as a server opens it: the answer to the request, and the server's end of the stream. */
interface AcceptedSocket {
  readonly response: { readonly type: "opened"; readonly headers: Record<string, string>; readonly stream: Duplex };
  readonly own: Duplex;
}

/** Accepts a request for a WebSocket. */
export function acceptedSocket({ headers }: SocketRequest): AcceptedSocket {
  const [own, stream] = duplexPair();
  const key = headers["sec-websocket-key"] ?? "";
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return { response: { type: "opened", headers: { "sec-websocket-accept": accept }, stream }, own };
}
