import type { ContentClient } from "../../../client/client.ts";
import { type Clock, systemClock } from "../../../clock.ts";
import { errorMessage } from "../../../error-message.ts";
import { PlatformError } from "../../../http/errors.ts";
import { type Log, silentLog } from "../../../http/log.ts";
import { type SocketEnd, type SocketMessage, socketHandshake, WebSocketConnection } from "../../../http/web-socket.ts";
import { phrase, type Text } from "../../../phrase.ts";
import { getKernel } from "../../operations.ts";
import { type IncomingMessage, MessageTooLargeError, type OutgoingMessage } from "../../wire/kernel-message.ts";
import { binaryProtocol, decodeMessage, encodeMessage } from "../../wire/message-codec.ts";
import type { ConnectionTimes } from "../connection.ts";
import { type ConnectionState, type KernelEnd, KernelUnreachableError } from "../connection-state.ts";
import { type Obstacle, obstacleOf } from "./connection-obstacle.ts";
import { openUnlessGone } from "./socket-opening.ts";
import { SocketWatch } from "./socket-watch.ts";

/** Default maximum size of a message, in bytes. An image in a notebook can have a few megabytes. */
const maxMessageBytes = 256 * 1024 * 1024;
/** Default of the server's limit (`websocket_max_message_size`), in bytes. Beyond it, the server closes the connection. */
const defaultMaxSentBytes = 10 * 1024 * 1024;
const maxFragments = 100_000;
/**
 * Milliseconds. A socket that breaks sooner counts as a failed attempt, to avoid flooding a server that accepts and
 * then drops connections.
 */
const shortLifeMs = 5000;
const defaultTimes: ConnectionTimes = {
  ping: 30_000,
  firstPauseMs: 500,
  maxPauseMs: 30_000,
  handshake: 60_000,
  starting: 5000,
  running: 4000,
  check: 15_000,
};

export interface LinkOptions {
  readonly client: () => Promise<ContentClient>;
  readonly kernelId: string;
  readonly sessionId: string;
  readonly times?: Partial<ConnectionTimes> | undefined;
  readonly messageBytes?: number | undefined;
  readonly maxSentBytes?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log;
  /** True while executions are awaited and somebody is present. */
  readonly isRunning?: () => boolean;
}

export interface LinkListener {
  onState(state: ConnectionState): void;
  /** A socket opened. Messages are sent on it from now on. */
  onOpen(): void;
  /**
   * Called with messages that arrived together. While a returned promise is pending, no more messages are passed on.
   */
  onMessages(messages: readonly IncomingMessage[]): void | Promise<void>;
  /** The open socket ended. */
  onLost(reason: Text): void;
}

/** The WebSocket of one kernel. Opens it, monitors it, and reconnects for as long as the kernel exists. */
export class KernelLink {
  readonly #options: LinkOptions;
  readonly #listener: LinkListener;
  readonly #times: ConnectionTimes;
  readonly #log: Log;
  #state: ConnectionState = { type: "connecting", attempt: 1 };
  #socket: WebSocketConnection | undefined;
  #protocol: string | undefined;
  #connecting: AbortController | undefined;
  readonly #clock: Clock;
  #watch: SocketWatch | undefined;
  readonly #leaving = new AbortController();
  #cancelTimer = (): void => {};
  #failures = 0;
  #hasBeenOpen = false;
  /** When the connection was lost, or when the first attempt began. */
  #since: number;
  readonly #closed = Promise.withResolvers<void>();

