import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Dispatcher } from "../../api/http/dispatch.ts";
import { silentLog } from "../../api/http/log.ts";
import { createTransport, type Transport } from "../../api/http/transport.ts";
import { createUndiciDispatcher } from "../../api/http/undici-dispatcher.ts";
import { lazy } from "../../api/lazy.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Configuration, ListenAddress } from "./config/configuration.ts";
import { isLoopbackHost } from "./config/setting-parsers.ts";
import { Credentials } from "./credential/credentials.ts";
import { Entitlements } from "./credential/entitlements.ts";
import { createInternalService } from "./credential/internal-service.ts";
import { Gate } from "./gate.ts";
import { ConnectionLimit } from "./http/address-limits.ts";
import type { HttpExchange } from "./http/http-exchange.ts";
import { type Listener, listen } from "./http/listener.ts";
import { TrustedProxies } from "./http/request-headers.ts";
import { ProtectedResource, type Route, Routes } from "./http/routes.ts";
import { answerToolRequest } from "./http/tool-requests.ts";
import { ValidationRequests } from "./http/validation-requests.ts";
import { createToolHandler } from "./mcp/protocol.ts";
import { createPersonHashes } from "./observability/audit.ts";
import { createLog, errorForLog, requestLog } from "./observability/log.ts";
import { createMetrics, type Metrics } from "./observability/metrics.ts";
import { fetchKeySet, KeySet } from "./token/key-set.ts";

declare const PLATFORM_WORKBENCH_VERSION: string | undefined;

/** What a front door can be given in place of its own parts; tests do. */
export interface FrontDoorParts {
  readonly log?: Logger;
  readonly clock?: Clock;
  /** For the platform and the content servers. */
  readonly platformTransport?: Transport;
}

/** A running front door. */
export interface FrontDoor {
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  /** The address of /internal/*, /metrics and the probes where they are served: `url` when they have none of their own. */
  readonly internalUrl: string;
  /** Ends it gracefully: no new connections, running calls get their time. */
  close(): Promise<void>;
}

export const version = typeof PLATFORM_WORKBENCH_VERSION === "string" ? PLATFORM_WORKBENCH_VERSION : "from-source";

/** The parts of a front door, put together; nothing listens yet. */
interface Assembly {
  readonly routes: Routes;
  readonly keys: KeySet;
  onConnection(socket: Socket): void;
  /** From now on it says that it is not ready. */
  drain(): void;
  /** Ends the calls that still run. */
  cut(): void;
  /** Lets go of everything. */
  end(): Promise<void>;
}

/** Milliseconds: a proxy has met a refused connection by then. */
const longestLinger = 1000;

/** Starts a front door; it answers before the key set has come, and is ready after. */
export async function startFrontDoor(configuration: Configuration, parts: FrontDoorParts = {}): Promise<FrontDoor> {
  const { log = createLog(configuration.logLevel), clock = systemClock, platformTransport } = parts;
  const { routes, keys, onConnection, drain, cut, end } = assemble(configuration, log, clock, platformTransport);
  const { listen: address, internalListen, tls, limits } = configuration;
  const listeners: Listener[] = [];
  const open = async (at: ListenAddress, served: readonly Route[]): Promise<Listener> => {
    const listener = await listen(at, tls, limits, (exchange) => routes.answer(exchange, served), onConnection);
    listeners.push(listener);
    return listener;
  };
  try {
    const front = await open(address, servedWithTools(configuration));
    const inner =
      internalListen === undefined ? front : await open(internalListen, ["validation", "metrics", "probes"]);
    keys.start();
    log.info({ url: front.url, internalUrl: inner.url, version }, "the front door answers");
    return { url: front.url, internalUrl: inner.url, close: lazy(close) };
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close({ linger: 0, grace: 0, onGraceOver: () => {} })));
    await end();
    throw error;
  }

  async function close(): Promise<void> {
    drain();
    for (const listener of listeners) {
      listener.drain();
    }
    log.info("the front door is closing");
    const draining = configuration.drainSeconds * 1000;
    if (draining > 0) {
      await delay(draining);
    }
    const grace = configuration.graceSeconds * 1000;
    const closing = { linger: Math.min(draining, longestLinger), grace, onGraceOver: cut };
    await Promise.all(listeners.map((listener) => listener.close(closing)));
    await end();
    log.info("the front door is closed");
  }
}

