import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Dispatcher } from "../../api/http/dispatch.ts";
import { silentLog } from "../../api/http/log.ts";
import { createTransport, type Transport } from "../../api/http/transport.ts";
import { createUndiciDispatcher } from "../../api/http/undici-dispatcher.ts";
import { lazy } from "../../api/lazy.ts";
import { type Clocks, systemClock } from "./clock.ts";
import type { Configuration, ListenAddress } from "./config/configuration.ts";
import { isLoopbackHost } from "./config/configuration.ts";
import { lookupFor } from "./credential/content-server-address.ts";
import { Credentials } from "./credential/credentials.ts";
import { Entitlements } from "./credential/entitlements.ts";
import { createInternalService } from "./credential/internal-service.ts";
import { Gate } from "./gate.ts";
import { ConnectionLimit } from "./http/address-limits.ts";
import type { HttpExchange } from "./http/http-exchange.ts";
import { InternalSecretGuard } from "./http/internal-secret.ts";
import { type Listener, listen } from "./http/listener.ts";
import type { MalformedRequest } from "./http/malformed-requests.ts";
import { TrustedProxies } from "./http/request-headers.ts";
import { respondToRevocation } from "./http/revocation-requests.ts";
import { ProtectedResource, type Route, Routes } from "./http/routes.ts";
import { respondToToolRequest } from "./http/tool-requests.ts";
import { ValidationRequests } from "./http/validation-requests.ts";
import { createToolHandler } from "./mcp/protocol.ts";
import { auditMalformed, createPersonHashes } from "./observability/audit.ts";
import { createLog, errorForLog, requestLog } from "./observability/log.ts";
import { createMetrics, type Metrics } from "./observability/metrics.ts";
import { noTraces, type Traces, tracedTransport } from "./observability/traces.ts";
import { MemoryStore } from "./shared-state/memory-store.ts";
import type { StateStore } from "./shared-state/state-store.ts";
import { maxConnections, Shares } from "./shares/shares.ts";
import { UnreadResponses } from "./shares/unread-responses.ts";
import { fetchKeySet, KeySet } from "./token/key-set.ts";
import { Revocations } from "./token/revocations.ts";
import { version } from "./version.ts";

/** Replacements for parts of a front door, for tests. */
export interface FrontDoorParts {
  readonly log?: Logger;
  readonly clock?: Clocks;
  /** The transport for the platform and the content servers. */
  readonly platformTransport?: Transport;
  /** Creates the traces. Without it, nothing is traced. */
  readonly createTraces?: (parts: { readonly log: Logger; readonly metrics: Metrics }) => Promise<Traces>;
}

/** A running front door. */
export interface FrontDoor {
  /** For example, `http://127.0.0.1:8080`. Has no trailing slash. */
  readonly url: string;
  /** The address of /internal/*, /metrics, and the probes. The same as `url` without a separate internal address. */
  readonly internalUrl: string;
  /** Shuts down gracefully: refuses new connections, and lets running calls finish within the time limits. */
  close(): Promise<void>;
}

/** The parts of a front door before it listens. */
interface Assembly {
  readonly routes: Routes;
  readonly keys: KeySet;
  onConnection(socket: Socket): void;
  onMalformed(request: MalformedRequest): void;
  /** Reports that the server is not ready from now on. */
  drain(): void;
  /** Aborts the running calls. */
  cut(): void;
  /** Releases all resources. */
  end(): Promise<void>;
}

/** Milliseconds within which a proxy detects refused connections. */
const maxLingerMs = 1000;

/** Starts a front door. It accepts requests before the key set is fetched, and is ready after that. */
export async function startFrontDoor(configuration: Configuration, parts: FrontDoorParts = {}): Promise<FrontDoor> {
  const { log = createLog(configuration.logLevel), clock = systemClock, platformTransport, createTraces } = parts;
  const metrics = createMetrics();
  const state = await stateStoreOf(configuration, metrics, log, clock);
  const traces = (await createTraces?.({ log, metrics })) ?? noTraces;
  const base = { configuration, log, clock, metrics, state, traces };
  const { routes, keys, onConnection, onMalformed, drain, cut, end } = assemble(base, platformTransport);
  const { listen: address, internalListen, tls, limits } = configuration;
  const listeners: Listener[] = [];
  const open = async (at: ListenAddress, served: readonly Route[]): Promise<Listener> => {
    const handle = (exchange: HttpExchange): void => routes.handle(exchange, served);
    const listener = await listen(at, tls, limits, handle, onConnection, onMalformed);
    listeners.push(listener);
    return listener;
  };
  try {
    const front = await open(address, servedWithTools(configuration));
    const inner =
      internalListen === undefined ? front : await open(internalListen, ["validation", "metrics", "probes"]);
    keys.start();
    log.info({ url: front.url, internalUrl: inner.url, version }, "the front door is listening");
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
    const closing = { linger: Math.min(draining, maxLingerMs), grace, onGraceOver: cut };
    await Promise.all(listeners.map((listener) => listener.close(closing)));
    await end();
    log.info("the front door is closed");
  }
}

/**
 * The routes at the address of the tools. Metrics and probes are only for operators, so they are not served where other
 * computers can reach the tools.
 */
function servedWithTools({ listen: { host }, internalListen }: Configuration): readonly Route[] {
  const isLoopback = isLoopbackHost(host);
  return [
    "tools",
    ...(isLoopback ? (["probes"] as const) : []),
    ...(internalListen === undefined ? (["validation"] as const) : []),
    ...(internalListen === undefined && isLoopback ? (["metrics"] as const) : []),
  ];
}

