import type { DispatchResponse } from "../../../src/api/http/dispatch.ts";
import type { Transport, TransportRequest } from "../../../src/api/http/transport.ts";
import { TransportError } from "../../../src/api/http/transport-errors.ts";
import { isNotebook, withServerIds } from "./contents.ts";
import type { SharedFolder } from "./folder.ts";

/**
 * How the next change of a window fails. `lost response`: the server makes the change, but the response is lost. `offline
 * afterwards`: and so are all responses to later requests of the same step.
 */
export type Fault = "413" | "507" | "unsent" | "lost response" | "offline afterwards";

/** A connection to a server that rewrites what it stores, and that can fail. */
export class FaultyConnection implements Transport {
  readonly #transport: Transport;
  readonly #contentPath: string;
  readonly #folder: SharedFolder;
  #next: Fault | undefined;
  #isOffline = false;
  /** True if a fault has occurred since `begin`. */
  hasFailed = false;

  /** `contentPath` is that of the folder. */
  constructor(transport: Transport, contentPath: string, folder: SharedFolder) {
    this.#transport = transport;
    this.#contentPath = contentPath;
    this.#folder = folder;
  }

  /** Makes the next change fail. */
  fail(fault: Fault | undefined): void {
    this.#next = fault;
  }

  /** Begins a step. */
  begin(): void {
    this.#isOffline = false;
    this.hasFailed = false;
  }

  async send(request: TransportRequest): Promise<DispatchResponse> {
    if (this.#isOffline) throw lost(false);
    const isOfFile = request.url.pathname.includes(`/api/contents/${this.#contentPath}/`);
    const isChange = isOfFile && ["PUT", "POST", "PATCH", "DELETE"].includes(request.method);
    const fault = isChange ? this.#next : undefined;
    if (fault === undefined) return this.#sendWhole(request);
    this.#next = undefined;
    this.hasFailed = true;
    switch (fault) {
      case "413":
      case "507":
        return refusal(Number(fault));
      case "unsent":
        throw lost(false);
      case "lost response":
        await this.#sendWhole(request);
        throw lost(true);
      case "offline afterwards":
        await this.#sendWhole(request);
        this.#isOffline = true;
        throw lost(true);
    }
  }

  async close(): Promise<void> {}

  async #sendWhole(request: TransportRequest): Promise<DispatchResponse> {
    const path = this.#written(request);
    const response = await this.#transport.send(path === undefined ? request : this.#rewritten(path, request));
    if (path !== undefined && response.status < 300) this.#folder.writePair(path);
    return response;
  }

  /** The path, below the folder, of the file whose content is written. */
  #written({ method, url }: TransportRequest): string | undefined {
    const [, path] = decodeURIComponent(url.pathname).split(`/api/contents/${this.#contentPath}/`);
    return method === "PUT" ? path : undefined;
  }

  #rewritten(path: string, request: TransportRequest): TransportRequest {
    const { body } = request;
    const { rewriting } = this.#folder;
    if (body === undefined) return request;
    if (rewriting === "final newline" && !isNotebook(path)) {
      const update: { readonly content: string } = JSON.parse(body);
      const content = `${update.content.trimEnd()}\n\n`;
      return { ...request, body: JSON.stringify({ ...update, content }) };
    }
    if (rewriting === "cell ids" && isNotebook(path)) {
      const update: { readonly content: unknown } = JSON.parse(body);
      const content: unknown = JSON.parse(withServerIds(JSON.stringify(update.content)));
      return { ...request, body: JSON.stringify({ ...update, content }) };
    }
    return request;
  }
}

function lost(reachedServer: boolean): TransportError {
  const code = reachedServer ? "ECONNRESET" : "ECONNREFUSED";
  return new TransportError({ type: "network", code, reachedServer, message: "the connection was lost" });
}

function refusal(status: number): DispatchResponse {
  const body = Buffer.from(JSON.stringify({ message: `made up ${status}`, reason: null }));
  return { status, headers: { "content-type": "application/json" }, body };
}