/** Metrics and probes are for whoever runs the server: they are not where other machines reach the tools. */
function servedWithTools({ listen: { host }, internalListen }: Configuration): readonly Route[] {
  const isLoopback = isLoopbackHost(host);
  return [
    "tools",
    ...(isLoopback ? (["probes"] as const) : []),
    ...(internalListen === undefined ? (["validation"] as const) : []),
    ...(internalListen === undefined && isLoopback ? (["metrics"] as const) : []),
  ];
}

function assemble(
  configuration: Configuration,
  log: Logger,
  clock: Clock,
  givenTransport: Transport | undefined,
): Assembly {
  const { limits, internal, credentials: stored } = configuration;
  const metrics = createMetrics();
  // A transport's lines are for debugging alone: otherwise nothing is put together for them.
  const linesOf = (part: string) => (log.isLevelEnabled("debug") ? requestLog(log, part) : silentLog);
  const internalTransport = createTransport({ connections: 64, log: linesOf("internal service") });
  const transport = givenTransport ?? createTransport({ connections: 64, log: linesOf("platform") });
  const keySetConnections = createUndiciDispatcher({ connections: 1 });
  const keys = keySetOf(configuration, keySetConnections, metrics, log, clock);
  const service = createInternalService(internal, internalTransport, requestLog(log, "internal service"));
  const { cacheSize } = stored;
  const { monotonic } = clock;
  const entitlements = new Entitlements({ configuration: internal, service, metrics, cacheSize, monotonic });
  const { concurrentDecryptions } = limits;
  const credentials = new Credentials({ configuration: stored, concurrentDecryptions, service, metrics, monotonic });
  const gate = new Gate({ configuration, keys, entitlements, credentials, clock });
  const tools = createToolHandler({ configuration, log, metrics, transport, version, now: clock.wall });
  const audit = { log, metrics, hashOf: createPersonHashes(configuration.tools.stateSecret) };
  const ending = new AbortController();
  const resource = new ProtectedResource(configuration);
  const proxies = new TrustedProxies(configuration);
  const connections = new ConnectionLimit(limits, proxies, () =>
    metrics.rateLimited.inc({ limit: "connections per address" }),
  );
  const toolParts = {
    configuration,
    gate,
    tools,
    audit,
    log,
    proxies,
    metadataUrl: resource.metadataUrl,
    ending: ending.signal,
  };
  const validationLog = requestLog(log, "validation");
  const validations = new ValidationRequests({
    configuration,
    credentials,
    audit,
    transport,
    log: validationLog,
    monotonic,
  });
  let draining = false;
  const routes = new Routes({
    configuration,
    metrics,
    unreadyBecause: () => [...(keys.isLoaded ? [] : ["the key set"]), ...(draining ? ["the server is ending"] : [])],
    toolRequest: (exchange) => answerToolRequest(exchange, toolParts),
    validation: (exchange) => validations.answer(exchange),
    resource,
    proxies,
    onError: (exchange: HttpExchange, error: unknown) =>
      log.error({ requestId: exchange.requestId, err: errorForLog(error) }, "a request failed in this server"),
  });
  return {
    routes,
    keys,
    onConnection: (socket) => connections.take(socket),
    drain: () => {
      draining = true;
    },
    cut: () => ending.abort(),
    end: async () => {
      ending.abort();
      keys.close();
      credentials.close();
      await Promise.all([tools.close(), keySetConnections.close(), internalTransport.close(), transport.close()]);
    },
  };
}

function keySetOf(
  { jwks, token }: Configuration,
  connections: Dispatcher,
  metrics: Metrics,
  log: Logger,
  { monotonic }: Clock,
): KeySet {
  const keys = new KeySet({
    configuration: jwks,
    monotonic,
    fetchKeySet: () => fetchKeySet(connections, token.jwksUrl, jwks.timeLimitMilliseconds),
    onFetched: (result, detail) => {
      metrics.jwksFetches.inc({ result });
      log[result === "fetched" ? "info" : "warn"]({ detail }, `key set ${result}`);
    },
    onPrivateKeys: (count) => {
      metrics.exposedKeys.inc(count);
      log.error({ alarm: "privateKeysPublished", count }, "the issuer publishes private keys; they are refused");
    },
  });
  metrics.watchKeySet(() => keys.ageSeconds);
  return keys;
}