/** The parts that all other parts need. */
interface Base {
  readonly configuration: Configuration;
  readonly log: Logger;
  readonly clock: Clocks;
  readonly metrics: Metrics;
  readonly state: StateStore;
  readonly traces: Traces;
}

/**
 * Creates the store for shared state, if configured, or one in memory. Loads the shared store's client only if needed.
 */
async function stateStoreOf(
  { token, tools, sharedState }: Configuration,
  metrics: Metrics,
  log: Logger,
  { monotonic }: Clocks,
): Promise<StateStore> {
  const { revocationSeconds } = token;
  if (sharedState === undefined) {
    return new MemoryStore({ revocationSeconds, monotonic });
  }
  const { SharedStore } = await import("./shared-state/shared-store.ts");
  const keySecret = tools.stateSecret;
  return new SharedStore({ configuration: sharedState, keySecret, revocationSeconds, monotonic, metrics, log });
}

function assemble(base: Base, givenTransport: Transport | undefined): Assembly {
  const { configuration, log, clock, metrics, state, traces } = base;
  const { limits, internal, credentials: stored } = configuration;
  // The transport's lines are only for debugging. At other levels, they aren't even formatted.
  const linesOf = (part: string) => (log.isLevelEnabled("debug") ? requestLog(log, part) : silentLog);
  const internalTransport = createTransport({ connections: 64, log: linesOf("internal service") });
  const lookup = lookupFor(configuration.platform, (host) =>
    log.warn({ host }, "a platform reported a content server whose name leads to a local address"),
  );
  const platformTransport =
    givenTransport ??
    createTransport({
      connections: maxConnections,
      log: linesOf("platform"),
      ...(lookup === undefined ? {} : { lookup }),
    });
  // Another company operates the platform, so don't send it trace headers.
  const transport = tracedTransport(platformTransport, traces, "platform request", { continued: false });
  const keySetConnections = createUndiciDispatcher({ connections: 1 });
  const keys = keySetOf(configuration, keySetConnections, metrics, log, clock);
  const tracedInternal = tracedTransport(internalTransport, traces, "internal request", { continued: true });
  const service = createInternalService(internal, tracedInternal, requestLog(log, "internal service"));
  const { cacheSize } = stored;
  const { monotonic } = clock;
  const entitlements = new Entitlements({ configuration: internal, service, metrics, cacheSize, monotonic });
  const { concurrentDecryptions } = limits;
  const credentials = new Credentials({ configuration: stored, concurrentDecryptions, service, metrics, monotonic });
  const revocations = new Revocations({ configuration: configuration.token, state, wall: clock.wall });
  const gate = new Gate({ configuration, keys, entitlements, credentials, state, revocations, traces, clock });
  const tools = createToolHandler({ configuration, log, metrics, transport, state, traces, version, now: clock.wall });
  const shares = new Shares(monotonic);
  const audit = { log, metrics, traces, hashOf: createPersonHashes(configuration.tools.stateSecret) };
  const ending = new AbortController();
  const resource = new ProtectedResource(configuration);
  const proxies = new TrustedProxies(configuration);
  const connections = new ConnectionLimit(limits, proxies, () =>
    metrics.rateLimited.inc({ limit: "connections per address" }),
  );
  const toolParts = {
    configuration,
    gate,
    shares,
    unread: new UnreadResponses(),
    tools,
    audit,
    log,
    proxies,
    metadataUrl: resource.metadataUrl,
    ending: ending.signal,
  };
  const guard = new InternalSecretGuard(configuration, state, monotonic);
  const validationLog = requestLog(log, "validation");
  const validations = new ValidationRequests({
    configuration,
    credentials,
    audit,
    transport,
    log: validationLog,
    guard,
    shares,
    proxies,
    state,
    monotonic,
  });
  let draining = false;
  const whenUnavailable = configuration.sharedState?.whenUnavailable;
  const missedParts = () => (state.isAvailable ? [] : ["the shared state"]);
  const routes = new Routes({
    configuration,
    metrics,
    audit,
    unreadyBecause: () => [
      ...(keys.isLoaded ? [] : ["the key set"]),
      ...(whenUnavailable === "closed" ? missedParts() : []),
      ...(draining ? ["the server is shutting down"] : []),
    ],
    missedParts,
    toolRequest: (exchange) => respondToToolRequest(exchange, toolParts),
    validation: (exchange) => validations.handle(exchange),
    revocation: (exchange) => respondToRevocation(exchange, { configuration, revocations, guard, proxies, audit }),
    resource,
    proxies,
    onError: (exchange: HttpExchange, error: unknown) =>
      log.error({ requestId: exchange.requestId, err: errorForLog(error) }, "a request failed in this server"),
  });
  return {
    routes,
    keys,
    onConnection: (socket) => connections.add(socket),
    onMalformed: (request) => auditMalformed(request, audit),
    drain: () => {
      draining = true;
    },
    cut: () => ending.abort(),
    end: async () => {
      ending.abort();
      keys.close();
      credentials.close();
      await Promise.all([
        ...[tools.close(), keySetConnections.close(), internalTransport.close(), transport.close()],
        state.close(),
      ]);
      await traces.close();
    },
  };
}

function keySetOf(
  { jwks, token }: Configuration,
  connections: Dispatcher,
  metrics: Metrics,
  log: Logger,
  { monotonic }: Clocks,
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
      log.error({ alarm: "privateKeysPublished", count }, "the issuer publishes private keys, which are rejected");
    },
  });
  metrics.watchKeySet(() => keys.ageSeconds);
  return keys;
}
