import type { Duplex } from "node:stream";

/** Receives the body of a successful response in parts, so that it is never completely in memory. */
export interface BodyReceiver {
  /** Called before the first part of each attempt. Discards the parts of earlier attempts. */
  begin(): Promise<void>;
  /** Writes a part. The next part is read after the promise resolves. */
  write(part: Uint8Array): Promise<void>;
  /** The beginning of the received bytes, for errors that they cause. */
  readonly beginning?: Uint8Array;
}

/** The receiver failed. This is not a server error, so a retry wouldn't help. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
}

/** The response exceeds the size limit. The connection was closed. */
export class ResponseTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";
  readonly maximumBytes: number;

  constructor(maximumBytes: number) {
    super(`the answer has more than ${maximumBytes} bytes`);
    this.maximumBytes = maximumBytes;
  }
}

/** A request to the HTTP library. Redirects are not followed, and no status is an error. */
export interface DispatchRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Time limit for the headers and between two parts of the body, in milliseconds. */
  readonly idleLimit: number;
  /**
   * Called with the received bytes of the body, and the total if the server reports it. While a returned promise is
   * pending, nothing more is read, which makes the server wait. If it rejects, the request fails.
   */
  readonly onReceived: (bytes: number, total: number | undefined) => void | Promise<void>;
  /** Maximum size of the body of a 2xx response, in bytes. A larger body throws an AnswerTooLargeError. */
  readonly maximumBytes: number;
  /**
   * Receives the body of a 2xx response, which then has an empty body. The bodies of other responses are kept in
   * memory.
   */
  readonly receiver?: BodyReceiver;
}

export interface DispatchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Number of bytes that the receiver was given. */
  readonly received?: number;
}

/** A request to switch to the WebSocket protocol. Its headers contain the key and the subprotocols. */
export type SocketRequest = Pick<DispatchRequest, "origin" | "path" | "headers" | "signal" | "idleLimit">;

/** The byte stream, or the response if the server refused. */
export type SocketResponse =
  | { readonly type: "opened"; readonly headers: Readonly<Record<string, string>>; readonly stream: Duplex }
  | { readonly type: "refused"; readonly response: DispatchResponse };

export interface Dispatcher {
  dispatch(request: DispatchRequest): Promise<DispatchResponse>;
  /** Opens a stream, which is paused until it is read. Absent if sockets are not supported. */
  openSocket?(request: SocketRequest): Promise<SocketResponse>;
  /** Closes all connections. */
  close(): Promise<void>;
  /** Closes each connection when its request ends. Absent if there is nothing to wait for. */
  retire?(): Promise<void>;
}
