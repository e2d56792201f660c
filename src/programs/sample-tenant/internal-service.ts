import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dialects } from "../../api/http/dialects.ts";
import { isSameToken } from "./content-server/authorization.ts";
import { type Exchange, incomingOf, readBody, sendJson } from "./http.ts";
import { type InternalServiceOptions, internalHandlers } from "./internal-handlers.ts";
import { PlatformError } from "./platform/errors.ts";
import { PathEncodingError, Router } from "./routes.ts";

/** A running internal service. */
export interface InternalService {
  readonly url: string;
  readonly secret: string;
  stop(): Promise<void>;
}

/** Starts the service on 127.0.0.1: the internal service behind the front door and the front door's own validation. */
export async function startInternalService(options: InternalServiceOptions): Promise<InternalService> {
  const { secret = randomBytes(24).toString("hex") } = options;
  const publicKey = options.publicKey ?? generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
  const service = { ...options, secret, publicKey };
  const router = new Router("internal", dialects.documented);
  const server = createServer((request, response) => {
    const exchange = { ...incomingOf(request), response };
    answer(exchange, router, service).catch((error: unknown) => {
      const status = error instanceof PlatformError ? error.status : error instanceof PathEncodingError ? 400 : 500;
      const told = error instanceof PlatformError ? error : new PlatformError(status, "The request cannot be served.");
      sendJson(exchange, status, JSON.stringify(told.body()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(exchange: Exchange, router: Router, service: Required<InternalServiceOptions>): Promise<void> {
  const given = exchange.request.headers["x-webui-secret"];
  if (!isSameToken(typeof given === "string" ? given : undefined, service.secret)) {
    throw new PlatformError(401, "Unauthorized");
  }
  const match = router.match(exchange.request.method ?? "GET", exchange.path.replace(/^\//, ""));
  if (match.kind !== "operation" || match.operation.credential !== "internal") {
    throw new PlatformError(match.kind === "methodNotAllowed" ? 405 : 404, "There is nothing here.");
  }
  const { operation, parameters } = match;
  const text = (await readBody(exchange.request)).toString("utf8");
  const checked = operation.body.safeParse(text === "" ? undefined : JSON.parse(text));
  if (!checked.success) {
    throw new PlatformError(400, "The body is not as it has to be.");
  }
  const call = { service, parameters, query: exchange.query, body: checked.data };
  sendJson(exchange, 200, JSON.stringify(await internalHandlers[operation.id](call)));
}