  constructor(options: LinkOptions, listener: LinkListener) {
    this.#options = options;
    this.#listener = listener;
    this.#times = { ...defaultTimes, ...options.times };
    this.#log = options.log ?? silentLog;
    this.#clock = options.clock ?? systemClock;
    this.#since = this.#clock.now();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Resolves when the link is disposed and both sides have closed the socket, within 2 seconds. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Tries to connect now, unless it is connected, connecting, or disposed. */
  retry(): void {
    if (this.#state.type === "disposed" || this.#socket !== undefined || this.#connecting !== undefined) {
      return;
    }
    this.#cancelTimer();
    // Errors become a connection state.
    void this.#connect();
  }

  /**
   * Sends a message. Returns false if there is no open socket. Throws a MessageTooLargeError for a message that would
   * end the connection, and again each new one on which it is sent.
   */
  send(message: OutgoingMessage): boolean {
    const encoded = encodeMessage(message, this.#protocol);
    const bytes = Buffer.byteLength(encoded);
    const { maxSentBytes = defaultMaxSentBytes } = this.#options;
    if (bytes > maxSentBytes) {
      throw new MessageTooLargeError(bytes, maxSentBytes);
    }
    if (this.#socket === undefined) {
      return false;
    }
    this.#watch?.noticeMessage();
    this.#socket.send(encoded);
    return true;
  }

  /** Closes the socket, and does not reconnect until `retry` is called. Does nothing if only `retry` would connect. */
  rest(): void {
    const { type } = this.#state;
    if (type === "connected" || type === "waiting" || type === "serverStopped") {
      const hadSocket = this.#socket !== undefined;
      this.#stop({ type: "resting", since: this.#clock.now() });
      this.#failures = 0;
      if (hadSocket) {
        this.#since = this.#clock.now();
        this.#listener.onLost(phrase`Nobody uses the window.`);
      }
    }
  }

  /**
   * Replaces the open socket with a new one, because the kernel's process may have other ports now. The server connects
   * to them only for a new socket.
   */
  reopen(): void {
    const socket = this.#socket;
    if (socket === undefined) {
      return;
    }
    this.#socket = undefined;
    this.#watch?.dispose();
    this.#since = this.#clock.now();
    this.#failures = 0;
    this.#listener.onLost(phrase`The kernel was restarted.`);
    socket.close();
    this.retry();
  }

  /** Connects again after a rest. */
  wake(): void {
    if (this.#state.type === "resting") {
      this.retry();
    }
  }

  /** Closes the socket because the kernel ended. Does not reconnect until `retry` is called. */
  end(end: KernelEnd): void {
    if (this.#state.type !== "disposed") {
      this.#stop({ type: "kernelDead", since: this.#clock.now(), end });
    }
  }

  dispose(): void {
    if (this.#state.type === "disposed") {
      return;
    }
    const hadSocket = this.#socket !== undefined;
    this.#stop({ type: "disposed" });
    this.#leaving.abort();
    if (!hadSocket) {
      this.#closed.resolve();
    }
  }

  #stop(state: ConnectionState): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#watch?.dispose();
    this.#cancelTimer();
    this.#connecting?.abort();
    this.#connecting = undefined;
    this.#enter(state);
    socket?.close();
  }

  #enter(state: ConnectionState): void {
    this.#state = state;
    this.#listener.onState(state);
  }

