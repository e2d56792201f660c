import type { Duplex } from "node:stream";
import type { ContentClient } from "../../client/client.ts";
import { obstacleOf, obstacleOfError } from "../../client/server-obstacle.ts";
import { openServerSocket, type ServerSocket } from "../../client/server-socket.ts";
import { errorMessage } from "../../error-message.ts";
import type { DispatchResponse } from "../../http/dispatch.ts";
import type { Log } from "../../http/log.ts";
import { type SocketMessage, WebSocketConnection } from "../../http/web-socket.ts";
import type { Obstacle } from "../../obstacle.ts";
import { phrase, type Text } from "../../phrase.ts";
import type { ConnectionTimes } from "../connection/connection.ts";
import { KernelUnreachableError } from "../connection/connection-state.ts";
import { getKernel } from "../operations.ts";
import type { Input, KernelCheck, SocketRefusal } from "../protocol/input.ts";
import { defaultTimes } from "../protocol/link.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { binaryProtocol, decodeMessage } from "../wire/message-codec.ts";

/** Default maximum size of a message, in bytes. An image in a notebook can have a few megabytes. */
const maxMessageBytes = 256 * 1024 * 1024;
const maxFragments = 100_000;

interface KernelSocketsOptions {
  readonly client: () => Promise<ContentClient>;
  readonly kernelId: string;
  readonly sessionId: string;
  readonly times?: Partial<ConnectionTimes> | undefined;
  readonly messageBytes?: number | undefined;
  readonly log: Log;
}

interface KernelSocketsListener {
  onInput(input: Input): void;
  /** While a returned promise is pending, reading from the socket pauses. */
  onMessages(socket: number, messages: readonly IncomingMessage[]): void | Promise<void>;
  /** True while something waits for the kernel's messages. */
  awaitsMessages(): boolean;
}

interface Socket {
  readonly number: number;
  readonly connection: WebSocketConnection;
}

/** The sockets of one kernel, and the requests for its state. */
export class KernelSockets {
  readonly #options: KernelSocketsOptions;
  readonly #listener: KernelSocketsListener;
  readonly #times: ConnectionTimes;
  readonly #requests = new Map<number, AbortController>();
  /** The socket that opened last, until it has ended. */
  #socket: Socket | undefined;
  readonly #closed = Promise.withResolvers<void>();
  #isDisposed = false;

  constructor(options: KernelSocketsOptions, listener: KernelSocketsListener) {
    this.#options = options;
    this.#listener = listener;
    this.#times = { ...defaultTimes, ...options.times };
  }

  /** Number of bytes that the open socket has received; 0 without one. */
  get bytesReceived(): number {
    return this.#socket?.connection.bytesReceived ?? 0;
  }

