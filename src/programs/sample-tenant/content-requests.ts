import type { Dialect } from "../../api/http/dialects.ts";
import { withoutEnding } from "../../api/text.ts";
import type { ContentStore } from "./content-server/content-store.ts";
import { ContentError } from "./content-server/errors.ts";
import { sendContentError } from "./content-server/handlers.ts";
import { fingerprintOf, parseNotebook } from "./content-server/notebook.ts";
import { kindAt, locate } from "./content-server/paths.ts";
import { sendRawFile } from "./content-server/raw-files.ts";
import { readItem } from "./content-server/read.ts";
import { respondAsDescribed } from "./described/contents.ts";
import type { DescribedMode } from "./described/mode.ts";
import type { Faults } from "./fault-injection.ts";
import { handlers } from "./handlers.ts";
import { BodyTooLargeError, type HttpExchange, sendJson, sendNothing, sendPage, sendTagged, targetOf } from "./http.ts";
import type { Hub } from "./hub.ts";
import { ErrorResponse } from "./platform/handler.ts";
import { type ContentServerAddress, forward } from "./reverse-proxy.ts";
import { decodePath, PathEncodingError, Router } from "./router.ts";
import { namespace } from "./seed/organization.ts";
import type { StateFile, WorkspaceState } from "./state.ts";
import { isSameToken, type Tokens, tokenIn } from "./tokens.ts";
import { shortIdOf, type Workspaces } from "./workspaces.ts";

/** Another content server behind a workspace; undefined for the embedded one. Rejects if there is none. */
export type AddressOfServer = (workspaceId: string) => Promise<ContentServerAddress | undefined>;

/** Handles requests to the workspaces' content servers, `/user/{namespace}/{short id}/...`. */
export class ContentRequests {
  readonly #workspaces: Workspaces;
  readonly #file: StateFile;
  readonly #tokens: Tokens;
  readonly #faults: Faults;
  readonly #hub: Hub;
  readonly #router: Router;
  readonly #addressOf: AddressOfServer;
  readonly #described: DescribedMode | undefined;

  constructor(parts: {
    readonly workspaces: Workspaces;
    readonly file: StateFile;
    readonly tokens: Tokens;
    readonly faults: Faults;
    readonly hub: Hub;
    readonly dialect: Dialect;
    readonly addressOf: AddressOfServer;
    /** Undefined for content servers with all features of a Jupyter Server. */
    readonly described?: DescribedMode | undefined;
  }) {
    this.#workspaces = parts.workspaces;
    this.#file = parts.file;
    this.#tokens = parts.tokens;
    this.#faults = parts.faults;
    this.#hub = parts.hub;
    this.#router = new Router("notebook", parts.dialect);
    this.#addressOf = parts.addressOf;
    this.#described = parts.described;
  }

  /** The workspace in a path, whether it runs or not. */
  workspaceOf(path: string): WorkspaceState | undefined {
    const [, , name, shortId = ""] = path.split("/");
    return name === namespace ? this.#workspaces.findByShortId(shortId) : undefined;
  }

  async handle(exchange: HttpExchange): Promise<void> {
    const workspace = this.workspaceOf(exchange.path);
    const status = workspace === undefined ? "stopped" : this.#workspaces.statusOf(workspace);
    if (status === "crashed") {
      this.#hub.respondCrashed(exchange);
    } else if (workspace === undefined || status !== "running") {
      this.#hub.respondNotRunning(exchange);
    } else {
      this.#hub.markRunning(exchange);
      await this.#responseRunning(exchange, workspace);
    }
  }

  async #responseRunning(exchange: HttpExchange, workspace: WorkspaceState): Promise<void> {
    const prefix = `/user/${namespace}/${shortIdOf(workspace.id)}/`;
    const token = this.#tokens.notebook(workspace.id);
    const path = exchange.path.slice(prefix.length);
    const isScheduling = /\/notebooks\/[^/]+\/dataflow$/.test(path);
    const address = isScheduling ? undefined : await this.#addressOf(workspace.id).catch(() => "unreachable" as const);
    if (address !== undefined) {
      const isHandled =
        address !== "unreachable" && (await forward(exchange, { prefix, address, replacedToken: token }));
      if (!isHandled) {
        this.#hub.respondCrashed(exchange);
      }
      return;
    }
    if (!isSameToken(tokenIn(exchange), token)) {
      refuseToken(exchange, this.#described === undefined ? prefix : undefined);
      return;
    }
    try {
      await this.#run(exchange, workspace, prefix, path);
    } catch (error) {
      sendFailure(exchange, error);
    }
  }