  async #connect(): Promise<void> {
    const connecting = new AbortController();
    this.#connecting = connecting;
    this.#enter({ type: "connecting", attempt: this.#failures + 1 });
    const after = await this.#tried(connecting.signal).catch((error: unknown) => this.#afterError(error));
    if (connecting.signal.aborted) {
      return;
    }
    this.#connecting = undefined;
    if (after !== undefined) {
      this.#failures += 1;
      this.#proceed(after);
    }
  }

  /** Attempts to connect. Resolves with undefined if a socket is open; otherwise with the obstacle. */
  async #tried(signal: AbortSignal): Promise<Obstacle | undefined> {
    const client = await this.#options.client();
    const { kernelId, sessionId } = this.#options;
    if (this.#hasBeenOpen || this.#failures > 0) {
      // A request for the kernel gives a better reason than a refused socket.
      const obstacle = await this.#checked(client, signal);
      if (obstacle !== undefined || signal.aborted) {
        return obstacle;
      }
    }
    const handshake = socketHandshake([binaryProtocol]);
    const path = `api/kernels/${encodeURIComponent(kernelId)}/channels?session_id=${encodeURIComponent(sessionId)}`;
    const { handshake: idleLimit, starting: interval } = this.#times;
    const response = await openUnlessGone({
      open: (ending) => client.openSocket(path, { headers: handshake.headers, signal: ending, idleLimit }),
      isGone: async (ending) => (await this.#checked(client, ending))?.type === "gone",
      interval,
      clock: this.#clock,
      signal,
    });
    if (response === "gone") {
      return { type: "gone" };
    }
    if (response === undefined) {
      return { type: "waiting", reason: phrase`WebSockets aren't available here` };
    }
    if (response.type === "refused") {
      const { status } = response.response;
      const obstacle = status === 404 ? await this.#checked(client, signal) : obstacleOf(response.response);
      return obstacle ?? { type: "waiting", reason: phrase`the server didn't open a WebSocket to the kernel` };
    }
    const refusal = handshake.refusal(response.headers);
    if (refusal !== undefined || signal.aborted) {
      response.stream.destroy();
      return refusal === undefined ? undefined : { type: "waiting", reason: refusal };
    }
    this.#protocol = response.headers["sec-websocket-protocol"];
    this.#opened(response.stream);
    return undefined;
  }

  /** The obstacle that the server reports for the kernel; undefined if there is none. */
  async #checked(client: ContentClient, signal: AbortSignal): Promise<Obstacle | undefined> {
    const check = AbortSignal.any([signal, AbortSignal.timeout(this.#times.check)]);
    const { kernelId } = this.#options;
    return obstacleOf(await client.raw(getKernel, { kernelId, no_track_activity: 1 }, { signal: check }));
  }

  #opened(stream: ConstructorParameters<typeof WebSocketConnection>[0]): void {
    const opened = this.#clock.now();
    const socket: WebSocketConnection = new WebSocketConnection(
      stream,
      {
        onMessages: (messages) => (socket === this.#socket ? this.#take(messages) : undefined),
        onEnd: (end) => this.#lost(socket, end, opened),
      },
      { bytes: this.#options.messageBytes ?? maxMessageBytes, fragments: maxFragments },
    );
    this.#socket = socket;
    this.#hasBeenOpen = true;
    this.#enter({ type: "connected", since: opened });
    this.#watch = new SocketWatch(socket, {
      clock: this.#clock,
      ping: this.#times.ping,
      running: this.#times.running,
      isRunning: () => this.#options.isRunning?.() === true,
      onQuiet: () => void this.#checkQuiet(socket),
    });
    this.#listener.onOpen();
  }

  #take(messages: readonly SocketMessage[]): void | Promise<void> {
    this.#watch?.noticeMessage();
    this.#isThere();
    const read: IncomingMessage[] = [];
    for (const message of messages) {
      try {
        read.push(decodeMessage(message, this.#protocol));
      } catch (error) {
        this.#log.warn(`kernel ${this.#options.kernelId}: ${errorMessage(error)}`);
      }
    }
    return this.#listener.onMessages(read);
  }

  /** Records that the server of the open socket runs. */
  #isThere(): void {
    if (this.#state.type === "serverStopped") {
      this.#enter({ type: "connected", since: this.#clock.now() });
    }
  }

  /**
   * Checks that the kernel still exists. The server leaves the socket open even if the kernel is gone, and while a hub
   * stops it.
   */
  async #checkQuiet(socket: WebSocketConnection): Promise<void> {
    const obstacle = await this.#options
      .client()
      .then((client) => this.#checked(client, this.#leaving.signal))
      // The pings detect an unresponsive server.
      .catch(() => "unknown" as const);
    if (socket !== this.#socket || obstacle === "unknown") {
      return;
    }
    if (obstacle?.type === "gone") {
      this.#log.info(`kernel ${this.#options.kernelId}: the server no longer has it`);
      this.end("gone");
    } else if (obstacle?.type === "serverStopped" && this.#state.type === "connected") {
      const now = this.#clock.now();
      this.#enter({ type: "serverStopped", since: now, nextTry: now + this.#times.running, reason: obstacle.reason });
    } else if (obstacle === undefined) {
      this.#isThere();
    }
  }

  #lost(socket: WebSocketConnection, end: SocketEnd, opened: number): void {
    if (this.#state.type === "disposed") {
      this.#closed.resolve();
    }
    if (socket !== this.#socket) {
      return;
    }
    this.#socket = undefined;
    this.#watch?.dispose();
    this.#since = this.#clock.now();
    this.#log.info(`kernel ${this.#options.kernelId}: the connection ended: ${end.reason}`);
    this.#failures = this.#clock.now() - opened < shortLifeMs ? this.#failures + 1 : 0;
    this.#listener.onLost(end.reason);
    if (this.#failures > 1) {
      this.#proceed({ type: "waiting", reason: end.reason });
    } else {
      this.retry();
    }
  }

  #proceed(obstacle: Obstacle): void {
    const since = this.#since;
    switch (obstacle.type) {
      case "gone":
        this.#enter({ type: "kernelDead", since, end: "gone" });
        return;
      case "credentialRejected":
        this.#enter({ type: "credentialRejected", since, reason: obstacle.reason });
        return;
      default: {
        const { firstPauseMs, maxPauseMs } = this.#times;
        const maxDelayMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#failures - 1, 20));
        // Add jitter, so that clients of the same server don't all reconnect at the same time.
        const pause = maxDelayMs * (0.5 + Math.random() / 2);
        this.#cancelTimer = this.#clock.schedule(pause, () => this.retry());
        this.#enter({ type: obstacle.type, since, nextTry: this.#clock.now() + pause, reason: obstacle.reason });
      }
    }
  }

  #afterError(error: unknown): Obstacle {
    if (error instanceof KernelUnreachableError) {
      return { type: error.state, reason: error.text };
    }
    const message = errorMessage(error);
    return { type: "waiting", reason: error instanceof PlatformError ? error.parts.reason : message };
  }
}
