import { type IncomingMessage, request as openRequest } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type HttpExchange, type Incoming, targetOf } from "./http.ts";
import { isSameToken, tokenIn } from "./tokens.ts";

/** The location of another content server: its address with the base path, and its token. */
export interface ContentServerAddress {
  readonly url: string;
  readonly token: string;
}

/** The target of a forwarded request. */
interface ProxyTarget {
  /** The path under which the tenant serves the workspace, with a slash at both ends. */
  readonly prefix: string;
  readonly address: ContentServerAddress;
  /** The tenant's token, which is replaced with the other server's token. Other tokens are forwarded unchanged. */
  readonly replacedToken: string;
}

/**
 * Forwards a request to another content server and streams its response back. Returns false if there was no response.
 */
export async function forward(exchange: HttpExchange, forwarding: ProxyTarget): Promise<boolean> {
  const { request, response } = exchange;
  try {
    const upstreamResponse = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = openForwarded(exchange, forwarding);
      outgoing.once("response", resolve);
      outgoing.once("error", reject);
      response.once("close", () => outgoing.destroy());
      request.pipe(outgoing);
    });
    const { location } = upstreamResponse.headers;
    const base = basePathOf(forwarding.address);
    const headers = location?.startsWith(base)
      ? { ...upstreamResponse.headers, location: forwarding.prefix + location.slice(base.length) }
      : upstreamResponse.headers;
    response.writeHead(upstreamResponse.statusCode ?? 502, headers);
    await pipeline(upstreamResponse, response);
    return true;
  } catch {
    if (response.headersSent) {
      response.destroy();
    }
    return response.headersSent;
  }
}

/** Forwards an upgraded connection (a WebSocket) to the other content server. */
export function forwardUpgrade(incoming: Incoming, forwarding: ProxyTarget, socket: Duplex, head: Buffer): void {
  const outgoing = openForwarded(incoming, forwarding);
  socket.on("error", () => outgoing.destroy());
  outgoing.once("error", () => socket.destroy());
  outgoing.once("response", () => socket.destroy());
  outgoing.once("upgrade", (upstreamResponse, upstream, upstreamHead) => {
    const lines = [`HTTP/1.1 ${upstreamResponse.statusCode} ${upstreamResponse.statusMessage}`];
    for (let index = 0; index < upstreamResponse.rawHeaders.length; index += 2) {
      lines.push(`${upstreamResponse.rawHeaders[index]}: ${upstreamResponse.rawHeaders[index + 1]}`);
    }
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.write(upstreamHead);
    upstream.write(head);
    upstream.on("error", () => socket.destroy());
    upstream.once("close", () => socket.destroy());
    socket.once("close", () => upstream.destroy());
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  outgoing.end();
}

function openForwarded(incoming: Incoming, forwarding: ProxyTarget): ReturnType<typeof openRequest> {
  const { request } = incoming;
  const base = new URL(forwarding.address.url);
  const rest = targetOf(incoming).slice(forwarding.prefix.length);
  const isOurs = isSameToken(tokenIn(incoming), forwarding.replacedToken);
  const target = isOurs ? rest.replace(/([?&])token=[^&]*&?/, "$1") : rest;
  return openRequest({
    host: base.hostname,
    port: base.port,
    method: request.method,
    path: basePathOf(forwarding.address) + target,
    headers: {
      ...request.headers,
      host: base.host,
      ...(isOurs ? { authorization: `token ${forwarding.address.token}` } : {}),
    },
  });
}

function basePathOf(address: ContentServerAddress): string {
  return new URL(address.url).pathname.replace(/\/?$/, "/");
}