  /** Resolves when it is disposed and both sides have closed the socket, within 2 seconds. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Requests the kernel's state. */
  check(check: number): void {
    void this.#request(check, (signal) => this.#checked(signal)).then((result) => {
      if (result !== "aborted") {
        this.#listener.onInput({ type: "kernelChecked", check, result });
      }
    });
  }

  /** Opens a socket. The server may wait for the kernel to start. */
  open(socket: number): void {
    void this.#request(socket, (signal) => this.#requested(signal)).then((response) => {
      if (response === "aborted") {
        return;
      }
      if (response.type !== "accepted") {
        this.#listener.onInput({ type: "refused", socket, refusal: response });
        return;
      }
      const { stream, protocol } = response;
      this.#socket = this.#connect(socket, stream, protocol);
      this.#listener.onInput({ type: "opened", socket, protocol });
    });
  }

  abort({ check, socket }: { readonly check?: number; readonly socket?: number }): void {
    for (const number of [check, socket]) {
      if (number !== undefined) {
        this.#requests.get(number)?.abort();
        this.#requests.delete(number);
      }
    }
  }

  send(socket: number, data: Uint8Array | string): void {
    this.#open(socket)?.send(data);
  }

  ping(socket: number): void {
    this.#open(socket)?.ping();
  }

  /** Closes a socket: with a reason, at once. */
  close(socket: number, reason: string | undefined): void {
    const connection = this.#open(socket);
    if (reason === undefined) {
      connection?.close();
    } else {
      connection?.destroy(reason);
    }
  }

  /** Call this after the protocol has closed the socket. */
  dispose(): void {
    this.#isDisposed = true;
    if (this.#socket === undefined) {
      this.#closed.resolve();
    }
  }

  #open(socket: number): WebSocketConnection | undefined {
    return this.#socket?.number === socket ? this.#socket.connection : undefined;
  }

  async #request<T>(number: number, request: (signal: AbortSignal) => Promise<T>): Promise<T | "aborted"> {
    const controller = new AbortController();
    this.#requests.set(number, controller);
    const result = await request(controller.signal);
    this.#requests.delete(number);
    return controller.signal.aborted ? "aborted" : result;
  }

  async #checked(signal: AbortSignal): Promise<KernelCheck> {
    const { client, kernelId } = this.#options;
    try {
      const check = AbortSignal.any([signal, AbortSignal.timeout(this.#times.check)]);
      const response = await (await client()).raw(getKernel, { kernelId, no_track_activity: 1 }, { signal: check });
      const obstacle = obstacleOf(response, "kernel");
      return obstacle === undefined ? { type: "exists" } : { type: "obstacle", obstacle };
    } catch (error) {
      return { type: "failed", obstacle: obstacleOfKernelError(error) };
    }
  }

  async #requested(signal: AbortSignal): Promise<Extract<ServerSocket, { readonly type: "accepted" }> | SocketRefusal> {
    const { client, kernelId, sessionId } = this.#options;
    const path = `api/kernels/${encodeURIComponent(kernelId)}/channels?session_id=${encodeURIComponent(sessionId)}`;
    const request = { path, protocols: [binaryProtocol], signal, idleLimit: this.#times.handshake };
    try {
      const socket = await openServerSocket(await client(), request);
      switch (socket.type) {
        case "accepted":
          return socket;
        case "refused":
          return refusalOf(socket.response);
        case "failed":
          return waitingFor(socket.reason);
      }
    } catch (error) {
      return { type: "obstacle", obstacle: obstacleOfKernelError(error) };
    }
  }

  #connect(number: number, stream: Duplex, protocol: string | undefined): Socket {
    const limits = { bytes: this.#options.messageBytes ?? maxMessageBytes, fragments: maxFragments };
    const connection = new WebSocketConnection(
      stream,
      {
        onMessages: (messages) => this.#listener.onMessages(number, this.#decoded(messages, protocol)),
        awaitsMessages: () => this.#listener.awaitsMessages(),
        onEnd: ({ reason }) => {
          if (this.#socket?.number === number) {
            this.#socket = undefined;
          }
          if (this.#isDisposed) {
            this.#closed.resolve();
          }
          this.#listener.onInput({ type: "closed", socket: number, reason });
        },
      },
      limits,
    );
    return { number, connection };
  }

  #decoded(messages: readonly SocketMessage[], protocol: string | undefined): readonly IncomingMessage[] {
    const decoded: IncomingMessage[] = [];
    for (const message of messages) {
      try {
        decoded.push(decodeMessage(message, protocol));
      } catch (error) {
        this.#options.log.warn(`kernel ${this.#options.kernelId}: ${errorMessage(error)}`);
      }
    }
    return decoded;
  }
}

function refusalOf(response: DispatchResponse): SocketRefusal {
  if (response.status === 404) {
    return { type: "unknownKernel" };
  }
  const obstacle = obstacleOf(response, "kernel");
  return obstacle === undefined
    ? waitingFor(phrase`the server didn't open a WebSocket to the kernel`)
    : { type: "obstacle", obstacle };
}

function waitingFor(reason: Text): SocketRefusal {
  return { type: "obstacle", obstacle: { type: "waiting", reason } };
}

function obstacleOfKernelError(error: unknown): Obstacle {
  return error instanceof KernelUnreachableError ? { type: error.state, reason: error.text } : obstacleOfError(error);
}
