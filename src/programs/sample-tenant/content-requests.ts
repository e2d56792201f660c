import type { Dialect } from "../../api/http/dialects.ts";
import { isSameToken, refuse, tokenIn } from "./content-server/authorization.ts";
import { ContentError } from "./content-server/errors.ts";
import { sendContentError } from "./content-server/handlers.ts";
import { answerOther, isTrustRequest } from "./content-server/other-requests.ts";
import type { Faults } from "./faults.ts";
import { type ContentServerAddress, forward } from "./forward.ts";
import { handlers } from "./handlers.ts";
import { BodyTooLargeError, type Exchange, sendJson } from "./http.ts";
import type { Hub } from "./hub.ts";
import { PlatformError } from "./platform/errors.ts";
import { PathEncodingError, Router } from "./routes.ts";
import type { StateFile, WorkspaceState } from "./state.ts";
import type { Tokens } from "./tokens.ts";
import { namespace } from "./user.ts";
import { shortIdOf, type Workspaces } from "./workspaces.ts";

/** Another content server that stands behind a workspace; undefined for the embedded one. */
export type AddressOfServer = (workspaceId: string) => Promise<ContentServerAddress> | undefined;

/** Answers what is sent to the workspaces' content servers, `/user/{namespace}/{short id}/...`. */
export class ContentRequests {
  readonly #workspaces: Workspaces;
  readonly #file: StateFile;
  readonly #tokens: Tokens;
  readonly #faults: Faults;
  readonly #hub: Hub;
  readonly #router: Router;
  readonly #addressOf: AddressOfServer;

  constructor(parts: {
    readonly workspaces: Workspaces;
    readonly file: StateFile;
    readonly tokens: Tokens;
    readonly faults: Faults;
    readonly hub: Hub;
    readonly dialect: Dialect;
    readonly addressOf: AddressOfServer;
  }) {
    this.#workspaces = parts.workspaces;
    this.#file = parts.file;
    this.#tokens = parts.tokens;
    this.#faults = parts.faults;
    this.#hub = parts.hub;
    this.#router = new Router("notebook", parts.dialect);
    this.#addressOf = parts.addressOf;
  }

  /** The workspace that a path names, whether it runs or not. */
  workspaceOf(path: string): WorkspaceState | undefined {
    const [, , name, shortId = ""] = path.split("/");
    return name === namespace ? this.#workspaces.findByShortId(shortId) : undefined;
  }

  async answer(exchange: Exchange): Promise<void> {
    const workspace = this.workspaceOf(exchange.path);
    const status = workspace === undefined ? "stopped" : this.#workspaces.statusOf(workspace);
    if (status === "crashed") {
      this.#hub.answerCrashed(exchange);
    } else if (workspace === undefined || status !== "running") {
      this.#hub.answerNotRunning(exchange);
    } else {
      this.#hub.markRunning(exchange);
      await this.#answerRunning(exchange, workspace);
    }
  }

  async #answerRunning(exchange: Exchange, workspace: WorkspaceState): Promise<void> {
    const prefix = `/user/${namespace}/${shortIdOf(workspace.id)}/`;
    const token = this.#tokens.notebook(workspace.id);
    const path = exchange.path.slice(prefix.length);
    const isScheduling = /\/notebooks\/[^/]+\/dataflow$/.test(path);
    const address = isScheduling ? undefined : this.#addressOf(workspace.id);
    if (address !== undefined) {
      const found = await address.catch(() => undefined);
      if (found === undefined || !(await forward(exchange, { prefix, address: found, replacedToken: token }))) {
        this.#hub.answerCrashed(exchange);
      }
      return;
    }
    if (!isSameToken(tokenIn(exchange), token)) {
      refuse(exchange, prefix);
      return;
    }
    try {
      await this.#run(exchange, workspace, prefix, path);
    } catch (error) {
      sendFailure(exchange, error);
    }
  }

  async #run(exchange: Exchange, workspace: WorkspaceState, prefix: string, path: string): Promise<void> {
    const store = await this.#workspaces.storeOf(workspace.id);
    const match = isTrustRequest(path)
      ? ({ kind: "unknown" } as const)
      : this.#router.match(exchange.request.method ?? "GET", path);
    if (match.kind === "unknown") {
      await answerOther(exchange, store, prefix);
      return;
    }
    if (match.kind === "methodNotAllowed") {
      throw new ContentError(405, "Method Not Allowed");
    }
    const { operation, parameters } = match;
    const call = { exchange, store, prefix, parameters, plainText404: this.#faults.tellsMissingInPlainText };
    if (operation.id === "contents.dataflow.update") {
      await handlers[operation.id](call, { workspace, workspaces: this.#workspaces, file: this.#file });
    } else if (operation.credential === "notebook") {
      await handlers[operation.id](call);
    }
  }
}

function sendFailure(exchange: Exchange, error: unknown): void {
  if (error instanceof BodyTooLargeError) {
    throw error;
  }
  if (exchange.response.headersSent) {
    exchange.response.destroy();
  } else if (error instanceof PlatformError) {
    sendJson(exchange, error.status, JSON.stringify(error.body()));
  } else if (error instanceof PathEncodingError) {
    sendContentError(exchange, new ContentError(400, `Invalid unicode in path: ${error.message}`));
  } else {
    sendContentError(exchange, error);
  }
}