  async #run(exchange: HttpExchange, workspace: WorkspaceState, prefix: string, path: string): Promise<void> {
    const store = await this.#workspaces.storeOf(workspace.id);
    const match = isTrustRequest(path)
      ? ({ kind: "unknown" } as const)
      : this.#router.match(exchange.request.method ?? "GET", path);
    if (match.kind === "unknown" && this.#described === undefined) {
      await respondToOther(exchange, store, prefix);
      return;
    }
    if (match.kind === "unknown") {
      throw new ContentError(404, "Not Found");
    }
    if (match.kind === "methodNotAllowed") {
      throw new ContentError(405, "Method Not Allowed");
    }
    const { operation, parameters } = match;
    const call = { exchange, store, prefix, parameters, plainText404: this.#faults.sendsPlainText404 };
    if (operation.id === "contents.dataflow.update") {
      await handlers[operation.id](call, { workspace, workspaces: this.#workspaces, file: this.#file });
    } else if (this.#described !== undefined) {
      await respondAsDescribed(operation, call, this.#described);
    } else if (operation.credential === "notebook") {
      await handlers[operation.id](call);
    }
  }
}

function sendFailure(exchange: HttpExchange, error: unknown): void {
  if (error instanceof BodyTooLargeError) {
    throw error;
  }
  if (exchange.response.headersSent) {
    exchange.response.destroy();
  } else if (error instanceof ErrorResponse) {
    sendJson(exchange, error.status, JSON.stringify(error.body()));
  } else if (error instanceof PathEncodingError) {
    sendContentError(exchange, new ContentError(400, `Invalid unicode in path: ${error.message}`));
  } else {
    sendContentError(exchange, error);
  }
}

const version = "2.21.1";
const trustPath = /^api\/contents((?:\/[^/]+)+|\/?)\/trust$/;

/** True for the path of a request to trust a notebook. No content path has this format. */
function isTrustRequest(path: string): boolean {
  return trustPath.test(path);
}

/** Handles requests to a content server that are not in the catalog. Responds to unknown ones with 404. */
async function respondToOther(exchange: HttpExchange, store: ContentStore, prefix: string): Promise<void> {
  const { method } = exchange.request;
  const path = exchange.path.slice(prefix.length);
  const trust = trustPath.exec(path);
  if (path.startsWith("files/")) {
    await sendRawFile(exchange, store, decodePath(path.slice("files/".length)));
  } else if (trust !== null) {
    await trustNotebook(exchange, store, decodePath(trust[1] ?? ""));
  } else if (path === "api" && method === "GET") {
    sendTagged(exchange, JSON.stringify({ version }));
  } else if (path === "login") {
    sendNothing(exchange, 302, { location: prefix });
  } else if (path === "" || path === "lab") {
    sendPage(exchange, 200, "Content server", "A content server of the sample tenant is running here.");
  } else if (path.endsWith("/")) {
    respondToTrailingSlash(exchange);
  } else {
    sendPage(exchange, 404, "404 : Not Found", "You are requesting a page that does not exist!");
  }
}

function respondToTrailingSlash(exchange: HttpExchange): void {
  const target = targetOf(exchange);
  const [path = ""] = target.split("?", 1);
  if (exchange.request.method === "GET" || exchange.request.method === "HEAD") {
    sendNothing(exchange, 302, { location: withoutEnding(path, "/") + target.slice(path.length) });
  } else {
    sendPage(exchange, 403, "403: Forbidden", "");
  }
}

async function trustNotebook(exchange: HttpExchange, store: ContentStore, path: string): Promise<void> {
  if (exchange.request.method !== "POST") {
    sendPage(exchange, 405, "405 : Method Not Allowed", "");
    return;
  }
  try {
    const location = locate(store.root, path);
    const item = kindAt(location) === "file" ? await readItem(store, path, { content: true, type: "file" }) : undefined;
    if (typeof item?.content !== "string") {
      sendPage(exchange, 404, "404 : Not Found", "You are requesting a page that does not exist!");
      return;
    }
    store.trusted.add(fingerprintOf(parseNotebook(item.content)));
    sendNothing(exchange, 201);
  } catch (error) {
    const status = error instanceof ContentError && error.status === 404 ? 404 : 500;
    sendPage(exchange, status, status === 404 ? "404 : Not Found" : "500 : Internal Server Error", "");
  }
}

/**
 * Rejects a request without the right token: with a redirect to the login page for raw files, if they are supported,
 * and with 403 for the API.
 */
function refuseToken(exchange: HttpExchange, prefix: string | undefined): void {
  const { method = "GET" } = exchange.request;
  if (prefix !== undefined && exchange.path.startsWith(`${prefix}files/`)) {
    sendNothing(exchange, 302, { location: `${prefix}login?next=${encodeURIComponent(targetOf(exchange))}` });
    return;
  }
  const message = method === "GET" || method === "HEAD" ? "Forbidden" : "'_xsrf' argument missing from POST";
  sendJson(exchange, 403, JSON.stringify({ message, reason: null }));
}
