import type { Duplex } from "node:stream";

/** Receives the body of a successful answer in parts, which are not kept in memory. */
export interface BodyReceiver {
  /** Called before the first part of each attempt. Discards the parts of earlier attempts. */
  begin(): Promise<void>;
  /** Writes a part. The next one is read after this has resolved. */
  write(part: Uint8Array): Promise<void>;
  /** The beginning of the received bytes, for errors that they cause. */
  readonly beginning?: Uint8Array;
}

/** The receiver failed. That is not an error of the server, and a retry would not help. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
}

/** The answer exceeds the limit of bytes. The connection was closed. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";
  readonly maximumBytes: number;

  constructor(maximumBytes: number) {
    super(`the answer has more than ${maximumBytes} bytes`);
    this.maximumBytes = maximumBytes;
  }
}

/** An HTTP exchange for the HTTP library. Redirects are not followed, and no status is an error. */
export interface DispatchRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Time limit for the headers, and between two parts of the body, in milliseconds. */
  readonly idleLimit: number;
  /** Called with the received bytes of the body, and the total if the server reports it. */
  readonly onReceived: (bytes: number, total: number | undefined) => void;
  /** Limit of the body of a 2xx answer, in bytes. Beyond it, an AnswerTooLargeError is thrown. */
  readonly maximumBytes: number;
  /**
   * Receives the body of a 2xx answer, whose own body is empty then. The bodies of other answers are kept in memory.
   */
  readonly receiver?: BodyReceiver;
}

export interface DispatchAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Number of bytes that the receiver got. */
  readonly received?: number;
}

/** A request to switch to the WebSocket protocol. Its headers contain the key and the subprotocols. */
export type SocketRequest = Pick<DispatchRequest, "origin" | "path" | "headers" | "signal" | "idleLimit">;

/** The byte stream that the server opened, or its answer if it refused. */
export type SocketAnswer =
  | { readonly type: "opened"; readonly headers: Readonly<Record<string, string>>; readonly stream: Duplex }
  | { readonly type: "refused"; readonly answer: DispatchAnswer };

export interface Dispatcher {
  dispatch(request: DispatchRequest): Promise<DispatchAnswer>;
  /** The stream is paused until it is read. Missing if sockets are not supported. */
  openSocket?(request: SocketRequest): Promise<SocketAnswer>;
  close(): Promise<void>;
}

export interface DispatcherOptions {
  /** Limit of the connections to one origin. */
  readonly connections: number;
  /** Address of an HTTP proxy. By default, the environment variables `HTTPS_PROXY` and `NO_PROXY` apply. */
  readonly proxy?: string;
  /** False accepts any server certificate. Only if the user turned off the editor's check. */
  readonly strictCertificates?: boolean;
}
