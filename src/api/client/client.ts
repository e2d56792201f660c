import { InputError } from "../catalogue/content-path.ts";
import { type AnyOperation, acceptsQuery, type InputOf, type ResponseOf } from "../catalogue/operation.ts";
import type { CredentialKind } from "../http/credentials.ts";
import { type Dialect, pathTemplateOf } from "../http/dialects.ts";
import type { BodyReceiver, DispatchResponse, SocketRequest, SocketResponse } from "../http/dispatch.ts";
import { PlatformError, type ResponseSnapshot } from "../http/errors.ts";
import { type Log, silentLog } from "../http/log.ts";
import type { Transport } from "../http/transport.ts";
import { TransportError } from "../http/transport-errors.ts";
import { phrase } from "../phrase.ts";
import { SerialWork } from "../serial-work.ts";
import { AccountScope } from "./account-scope.ts";
import { isMissingOperation } from "./missing-operation.ts";
import { invalidInput, operationError, snapshot } from "./operation-errors.ts";
import { type Destination, type PreparedRequest, prepareRequest } from "./request.ts";
import { readResponse } from "./response-reader.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Cancels the request only while it waits for earlier requests to the same URL. */
  readonly waitingSignal?: AbortSignal;
  /** Called with the received bytes of the response, and the total if the server reports it. */
  readonly onReceived?: (bytes: number, total?: number) => void;
  /** Receives the body of a successful binary response in parts. The response then has no body of its own. */
  readonly receiver?: BodyReceiver;
  /** The ETag of the known version. If it is still current, the server responds with 304 without a body. */
  readonly ifNoneMatch?: string;
  /** Called with the raw response before it is validated. Applies only to `call`. */
  readonly onResponse?: (response: RawResponse) => void;
  /**
   * Maximum nesting of the JSON response, in levels, instead of the client's limit. Only for callers that process the
   * response without recursion.
   */
  readonly maxDepth?: number;
  /**
   * True to return the JSON of a successful response even if it lacks required fields. Only for callers that show the
   * response without reading its fields.
   */
  readonly acceptsAnyShape?: boolean;
}

/** The raw response (`return_raw` in the description). No status is an error, and nothing is validated. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type OperationOf<Kind extends CredentialKind> = AnyOperation & { readonly credential: Kind };

/** Shared by all clients, because the front door creates a client for each call. */
const serialRequests = new SerialWork();

/** Loaded on the first error. */
const exchangeErrors = () => import("./exchange-errors.ts");

/** Sends a request after all earlier requests to the same URL. If it is canceled while it waits, it is never sent. */
function sendInTurn<T>(url: string, send: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const canceled = (): TransportError => new TransportError({ type: "cancelled" });
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(canceled());
    signal?.addEventListener("abort", stop, { once: true });
    const begin = async (): Promise<T> => {
      signal?.removeEventListener("abort", stop);
      if (signal?.aborted === true) {
        throw canceled();
      }
      return send();
    };
    serialRequests.run([url], begin).then(resolve, reject);
  });
}

/** Runs operations on one destination: builds and validates the request, sends it, and validates the response. */
export class Client<Kind extends CredentialKind> {
  readonly #destination: Destination<Kind>;
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #reported = new Set<string>();
  #userId: string | undefined;

  /** What is remembered for the account whose credential this client sends. */
  readonly account: AccountScope;

  constructor(
    destination: Destination<Kind>,
    transport: Transport,
    log: Log = silentLog,
    account: AccountScope = new AccountScope(),
  ) {
    this.account = account;
    this.#destination = destination;
    this.#transport = transport;
    this.#log = log;
  }

