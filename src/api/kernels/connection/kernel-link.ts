import type { ContentClient } from "../../client/client.ts";
import { type Clock, systemClock } from "../../clock.ts";
import type { DispatchAnswer } from "../../http/dispatch.ts";
import { PlatformError } from "../../http/errors.ts";
import { hubAnswer } from "../../http/hub.ts";
import { type Log, silentLog } from "../../http/log.ts";
import { type SocketEnd, type SocketMessage, socketHandshake, WebSocketConnection } from "../../http/web-socket.ts";
import { phrase, type Text } from "../../phrase.ts";
import { getKernel } from "../operations.ts";
import type { IncomingMessage, OutgoingMessage } from "../wire/kernel-message.ts";
import { binaryProtocol, decodeMessage, encodeMessage } from "../wire/message-codec.ts";
import type { ConnectionTimes } from "./connection.ts";
import { type ConnectionState, type KernelEnd, KernelUnreachableError } from "./connection-state.ts";

/** What a message may have at most, unless the caller says otherwise: an image of a notebook has a few megabytes. */
const mostMessageBytes = 256 * 1024 * 1024;
const mostFragments = 100_000;
/** A socket that lives for less, in milliseconds, counts as a failed try: a server that accepts and drops is not hammered. */
const shortLife = 5000;
const defaultTimes: ConnectionTimes = {
  ping: 30_000,
  firstPause: 500,
  longestPause: 30_000,
  handshake: 60_000,
  check: 15_000,
};

export interface LinkOptions {
  readonly client: () => Promise<ContentClient>;
  readonly kernelId: string;
  readonly sessionId: string;
  readonly times?: Partial<ConnectionTimes>;
  readonly messageBytes?: number;
  readonly clock?: Clock;
  readonly log?: Log;
}

export interface LinkListener {
  onState(state: ConnectionState): void;
  /** A socket is open; what is sent now is sent on it. */
  onOpen(): void;
  /** What arrived together; a pending promise holds back what follows. */
  onMessages(messages: readonly IncomingMessage[]): void | Promise<void>;
  /** The open socket ended. */
  onLost(end: SocketEnd): void;
}

