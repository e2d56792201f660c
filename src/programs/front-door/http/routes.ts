import type { IncomingMessage } from "node:http";
import type { Configuration } from "../config/configuration.ts";
import { isLoopbackHost } from "../config/configuration.ts";
import { type AuditParts, auditAfterResponse, type CallRecord } from "../observability/audit.ts";
import type { Metrics } from "../observability/metrics.ts";
import { allowOrigin, isPreflight, respondToPreflight } from "./cross-origin.ts";
import { type HttpExchange, sendJson, sendRejection } from "./http-exchange.ts";
import type { Rejection } from "./rejections.ts";
import { checkHost, checkOrigin, checkPeer, plainAddress, type TrustedProxies } from "./request-headers.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/** The protected resource metadata (RFC 9728), published only with a public address and an authorization server. */
export class ProtectedResource {
  /** Undefined if no metadata is published. */
  readonly metadataUrl: string | undefined;
  /** The metadata as JSON. */
  readonly metadata: string | undefined;

  constructor({ public: { url, authorizationServers } }: Pick<Configuration, "public">) {
    if (url === undefined || authorizationServers.length === 0) {
      return;
    }
    this.metadataUrl = `${url.origin}${wellKnown}/mcp`;
    this.metadata = JSON.stringify({
      resource: `${url.origin}/mcp`,
      authorization_servers: authorizationServers,
      bearer_methods_supported: ["header"],
      resource_name: "Platform tools",
    });
  }

  /** The metadata if the path is one of its two addresses; otherwise undefined. */
  at(path: string): string | undefined {
    return path === wellKnown || path === `${wellKnown}/mcp` ? this.metadata : undefined;
  }
}

/** What an address serves: the tools for clients, or the endpoints for the internal service and for operators. */
export type Route = "tools" | "validation" | "metrics" | "probes";

interface RouteParts {
  readonly configuration: Configuration;
  readonly metrics: Metrics;
  readonly audit: AuditParts;
  /** Why the server is not ready; empty if it is ready. */
  readonly unreadyBecause: () => readonly string[];
  readonly toolRequest: (exchange: HttpExchange) => Promise<void>;
  readonly validation: (exchange: HttpExchange) => Promise<void>;
  readonly revocation: (exchange: HttpExchange) => Promise<void>;
  /** The parts that are unavailable even though the server is ready. */
  readonly missedParts: () => readonly string[];
  readonly resource: ProtectedResource;
  readonly proxies: TrustedProxies;
  readonly onError: (exchange: HttpExchange, error: unknown) => void;
}

/** Routes requests by their exact path, which is neither normalized nor decoded. */
export class Routes {
  readonly #parts: RouteParts;

  constructor(parts: RouteParts) {
    this.#parts = parts;
  }

  handle(exchange: HttpExchange, served: readonly Route[]): void {
    const handling = this.#handle(exchange, served);
    handling.catch((error: unknown) => {
      this.#parts.onError(exchange, error);
      sendRejection(exchange, { rejection: "internalError", reason: "a fault of this server" });
    });
  }

  async #handle(exchange: HttpExchange, served: readonly Route[]): Promise<void> {
    const { request } = exchange;
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      return this.#refuse(exchange, "other", { rejection: "invalidRequest", reason: "it has no Host" });
    }
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path === "/mcp" && served.includes("tools")) {
      return this.#parts.toolRequest(exchange);
    }
    const internal = this.#internalResponse(path);
    if (internal !== undefined && served.includes("validation")) {
      const unfit: Rejection | undefined =
        request.method === "POST" ? this.#checkCaller(request) : { rejection: "methodNotAllowed", allowed: "POST" };
      return unfit === undefined ? internal(exchange) : this.#refuse(exchange, path, unfit);
    }
    const text = await this.#document(exchange, path, served);
    if (typeof text !== "string") {
      return this.#refuse(exchange, "other", text);
    }
  }

  #internalResponse(path: string): ((exchange: HttpExchange) => Promise<void>) | undefined {
    const { validation, revocation } = this.#parts;
    return path === "/internal/validate" ? validation : path === "/internal/revoke" ? revocation : undefined;
  }

  /** Also accepts the loopback address, because the internal service can run on this computer. */
  #checkCaller(request: IncomingMessage): Rejection | undefined {
    return isLoopbackHost(plainAddress(request.socket.remoteAddress ?? ""))
      ? undefined
      : checkPeer(request, this.#parts.proxies);
  }

  /** Handles a read-only endpoint. Resolves with its path, or with a rejection. */
  async #document(exchange: HttpExchange, path: string, served: readonly Route[]): Promise<string | Rejection> {
    const { metrics, resource } = this.#parts;
    const metadata = served.includes("tools") ? resource.at(path) : undefined;
    const isMetrics = path === "/metrics" && served.includes("metrics");
    const isProbe = (path === "/healthz" || path === "/readyz") && served.includes("probes");
    if (metadata === undefined && !isMetrics && !isProbe) {
      return { rejection: "notFound" };
    }
    const unfit = this.#checkReader(exchange, metadata !== undefined);
    if (unfit !== undefined) {
      return unfit;
    }
    const { method } = exchange.request;
    if (metadata !== undefined && isPreflight(exchange.request)) {
      respondToPreflight(exchange, "GET");
      return path;
    }
    if (method !== "GET" && method !== "HEAD") {
      return { rejection: "methodNotAllowed", allowed: "GET, HEAD" };
    }
    if (metadata !== undefined) {
      sendJson(exchange, 200, metadata);
    } else if (path === "/healthz") {
      sendJson(exchange, 200, '{"status":"ok"}');
    } else if (path === "/readyz") {
      this.#responseReadiness(exchange);
    } else {
      const { registry } = metrics;
      sendJson(exchange, 200, await registry.metrics(), { "content-type": registry.contentType });
    }
    metrics.requests.inc({
      route: path.startsWith("/.well-known/") ? "/.well-known" : path,
      status: exchange.response.statusCode,
    });
    return path;
  }

  #responseReadiness(exchange: HttpExchange): void {
    const missing = this.#parts.unreadyBecause();
    const without = this.#parts.missedParts();
    if (missing.length > 0) {
      sendJson(exchange, 503, JSON.stringify({ status: "not ready", missing }));
    } else {
      sendJson(exchange, 200, JSON.stringify({ status: "ready", ...(without.length === 0 ? {} : { without }) }));
    }
  }

  /**
   * Checks requests for documents. Pages can read the metadata. It contains no secret, so for an Origin that is not
   * allowed, only the CORS headers are missing.
   */
  #checkReader(exchange: HttpExchange, isMetadata: boolean): Rejection | undefined {
    const { configuration, proxies } = this.#parts;
    const { request } = exchange;
    const unfit =
      checkHost(request, configuration.public, !isMetadata) ?? (isMetadata ? checkPeer(request, proxies) : undefined);
    if (unfit === undefined && isMetadata && checkOrigin(request, configuration.public) === undefined) {
      allowOrigin(exchange);
    }
    return unfit ?? (isPreflight(request) ? checkOrigin(request, configuration.public) : undefined);
  }

  #refuse(exchange: HttpExchange, route: string, rejection: Rejection): void {
    const { proxies, audit } = this.#parts;
    const { request } = exchange;
    const client = proxies.clientIn(request);
    const record: CallRecord = { rejection, ...(request.method === undefined ? {} : { httpMethod: request.method }) };
    auditAfterResponse(exchange, route, client, record, audit);
    sendRejection(exchange, rejection);
  }
}
