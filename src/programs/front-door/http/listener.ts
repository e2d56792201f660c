import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { Server as ConnectionServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Configuration, type ListenAddress, urlHost } from "../config/configuration.ts";
import type { HttpExchange } from "./http-exchange.ts";

type Limits = Configuration["limits"];

/** What answers the requests that come to one address; it must not throw. */
type Answer = (exchange: HttpExchange) => void;

/** Is told of each new connection; may destroy it. */
type OnConnection = (socket: Socket) => void;

/** Milliseconds from when no connection is taken any more. */
interface ClosingLimits {
  /**
   * Until connections that look idle are closed. A proxy may just be sending a request on one, and may not send it again to
   * another server; that no connection is taken tells it to use none of these either.
   */
  readonly linger: number;
  /** Until those that are busy are cut. */
  readonly grace: number;
  onGraceOver(): void;
}

export interface Listener {
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  /**
   * Every answer from now on ends its connection: a proxy then sends nothing more on it. To close a connection that looks
   * idle instead may cut a request that is on its way.
   */
  drain(): void;
  /** Takes no new connections, and ends when none is left. */
  close(limits: ClosingLimits): Promise<void>;
}

/** How often limits of time are looked after, and how often connections that have become idle are closed at the end. */
const intervals = { timeLimits: 2000, idle: 50 };

/** Listens on one address, with TLS where there is a certificate; limits hold before a request is looked at. */
export async function listen(
  address: ListenAddress,
  tls: Configuration["tls"],
  limits: Limits,
  answer: Answer,
  onConnection: OnConnection,
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
  server.on("connection", onConnection);
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

/** Ends when no connection waits to be taken, of which one is in each turn: the end of listening would reset them. */
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
    // The server's own way to close would close what looks idle at once.
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
