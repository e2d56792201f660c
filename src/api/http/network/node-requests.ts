import { type ClientRequest, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Dispatcher, DispatchRequest, DispatchResponse, SocketRequest, SocketResponse } from "../dispatch.ts";
import { maxErrorBytes } from "../response-limits.ts";
import { flattened, receiveResponse } from "./response-body.ts";

/**
 * Sends requests with Node's own modules. In the editor's extension host, these go through its network layer, which
 * signs in at proxies as the editor itself does. It opens a new connection through the proxy for each request.
 */
export function createNodeRequests({
  strictCertificates,
}: {
  readonly strictCertificates: boolean;
}): Required<Pick<Dispatcher, "dispatch" | "openSocket">> {
  const begin = (
    { origin, path, headers, signal, idleLimit }: SocketRequest,
    method: string,
    more: OutgoingHttpHeaders,
  ): ClientRequest => {
    const url = new URL(origin);
    const isSecure = url.protocol === "https:";
    const outgoing = (isSecure ? httpsRequest : httpRequest)({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      path,
      method,
      signal,
      ...(url.port === "" ? {} : { port: url.port }),
      ...(isSecure && !strictCertificates ? { rejectUnauthorized: false } : {}),
      headers: { ...headers, ...more },
    });
    return outgoing.setTimeout(idleLimit, () => outgoing.destroy(new IdleTimeoutError()));
  };
  return {
    dispatch: (exchange) =>
      new Promise<DispatchResponse>((resolve, reject) => {
        const outgoing = begin(exchange, exchange.method, {});
        outgoing.once("error", reject);
        outgoing.once("response", (incoming) => received(incoming, exchange).then(resolve, reject));
        outgoing.end(exchange.body);
      }),
    openSocket: (socketRequest) =>
      new Promise<SocketResponse>((resolve, reject) => {
        const outgoing = begin(socketRequest, "GET", { connection: "Upgrade", upgrade: "websocket" });
        outgoing.once("error", reject);
        outgoing.once("response", (incoming) => refused(incoming).then(resolve, reject));
        outgoing.once("upgrade", (incoming: IncomingMessage, stream: Duplex, head: Buffer) => {
          outgoing.setTimeout(0);
          // The reader of the stream is notified of its end. An earlier error has no other listener.
          stream.on("error", () => {});
          if (head.length > 0) {
            stream.unshift(head);
          }
          resolve({ type: "opened", headers: flattened(incoming.headers), stream });
        });
        outgoing.end();
      }),
  };
}

/** No byte was received for the time that the request allows. It has the code of the usual HTTP library. */
class IdleTimeoutError extends Error {
  override readonly name = "IdleTimeoutError";
  readonly code = "UND_ERR_BODY_TIMEOUT";
}

async function received(incoming: IncomingMessage, exchange: DispatchRequest): Promise<DispatchResponse> {
  const discard = (): void => void incoming.on("error", () => {}).destroy();
  return await receiveResponse(
    { status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming, discard },
    exchange,
  );
}

async function refused(incoming: IncomingMessage): Promise<SocketResponse> {
  const status = incoming.statusCode ?? 0;
  const length = Number(incoming.headers["content-length"] ?? 0);
  const isSmall = Number.isSafeInteger(length) && length <= maxErrorBytes;
  const body = isSmall ? await buffer(limited(incoming)) : Buffer.alloc(0);
  incoming.destroy();
  return { type: "refused", response: { status, headers: flattened(incoming.headers), body } };
}

/** The beginning of a body, which is enough for an error. */
async function* limited(incoming: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let bytes = 0;
  for await (const part of incoming) {
    bytes += part.byteLength;
    if (bytes > maxErrorBytes) {
      return;
    }
    yield part;
  }
}
