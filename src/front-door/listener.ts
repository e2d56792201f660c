import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Configuration, ListenAddress } from "./configuration.ts";
import type { Exchange } from "./exchange.ts";

type Limits = Configuration["limits"];

/** What answers the requests that come to one address; it must not throw. */
export type Answer = (exchange: Exchange) => void;

export interface Listener {
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  /**
   * Every answer from now on ends its connection: a proxy then sends nothing more on it. To close a connection that looks
   * idle instead may cut a request that is on its way.
   */
  drain(): void;
  /** Takes no new connections, waits so many milliseconds for those that are busy, then cuts them. */
  close(grace: number, onGraceOver: () => void): Promise<void>;
}

/** How often limits of time are looked after, and how often connections that have become idle are closed at the end. */
const intervals = { timeLimits: 2000, idle: 50 };

/** Listens on one address, with TLS where there is a certificate; limits hold before a request is looked at. */
export async function listen(
  address: ListenAddress,
  tls: Configuration["tls"],
  limits: Limits,
  answer: Answer,
): Promise<Listener> {
  const options = {
    maxHeaderSize: limits.maximumHeaderBytes,
    headersTimeout: limits.headersMilliseconds,
    requestTimeout: limits.requestMilliseconds,
    connectionsCheckingInterval: intervals.timeLimits,
    // Longer than proxies keep idle connections, so that it is they who close them.
    keepAliveTimeout: 75_000,
    requireHostHeader: true,
  };
  let draining = false;
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection may break at any time; who waits for the response learns it from its `close`.
    request.on("error", () => {});
    response.on("error", () => {});
    if (draining) {
      response.shouldKeepAlive = false;
    }
    answer({ request, response, requestId: randomUUID() });
  };
  const server =
    tls === undefined
      ? createServer(options, respond)
      : createSecureServer({ ...options, cert: tls.certificate, key: tls.key, minVersion: "TLSv1.2" }, respond);
  server.maxConnections = limits.maximumConnections;
  const port = await listening(server, address);
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${host}:${port}`,
    drain: () => {
      draining = true;
    },
    close: (grace, onGraceOver) => closed(server, grace, onGraceOver),
  };
}

async function listening(server: Server, { host, port }: ListenAddress): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The server has no port.");
  }
  return address.port;
}

async function closed(server: Server, grace: number, onGraceOver: () => void): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), intervals.idle);
  const over = setTimeout(() => {
    onGraceOver();
    server.closeAllConnections();
  }, grace);
  server.closeIdleConnections();
  await ended;
  clearInterval(idle);
  clearTimeout(over);
}
