import type { Duplex } from "node:stream";

/** Takes the body of a successful answer part by part, in place of keeping it in memory. */
export interface BodyReceiver {
  /** Before the first part of a try; what an earlier try brought does not count. */
  begin(): Promise<void>;
  /** The next part is read only when this has ended. */
  write(part: Uint8Array): Promise<void>;
  /** How what came begins, as far as it is remembered: an error that it is the cause of shows it. */
  readonly beginning?: Uint8Array;
}

/** A receiver could not take what came: no fault of the server, and nothing that a second try changes. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
}

/** The answer has more bytes than are kept; the connection was closed when they came. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";
  readonly maximumBytes: number;

  constructor(maximumBytes: number) {
    super(`the answer has more than ${maximumBytes} bytes`);
    this.maximumBytes = maximumBytes;
  }
}

/** One HTTP exchange as the transport hands it to the HTTP library. No redirect is followed, no status is an error. */
export interface DispatchRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds until the answer's headers, and between two parts of its body. */
  readonly idleLimit: number;
  /** Bytes of the answer's body that have arrived so far, and of all of it where the server tells. */
  readonly onReceived: (bytes: number, total: number | undefined) => void;
  /** Bytes of a 2xx answer's body that are kept in memory; more of them are an AnswerTooLargeError. */
  readonly maximumBytes: number;
  /** Where a 2xx answer's body goes; the answer's own body is empty then. Any other answer is kept in memory. */
  readonly receiver?: BodyReceiver;
}

export interface DispatchAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Bytes that went to a receiver. */
  readonly received?: number;
}

/** A request to speak the WebSocket protocol from now on; its headers name the key and the subprotocols. */
export type SocketRequest = Pick<DispatchRequest, "origin" | "path" | "headers" | "signal" | "idleLimit">;

/** The byte stream that a server opened, or its answer that says why it did not. */
export type SocketAnswer =
  | { readonly type: "opened"; readonly headers: Readonly<Record<string, string>>; readonly stream: Duplex }
  | { readonly type: "refused"; readonly answer: DispatchAnswer };

export interface Dispatcher {
  dispatch(request: DispatchRequest): Promise<DispatchAnswer>;
  /** The stream is paused until it is read. Absent where no sockets are opened. */
  openSocket?(request: SocketRequest): Promise<SocketAnswer>;
  close(): Promise<void>;
}

export interface DispatcherOptions {
  /** Connections to one origin at a time. */
  readonly connections: number;
  /** Address of an HTTP proxy; the environment's (`HTTPS_PROXY`, `NO_PROXY`) counts where it is absent. */
  readonly proxy?: string;
  /** False accepts any server certificate: only where the person switched the editor's check off. */
  readonly strictCertificates?: boolean;
}