  /** The address of the server. */
  get base(): URL {
    return new URL(this.#destination.base);
  }

  /**
   * Runs an operation and resolves with its response. Throws a PlatformError of the kind that the operation declares
   * for the status, or of kind `request` if the input is invalid. Invalid input is not sent.
   */
  async call<O extends OperationOf<Kind>>(
    operation: O,
    input: InputOf<O>,
    options: CallOptions = {},
  ): Promise<ResponseOf<O>> {
    return (await this.#run(operation, input, options)) as ResponseOf<O>;
  }

  async #run(operation: AnyOperation, input: object, options: CallOptions): Promise<unknown> {
    const named = this.#named(operation);
    const response = await this.#send(named, input, options);
    options.onResponse?.(response);
    const { beginning = response.body } = (response.received === undefined ? undefined : options.receiver) ?? {};
    const lazySnapshot = snapshot(
      { ...response, body: beginning },
      this.#destination.credential,
      operation.confidential,
    );
    if (response.status < 200 || response.status > 299) {
      const { responseError } = await exchangeErrors();
      throw responseError(named, input, response, lazySnapshot);
    }
    const { limits } = this.#destination;
    const depth = options.maxDepth ?? limits.depth;
    const { value, wrongFields } = await readResponse(
      named,
      input,
      { response, limits: { ...limits, depth }, acceptsAnyShape: options.acceptsAnyShape ?? false },
      lazySnapshot,
    );
    this.#reportWrong(named, wrongFields);
    return value;
  }

  /**
   * The id of the signed-in user, requested once (API description, 2.8). Throws a PlatformError of kind `retrieval`.
   */
  async signedInUserId(signedInUser: AnyOperation, options: Pick<CallOptions, "signal"> = {}): Promise<string> {
    if (this.#userId === undefined) {
      const { id } = (await this.#run(signedInUser, {}, options)) as { readonly id?: unknown };
      if (id === undefined || id === null || id === "") {
        throw operationError(
          signedInUser,
          {},
          {
            kind: signedInUser.errors.otherwise.kind,
            cause: { type: "unexpectedResponse", fields: ["id"] },
            reason: phrase`the platform didn't return the user's ID`,
          },
        );
      }
      this.#userId = String(id);
    }
    return this.#userId;
  }

  /** Runs an operation and resolves with its raw response. Throws a PlatformError only if there is no response. */
  async raw<O extends OperationOf<Kind>>(
    operation: O,
    input: InputOf<O>,
    options: CallOptions = {},
  ): Promise<RawResponse> {
    return this.#send(this.#named(operation), input, options);
  }

  /**
   * The parts of a response that can be shown: its headers, and up to `length` characters of its body, without the
   * credential. For an error status, values with names of secrets are redacted, too.
   */
  shown(response: RawResponse, length: number): ResponseSnapshot {
    const isSuccess = response.status >= 200 && response.status <= 299;
    return snapshot(response, this.#destination.credential, undefined, length, isSuccess ? "given" : undefined)();
  }

  /** Validates an input like `call`, but sends nothing. Throws a PlatformError of kind `request`. */
  prepare<O extends OperationOf<Kind>>(operation: O, input: InputOf<O>): PreparedRequest {
    return prepareRequest(this.#named(operation), input, this.#destination);
  }

  /** The dialect of the destination. */
  get dialect(): Dialect {
    return this.#destination.dialect;
  }

  /**
   * True if the query parameter can be sent, because the API description contains it or the platform is known to
   * support it.
   */
  accepts(operation: OperationOf<Kind>, parameter: string): boolean {
    return acceptsQuery(operation, parameter, this.#destination.dialect);
  }

  /**
   * The URL and headers of a WebSocket at a path of the destination. The headers contain the credential. Throws an
   * InputError if the credential belongs to another origin.
   */
  #socketTo(path: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
    const { base, credential, dialect } = this.#destination;
    if (base.origin !== credential.origin) {
      throw new InputError("origin", phrase`its credential was confirmed only for ${credential.origin}`);
    }
    const url = new URL(path, base.href.endsWith("/") ? base : `${base.href}/`);
    url.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    const { name, template } = dialect.headers[credential.kind];
    return { url, headers: { [name]: template.replace("{token}", () => credential.reveal()) } };
  }

  /**
   * Opens a WebSocket at a path of the destination, without retries. Resolves with undefined if this runtime doesn't
   * support WebSockets.
   */
  async openSocket(
    path: string,
    options: Pick<SocketRequest, "headers" | "signal" | "idleLimit">,
  ): Promise<SocketResponse | undefined> {
    const { url, headers } = this.#socketTo(path);
    return await this.#transport.openSocket?.({
      ...options,
      origin: url.origin.replace("ws", "http"),
      path: url.pathname + url.search,
      headers: { ...options.headers, ...headers },
    });
  }

  /** Adds the method and path to an operation whose errors (of kind `route`) include them. */
  #named(operation: AnyOperation): AnyOperation {
    if (operation.errors.otherwise.kind !== "route") {
      return operation;
    }
    const path = pathTemplateOf(operation, this.#destination.dialect);
    return { ...operation, route: `${operation.method} ${path}` };
  }

  async #send(operation: AnyOperation, input: object, options: CallOptions): Promise<DispatchResponse> {
    const { method, url, header, body } = prepareRequest(operation, input, this.#destination);
    await this.#checkOwner(operation, input, options);
    const send = (): Promise<DispatchResponse> =>
      this.#transport.send({
        method,
        url,
        credential: this.#destination.credential,
        header,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(operation.responseFormat === "bytes" ? { accept: "*/*" } : {}),
          ...(options.ifNoneMatch === undefined ? {} : { "if-none-match": options.ifNoneMatch }),
        },
        body,
        repeat: operation.method === "GET" || operation.effect === "read" ? "repeatable" : "once",
        timeLimitMs: operation.timeLimitMs,
        transfer: operation.transfer,
        signal: options.signal,
        maximumBytes: this.#destination.limits[operation.responseFormat === "bytes" ? "bytes" : "jsonBytes"],
        confidential: operation.confidential !== undefined,
        ...(options.onReceived === undefined ? {} : { onReceived: options.onReceived }),
        ...(options.receiver === undefined ? {} : { receiver: options.receiver }),
      });
    try {
      return await (operation.isSerial === true
        ? sendInTurn(url.href, send, options.signal ?? options.waitingSignal)
        : send());
    } catch (error) {
      if (error instanceof TransportError) {
        const { transportError } = await exchangeErrors();
        throw transportError(operation, input, error.failure, url);
      }
      throw error;
    }
  }

  /**
   * Rejects a body that must contain the id of the signed-in user but contains another id. Runs before the request is
   * sent. On a platform that doesn't return the signed-in user, any id is accepted.
   */
  async #checkOwner(operation: AnyOperation, input: object, { signal }: CallOptions): Promise<void> {
    const { body }: { readonly body?: unknown } = input;
    const member = operation.signedInUserMember?.(body);
    if (member === undefined || operation.signedInUser === undefined || typeof body !== "object" || body === null) {
      return;
    }
    let own: string;
    try {
      own = await this.signedInUserId(operation.signedInUser, signal === undefined ? {} : { signal });
    } catch (error) {
      if (isMissingOperation(operation.signedInUser, error)) {
        // The API description has no such operation, so the caller's id can't be checked.
        return;
      }
      throw error instanceof PlatformError
        ? error.withRemark(phrase`The request wasn't sent because it must name the signed-in user.`)
        : error;
    }
    if (String(Reflect.get(body, member)) !== own) {
      throw invalidInput(operation, input, `body.${member}`, phrase`it must be the ID of the signed-in user, ${own}`);
    }
  }

  /** Logs each wrong optional field once. */
  #reportWrong({ id }: AnyOperation, fields: readonly string[]): void {
    for (const field of fields) {
      const key = `${id} ${field.replace(/\d+/g, "#")}`;
      if (!this.#reported.has(key)) {
        this.#reported.add(key);
        this.#log.warn(`${id}: the field ${field} of the response is missing or has another type than described`);
      }
    }
  }
}

export type PlatformClient = Client<"platform">;
export type ContentClient = Client<"notebook">;
/** Sends operations to a content server, whose address can change between calls. */
export type ContentCaller = Pick<ContentClient, "call">;
