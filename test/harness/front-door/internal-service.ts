// The internal service that the front door calls: entitlements and stored credentials, with faults on demand.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type LocalServer, serveLocally } from "./local-server.ts";

/** A fault of an endpoint. */
export type InternalFault =
  | { readonly kind: "status"; readonly status: number; readonly body?: string }
  | { readonly kind: "redirect"; readonly status: number; readonly location: string }
  | { readonly kind: "cut" }
  | { readonly kind: "cut-half-way" }
  | { readonly kind: "hang" }
  | { readonly kind: "late"; readonly milliseconds: number }
  | { readonly kind: "text"; readonly text: string; readonly contentType?: string };

type InternalEndpoint = "entitlement" | "credential";

interface InternalRequest {
  readonly endpoint: InternalEndpoint | "other";
  readonly method: string;
  /** The original path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface InternalService {
  readonly url: string;
  readonly secret: string;
  readonly resource: string;
  readonly requests: readonly InternalRequest[];
  count(endpoint?: InternalEndpoint | "other"): number;
  reset(): void;
  /** The entitled users, as `email`, or as `email tenant` if the request names a tenant. */
  readonly entitled: Set<string>;
  /**
   * Sets the body of the response for a credential, by `email slug`. A string is sent unchanged, anything else as JSON.
   */
  store(email: string, slug: string, envelope: unknown): void;
  remove(email: string, slug: string): void;
  fail(endpoint: InternalEndpoint, fault: InternalFault | undefined): void;
  /** Requires another secret from now on. */
  changeSecret(secret: string): void;
  stop(): Promise<void>;
}

export const internalResource = "remote-tools";

/** Starts the service on 127.0.0.1. */
export async function startInternalService(secret: string): Promise<InternalService> {
  const requests: InternalRequest[] = [];
  const entitled = new Set<string>();
  const envelopes = new Map<string, unknown>();
  const faults = new Map<InternalEndpoint, InternalFault>();
  let wantedSecret = secret;

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.headers["x-webui-secret"] !== wantedSecret) {
      send(response, 401, { message: "Unauthorized" });
      return;
    }
    if (url.pathname === "/api/internal/entitlements/check") {
      const named = url.searchParams.get("resource") === internalResource;
      const [email, tenant] = ["email", "tenant"].map((name) => url.searchParams.get(name));
      send(response, 200, { entitled: named && entitled.has(tenant === null ? `${email}` : `${email} ${tenant}`) });
      return;
    }
    const [email = "", slug = ""] = url.pathname.split("/").slice(4).map(decodeURIComponent);
    const envelope = envelopes.get(`${email} ${slug}`);
    if (envelope === undefined) send(response, 404, { message: "There is no such credential." });
    else send(response, 200, envelope);
  };

  const server: LocalServer = await serveLocally(
    createServer((request, response) => {
      const { method = "", url: target = "/", headers } = request;
      const endpoint = endpointOf(target);
      requests.push({ endpoint, method, target, headers });
      const fault = endpoint === "other" ? undefined : faults.get(endpoint);
      if (fault === undefined) handle(request, response);
      else void strike(fault, response, () => handle(request, response));
    }),
  );
  return {
    url: server.url,
    secret,
    resource: internalResource,
    requests,
    entitled,
    count: (endpoint) => requests.filter((request) => endpoint === undefined || request.endpoint === endpoint).length,
    reset() {
      requests.length = 0;
    },
    store: (email, slug, envelope) => void envelopes.set(`${email} ${slug}`, envelope),
    remove: (email, slug) => void envelopes.delete(`${email} ${slug}`),
    fail(endpoint, fault) {
      if (fault === undefined) faults.delete(endpoint);
      else faults.set(endpoint, fault);
    },
    changeSecret(next) {
      wantedSecret = next;
    },
    stop: () => server.stop(),
  };
}

function endpointOf(target: string): InternalEndpoint | "other" {
  if (target.startsWith("/api/internal/entitlements/check?")) return "entitlement";
  return /^\/api\/internal\/platform-cred\/[^/?]+\/[^/?]+$/.test(target) ? "credential" : "other";
}

async function strike(fault: InternalFault, response: ServerResponse, work: () => void): Promise<void> {
  switch (fault.kind) {
    case "status":
      response.writeHead(fault.status, { "content-type": "application/json" }).end(fault.body ?? "{}");
      return;
    case "redirect":
      response.writeHead(fault.status, { location: fault.location }).end();
      return;
    case "cut":
      response.destroy();
      return;
    case "cut-half-way":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"entitled": tr', () => response.destroy());
      return;
    case "hang":
      return;
    case "late":
      await delay(fault.milliseconds);
      work();
      return;
    case "text":
      response.writeHead(200, { "content-type": fault.contentType ?? "application/json" }).end(fault.text);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response
    .writeHead(status, { "content-type": typeof body === "string" ? "text/plain" : "application/json" })
    .end(text);
}
