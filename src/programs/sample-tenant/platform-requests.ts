import { type DescribedMode, isDescribed } from "./described/mode.ts";
import { describedCall, describedResponse } from "./described/platform.ts";
import { handlers } from "./handlers.ts";
import { type HttpExchange, readBody, send, sendJson, sendNothing } from "./http.ts";
import { checkedBody } from "./platform/body-check.ts";
import type { PlatformResponse, Wire } from "./platform/handler.ts";
import { ErrorResponse } from "./platform/handler.ts";
import { checkQuery } from "./platform/query-check.ts";
import { PathEncodingError, Router } from "./router.ts";
import type { StateFile } from "./state.ts";
import { isSameToken, type Tokens } from "./tokens.ts";
import type { Workspaces } from "./workspaces.ts";

/** Handles requests to the platform itself. */
export class PlatformRequests {
  readonly #workspaces: Workspaces;
  readonly #file: StateFile;
  readonly #wire: Wire;
  readonly #router: Router;
  readonly #described: DescribedMode | undefined;
  readonly #headerName: string;
  readonly #headerValue: string;

  constructor(parts: {
    readonly workspaces: Workspaces;
    readonly file: StateFile;
    readonly tokens: Tokens;
    readonly wire: Wire;
    /** Undefined for a platform with all features that are known from public sources. */
    readonly described?: DescribedMode | undefined;
  }) {
    this.#workspaces = parts.workspaces;
    this.#file = parts.file;
    this.#wire = parts.wire;
    this.#described = parts.described;
    this.#router = new Router("platform", parts.wire.dialect, parts.described === undefined ? undefined : isDescribed);
    const { name, template } = parts.wire.dialect.headers.platform;
    this.#headerName = name.toLowerCase();
    this.#headerValue = template.replace("{token}", parts.tokens.platform);
  }

  async handle(exchange: HttpExchange): Promise<void> {
    try {
      const handle = await this.#run(exchange);
      if ("bytes" in handle) {
        send(exchange, handle.status, { "content-type": handle.contentType }, handle.bytes);
      } else if (handle.status === 204) {
        sendNothing(exchange, 204);
      } else {
        sendJson(exchange, handle.status, JSON.stringify(handle.body));
      }
    } catch (error) {
      const failure =
        error instanceof ErrorResponse
          ? error
          : error instanceof PathEncodingError
            ? new ErrorResponse(400, "The path is not encoded correctly.")
            : undefined;
      if (failure === undefined) {
        throw error;
      }
      sendJson(exchange, failure.status, JSON.stringify(failure.body()));
    }
  }

  async #run(exchange: HttpExchange): Promise<PlatformResponse> {
    const header = exchange.request.headers[this.#headerName];
    if (!isSameToken(typeof header === "string" ? header : undefined, this.#headerValue)) {
      throw new ErrorResponse(401, "Unauthorized");
    }
    const path = exchange.path.replace(/^\//, "");
    const match = this.#router.match(exchange.request.method ?? "GET", path);
    if (match.kind === "unknown" || (match.kind === "methodNotAllowed" && this.#described !== undefined)) {
      throw new ErrorResponse(404, `No static resource ${path} for request`);
    }
    if (match.kind === "methodNotAllowed") {
      throw new ErrorResponse(405, `Request method '${exchange.request.method}' is not supported`);
    }
    const { operation, parameters } = match;
    if (operation.credential !== "platform") {
      throw new ErrorResponse(404, `No static resource ${path} for request`);
    }
    const body = await this.#bodyOf(exchange);
    const checked = checkedBody(operation.body, body);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      throw new ErrorResponse(400, `${issue?.path.join(".") || "body"}: ${issue?.message ?? "not valid"}`);
    }
    const given = {
      workspaces: this.#workspaces,
      file: this.#file,
      wire: this.#wire,
      parameters,
      query: exchange.query,
      body: checked.data,
    };
    const call = this.#described === undefined ? given : describedCall(operation, given, this.#described);
    checkQuery(operation, call.query);
    const handle = await handlers[operation.id](call);
    return this.#described === undefined ? handle : describedResponse(operation, handle);
  }

  async #bodyOf(exchange: HttpExchange): Promise<unknown> {
    const text = (await readBody(exchange.request)).toString("utf8");
    if (text.trim() === "") {
      return undefined;
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new ErrorResponse(400, "The body is not JSON.");
    }
  }
}