/** One kernel's WebSocket: it is opened, watched, and opened again, for as long as the kernel exists. */
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
  #cancelTimer = (): void => {};
  #failures = 0;
  #hasBeenOpen = false;
  /** When the connection was lost, or first sought. */
  #since: number;

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

  /** Tries to connect now, unless it is connected, connecting or disposed of. */
  retry(): void {
    if (this.#state.type === "disposed" || this.#socket !== undefined || this.#connecting !== undefined) {
      return;
    }
    this.#cancelTimer();
    // An error within is a state.
    void this.#connect();
  }

  /** Sends a message; false when there is no open socket, and nothing was sent. */
  send(message: OutgoingMessage): boolean {
    if (this.#socket === undefined) {
      return false;
    }
    this.#socket.send(encodeMessage(message, this.#protocol));
    return true;
  }

  /** The kernel ended: the socket is closed, and nothing is tried until `retry`. */
  end(end: KernelEnd): void {
    if (this.#state.type !== "disposed") {
      this.#stop({ type: "kernelDead", since: this.#clock.now(), end });
    }
  }

  dispose(): void {
    this.#stop({ type: "disposed" });
  }

  #stop(state: ConnectionState): void {
    const socket = this.#socket;
    this.#socket = undefined;
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

  /** One try. Undefined when a socket is open, else why there is none. */
  async #tried(signal: AbortSignal): Promise<Obstacle | undefined> {
    const client = await this.#options.client();
    const { kernelId, sessionId } = this.#options;
    if (this.#hasBeenOpen || this.#failures > 0) {
      // A socket's refusal says less than the kernel's own address.
      const obstacle = await this.#checked(client, signal);
      if (obstacle !== undefined || signal.aborted) {
        return obstacle;
      }
    }
    const handshake = socketHandshake([binaryProtocol]);
    const path = `api/kernels/${encodeURIComponent(kernelId)}/channels?session_id=${encodeURIComponent(sessionId)}`;
    const idleLimit = this.#times.handshake;
    const answer = await client.openSocket(path, { headers: handshake.headers, signal, idleLimit });
    if (answer === undefined) {
      return { type: "waiting", reason: phrase`WebSockets are not available here` };
    }
    if (answer.type === "refused") {
      const { status } = answer.answer;
      const obstacle = status === 404 ? await this.#checked(client, signal) : obstacleOf(answer.answer);
      return obstacle ?? { type: "waiting", reason: phrase`the server did not open a WebSocket to the kernel` };
    }
    const refusal = handshake.refusal(answer.headers);
    if (refusal !== undefined || signal.aborted) {
      answer.stream.destroy();
      return refusal === undefined ? undefined : { type: "waiting", reason: refusal };
    }
    this.#protocol = answer.headers["sec-websocket-protocol"];
    this.#opened(answer.stream);
    return undefined;
  }

  /** What the server says of the kernel itself. */
  async #checked(client: ContentClient, signal: AbortSignal): Promise<Obstacle | undefined> {
    const check = AbortSignal.any([signal, AbortSignal.timeout(this.#times.check)]);
    const { kernelId } = this.#options;
    return obstacleOf(await client.raw(getKernel, { kernelId }, { signal: check }));
  }

  #opened(stream: ConstructorParameters<typeof WebSocketConnection>[0]): void {
    const opened = this.#clock.now();
    const socket: WebSocketConnection = new WebSocketConnection(
      stream,
      {
        onMessages: (messages) => (socket === this.#socket ? this.#take(messages) : undefined),
        onEnd: (end) => this.#lost(socket, end, opened),
      },
      { bytes: this.#options.messageBytes ?? mostMessageBytes, fragments: mostFragments },
    );
    this.#socket = socket;
    this.#hasBeenOpen = true;
    this.#enter({ type: "connected", since: opened });
    this.#watch(socket);
    this.#listener.onOpen();
  }

  #take(messages: readonly SocketMessage[]): void | Promise<void> {
    const read: IncomingMessage[] = [];
    for (const message of messages) {
      try {
        read.push(decodeMessage(message, this.#protocol));
      } catch (error) {
        this.#log.warn(`kernel ${this.#options.kernelId}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return this.#listener.onMessages(read);
  }

  /** Pings, and gives the socket up when it stays silent over two pings, or does not answer one after the machine slept. */
  #watch(socket: WebSocketConnection): void {
    const { ping } = this.#times;
    let silent = 0;
    let received = socket.bytesReceived;
    let last = this.#clock.now();
    const beat = (): void => {
      if (socket !== this.#socket) {
        return;
      }
      const slept = this.#clock.now() - last > 3 * ping;
      last = this.#clock.now();
      silent = socket.bytesReceived === received && !socket.isPaused ? silent + 1 : 0;
      received = socket.bytesReceived;
      if (silent >= 2) {
        socket.destroy("the server stopped answering");
        return;
      }
      socket.ping();
      // After a sleep nobody waits for two pings.
      silent = slept ? 1 : silent;
      this.#cancelTimer = this.#clock.schedule(slept ? Math.min(ping, 5000) : ping, beat);
    };
    this.#cancelTimer = this.#clock.schedule(ping, beat);
  }

  #lost(socket: WebSocketConnection, end: SocketEnd, opened: number): void {
    if (socket !== this.#socket) {
      return;
    }
    this.#socket = undefined;
    this.#cancelTimer();
    this.#since = this.#clock.now();
    this.#log.info(`kernel ${this.#options.kernelId}: the connection ended: ${end.reason}`);
    this.#failures = this.#clock.now() - opened < shortLife ? this.#failures + 1 : 0;
    this.#listener.onLost(end);
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
        const { firstPause, longestPause } = this.#times;
        const longest = Math.min(longestPause, firstPause * 2 ** Math.min(this.#failures - 1, 20));
        // Clients that lost the same server do not come back in the same moment.
        const pause = longest * (0.5 + Math.random() / 2);
        this.#cancelTimer = this.#clock.schedule(pause, () => this.retry());
        this.#enter({ type: obstacle.type, since, nextTry: this.#clock.now() + pause, reason: obstacle.reason });
      }
    }
  }

  #afterError(error: unknown): Obstacle {
    if (error instanceof KernelUnreachableError) {
      return { type: error.state, reason: error.text };
    }
    const message = error instanceof Error ? error.message : String(error);
    return { type: "waiting", reason: error instanceof PlatformError ? error.parts.reason : message };
  }
}

/** Why there is no socket. */
type Obstacle =
  | { readonly type: "waiting" | "serverStopped" | "credentialRejected"; readonly reason: Text }
  | { readonly type: "gone" };

/** What an answer says about the kernel; undefined for one that says that it is there. */
function obstacleOf(answer: DispatchAnswer): Obstacle | undefined {
  const { status } = answer;
  const hub = hubAnswer(answer);
  if (hub === "notRunning") {
    return { type: "serverStopped", reason: phrase`the workspace is not running` };
  }
  if (hub === "tokenRefused" || status === 401 || status === 403) {
    return { type: "credentialRejected", reason: phrase`the server rejected the notebook token` };
  }
  if (status === 404 && isAboutKernel(answer)) {
    return { type: "gone" };
  }
  return status >= 200 && status <= 299
    ? undefined
    : { type: "waiting", reason: phrase`the server answered with status ${status}` };
}

/** True for the words of the server itself. A proxy that does not know yet where the server is answers 404, too. */
function isAboutKernel({ body }: DispatchAnswer): boolean {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body.subarray(0, 65_536)));
    const isObject = typeof parsed === "object" && parsed !== null;
    return isObject && "message" in parsed && /kernel/i.test(String(parsed.message));
  } catch {
    return false;
  }
}
