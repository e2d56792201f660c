import type { Duplex } from "node:stream";
import type { DispatchResponse, SocketRequest } from "../http/dispatch.ts";
import { socketHandshake } from "../http/web-socket.ts";
import { phrase, type Text } from "../phrase.ts";
import type { ContentClient } from "./client.ts";

/** The stream of an opened WebSocket with the protocol that the server chose, or why there is none. */
export type ServerSocket =
  | { readonly type: "accepted"; readonly stream: Duplex; readonly protocol: string | undefined }
  | { readonly type: "refused"; readonly response: DispatchResponse }
  | { readonly type: "failed"; readonly reason: Text };

interface ServerSocketRequest extends Pick<SocketRequest, "signal" | "idleLimit"> {
  /** The path on the content server, with its query. */
  readonly path: string;
  /** Subprotocols in order of preference. */
  readonly protocols: readonly string[];
}

/** Opens a WebSocket of a content server. Throws if the server doesn't respond. */
export async function openServerSocket(
  client: Pick<ContentClient, "openSocket">,
  { path, protocols, signal, idleLimit }: ServerSocketRequest,
): Promise<ServerSocket> {
  const handshake = socketHandshake(protocols);
  const response = await client.openSocket(path, { headers: handshake.headers, signal, idleLimit });
  if (response === undefined) {
    return { type: "failed", reason: phrase`WebSockets aren't available here` };
  }
  if (response.type === "refused") {
    return response;
  }
  const refusal = handshake.refusal(response.headers);
  if (refusal !== undefined || signal.aborted) {
    response.stream.destroy();
    return { type: "failed", reason: refusal ?? "" };
  }
  return { type: "accepted", stream: response.stream, protocol: response.headers["sec-websocket-protocol"] };
}
