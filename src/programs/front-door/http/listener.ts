import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { Server as ConnectionServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Configuration, type ListenAddress, urlHost } from "../config/configuration.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { type MalformedRequest, rejectMalformed } from "./malformed-requests.ts";

type Limits = Configuration["limits"];

/** Handles the requests at one address. Must not throw. */
type Handler = (exchange: HttpExchange) => void;

/** Called for each new connection, which it may destroy. */
type OnConnection = (socket: Socket) => void;

/** Limits in milliseconds after new connections are no longer accepted. */
interface ClosingLimits {
  /**
   * Time until idle connections are closed. A proxy may be sending a request on one that it can't retry. Because new
   * connections are refused, the proxy soon stops using the old ones.
   */
  readonly linger: number;
  /** Time until busy connections are closed. */
  readonly grace: number;
  onGraceOver(): void;
}

export interface Listener {
  /** For example, `http://127.0.0.1:8080`. Has no trailing slash. */
  readonly url: string;
  /**
   * Closes each connection after its next response, so that proxies stop using it. Closing idle connections instead
   * could interrupt a request that is being sent.
   */
  drain(): void;
  /** Stops accepting connections. Resolves when all connections are closed. */
  close(limits: ClosingLimits): Promise<void>;
}

/** Intervals in milliseconds for checking time limits, and for closing idle connections during shutdown. */
const intervals = { timeLimits: 2000, idle: 50 };

/**
 * Milliseconds after the time limit of a call until its connection is closed if its client has not read the response.
 * Longer than a call at the time limit takes to be rejected.
 */
const unreadResponseMs = 2000;

/** Listens on one address, with TLS if there is a certificate. The limits apply before a request is processed. */
export async function listen(
  address: ListenAddress,
  tls: Configuration["tls"],
  limits: Limits,
  handle: Handler,
  onConnection: OnConnection,
  onMalformed: (request: MalformedRequest) => void,
): Promise<Listener> {
  const options = {
    maxHeaderSize: limits.maximumHeaderBytes,
    headersTimeout: limits.headersMilliseconds,
    requestTimeout: limits.requestMilliseconds,
    connectionsCheckingInterval: intervals.timeLimits,
    // Longer than the idle timeout of proxies, so that proxies close connections first.
    keepAliveTimeout: 75_000,
    // The routes check it, because Node's own rejection leaves no trace.
    requireHostHeader: false,
  };
  let draining = false;
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection can break at any time. Handlers detect that by the `close` event of the response.
    request.on("error", () => {});
    response.on("error", () => {});
    if (draining) {
      response.shouldKeepAlive = false;
    }
    const unread = setTimeout(() => response.destroy(), limits.callMilliseconds + unreadResponseMs);
    response.once("close", () => clearTimeout(unread));
    handle({ request, response, requestId: randomUUID() });
  };
  const server =
    tls === undefined
      ? createServer(options, respond)
      : createSecureServer(
          {
            ...options,
            cert: tls.certificate,
            key: tls.key,
            minVersion: "TLSv1.2",
            handshakeTimeout: limits.headersMilliseconds,
          },
          respond,
        );
  server.maxConnections = limits.maximumConnections;
  server.on("connection", onConnection);
  rejectMalformed(server, onMalformed);
  const port = await listening(server, address);
  return {
    url: `${tls === undefined ? "http" : "https"}://${urlHost(address.host)}:${port}`,
    drain: () => {
      draining = true;
    },
    close: (closing) => closed(server, closing),
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

/**
 * Resolves when no connection is waiting to be accepted. Node accepts one per event loop iteration, and closing the
 * server would reset the others.
 */
async function allTaken(server: Server): Promise<void> {
  let isTaken = true;
  const take = (): void => {
    isTaken = true;
  };
  server.on("connection", take);
  for (let turns = 1000; isTaken && turns > 0; turns -= 1) {
    isTaken = false;
    await nextTurn();
  }
  server.off("connection", take);
}

async function closed(server: Server, { linger, grace, onGraceOver }: ClosingLimits): Promise<void> {
  await allTaken(server);
  const ended = new Promise<void>((resolve) => {
    // Skips Node's override for HTTP servers, which also closes idle connections at once.
    ConnectionServer.prototype.close.call(server, () => resolve());
  });
  let idle: NodeJS.Timeout | undefined;
  const lingering = setTimeout(() => {
    server.closeIdleConnections();
    idle = setInterval(() => server.closeIdleConnections(), intervals.idle);
  }, linger);
  const over = setTimeout(() => {
    onGraceOver();
    server.closeAllConnections();
  }, grace);
  await ended;
  clearTimeout(lingering);
  clearInterval(idle);
  clearTimeout(over);
}
