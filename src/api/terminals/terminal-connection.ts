import type { ContentClient } from "../client/client.ts";
import { obstacleOf, obstacleOfError } from "../client/server-obstacle.ts";
import { openServerSocket } from "../client/server-socket.ts";
import { type Clock, systemClock } from "../clock.ts";
import { errorMessage } from "../error-message.ts";
import type { DispatchResponse } from "../http/dispatch.ts";
import { type Log, silentLog } from "../http/log.ts";
import { type SocketMessage, WebSocketConnection } from "../http/web-socket.ts";
import type { Obstacle } from "../obstacle.ts";
import { phrase } from "../phrase.ts";
import { decodeTerminalMessage, maxMessageBytes, type TerminalMessage, type TerminalSize } from "./messages.ts";
import { getTerminal } from "./operations.ts";
import { OutputQueue } from "./output-queue.ts";
import type { TerminalEffect, TerminalInput, TerminalState, TerminalTimer } from "./terminal-interface.ts";
import { TerminalProtocol, type TerminalProtocolOptions } from "./terminal-protocol.ts";

/** Shows what a connection reports. */
export interface TerminalListener {
  /** Output waits in the queue. */
  onOutput(): void;
  onState(state: TerminalState): void;
  /** A full-screen program has switched to its screen, or back. */
  onFullScreen(isFullScreen: boolean): void;
}

export interface TerminalConnectionOptions extends Omit<TerminalProtocolOptions, "random"> {
  /** Called for each request, because the server's address and the token can change. */
  readonly client: () => Promise<Pick<ContentClient, "raw" | "openSocket">>;
  /** As the server names the terminal. */
  readonly name: string;
  /** Displayed where output is missing, because the server no longer has it. */
  readonly gapNotice: () => string;
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Milliseconds. */
const checkTimeoutMs = 15_000;
const handshakeTimeoutMs = 60_000;
const maxFragments = 1000;
/** Milliseconds after input in which the server's messages are probably the response to it. */
const replyTimeMs = 1000;

interface OpenSocket {
  readonly request: number;
  readonly connection: WebSocketConnection;
}

/**
 * The connection to one terminal: tells the protocol what happens, and performs its effects. Has no rules of its own.
 * Typed text and output never reach the log.
 */
export class TerminalConnection {
  readonly #options: TerminalConnectionOptions;
  readonly #listener: TerminalListener;
  readonly #protocol: TerminalProtocol;
  readonly #queue = new OutputQueue();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #requests = new Map<number, AbortController>();
  readonly #timers = new Map<TerminalTimer, () => void>();
  #socket: OpenSocket | undefined;
  /** Set while reading from the socket is paused. */
  #pause: PromiseWithResolvers<void> | undefined;
  /** Until then, received messages are acknowledged at once, so that the server doesn't hold back the next one. */
  #awaitsReplyUntil = 0;
  /** Inputs that wait until the effects of the current one were performed; undefined if there is none. */
  #inputs: TerminalInput[] | undefined;

  constructor(options: TerminalConnectionOptions, listener: TerminalListener) {
    this.#options = options;
    this.#listener = listener;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLog;
    this.#protocol = new TerminalProtocol({ ...options, random: Math.random });
  }

  get state(): TerminalState {
    return this.#protocol.state;
  }

  /** False while so much output waits to be displayed that the server is not read. */
  get isReading(): boolean {
    return this.#pause === undefined;
  }

  /** Connects for the first time, or now instead of later. */
  retry(): void {
    this.#handle({ type: "retry" });
  }

  /** Sends what the user has typed or pasted. */
  type(text: string): void {
    this.#awaitsReplyUntil = performance.now() + replyTimeMs;
    this.#handle({ type: "typed", text, isBehind: this.#queue.isBehind });
  }

  resize(size: TerminalSize): void {
    this.#handle({ type: "resized", size });
  }

  /** Takes the next output to display. While nobody takes it, the server is not read. */
  takeOutput(): string | undefined {
    const text = this.#queue.take();
    this.#resumeIfDisplayed();
    return text;
  }

  /** Displays a text after the output that waits. */
  show(text: string): void {
    this.#queue.add(text);
    this.#listener.onOutput();
  }

  /** Closes the connection. The terminal runs on. */
  dispose(): void {
    this.#handle({ type: "dispose" });
  }

  #handle(input: TerminalInput): void {
    if (this.#inputs !== undefined) {
      this.#inputs.push(input);
      return;
    }
    this.#inputs = [input];
    try {
      for (let next = this.#inputs.shift(); next !== undefined; next = this.#inputs.shift()) {
        for (const effect of this.#protocol.handle(next, this.#clock.now())) {
          this.#perform(effect);
        }
      }
    } finally {
      this.#inputs = undefined;
    }
  }

  #perform(effect: TerminalEffect): void {
    switch (effect.type) {
      case "check":
        this.#check(effect.request);
        break;
      case "openSocket":
        this.#open(effect.request);
        break;
      case "abort":
        this.#requests.get(effect.request)?.abort();
        return;
      case "send":
        this.#connectionOf(effect.request)?.send(effect.data);
        break;
      case "ping":
        this.#connectionOf(effect.request)?.ping();
        break;
      case "closeSocket":
        this.#close(effect.request, effect.reason);
        break;
      case "setTimer":
        this.#setTimer(effect.timer, effect.delayMs);
        break;
      case "cancelTimer":
        this.#timers.get(effect.timer)?.();
        this.#timers.delete(effect.timer);
        return;
      case "output":
        this.show(effect.text);
        break;
      case "gap":
        this.show(this.#options.gapNotice());
        break;
      case "discardOutput":
        this.#queue.discard();
        this.#resumeIfDisplayed();
        break;
      case "keepOutput":
        this.#queue.keep();
        this.#listener.onOutput();
        break;
      case "state":
        this.#listener.onState(effect.state);
        break;
      case "fullScreen":
        this.#listener.onFullScreen(effect.isFullScreen);
        break;
      case "log":
        this.#log.info(`terminal ${this.#options.name}: ${effect.text}`);
        break;
    }
  }

  #check(request: number): void {
    void this.#request(request, async (signal): Promise<TerminalInput> => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]);
      const client = await this.#options.client();
      const response = await client.raw(getTerminal, { name: this.#options.name }, { signal: limited });
      return { type: "checked", request, obstacle: obstacleOf(response, "terminal") };
    }).catch((error: unknown) => this.#handle({ type: "checked", request, obstacle: obstacleOfError(error) }));
  }

  #open(request: number): void {
    const path = `terminals/websocket/${encodeURIComponent(this.#options.name)}`;
    void this.#request(request, async (signal): Promise<TerminalInput> => {
      const client = await this.#options.client();
      const socket = await openServerSocket(client, { path, protocols: [], signal, idleLimit: handshakeTimeoutMs });
      switch (socket.type) {
        case "accepted":
          this.#socket = { request, connection: this.#connect(request, socket.stream) };
          return { type: "opened", request };
        case "refused":
          return { type: "refused", request, obstacle: obstacleOfRefusal(socket.response) };
        case "failed":
          return { type: "refused", request, obstacle: { type: "waiting", reason: socket.reason } };
      }
    }).catch((error: unknown) => this.#handle({ type: "refused", request, obstacle: obstacleOfError(error) }));
  }

  async #request(request: number, work: (signal: AbortSignal) => Promise<TerminalInput>): Promise<void> {
    const controller = new AbortController();
    this.#requests.set(request, controller);
    try {
      this.#handle(await work(controller.signal));
    } finally {
      this.#requests.delete(request);
    }
  }

  #connect(request: number, stream: ConstructorParameters<typeof WebSocketConnection>[0]): WebSocketConnection {
    return new WebSocketConnection(
      stream,
      {
        onMessages: (messages) => this.#receive(request, messages),
        awaitsMessages: () => performance.now() < this.#awaitsReplyUntil,
        onPong: () => this.#handle({ type: "pong", request }),
        onEnd: ({ reason }) => {
          if (this.#socket?.request === request) {
            this.#socket = undefined;
          }
          this.#handle({ type: "closed", request, reason });
        },
      },
      { bytes: maxMessageBytes, fragments: maxFragments },
    );
  }

  #receive(request: number, messages: readonly SocketMessage[]): void | Promise<void> {
    const decoded: TerminalMessage[] = [];
    for (const { data } of messages) {
      try {
        const message = decodeTerminalMessage(data);
        decoded.push(...(message === undefined ? [] : [message]));
      } catch (error) {
        this.#log.warn(`terminal ${this.#options.name}: ${errorMessage(error)}`);
      }
    }
    this.#handle({ type: "messages", request, messages: decoded });
    if (this.#queue.isFull) {
      this.#pause ??= Promise.withResolvers<void>();
      return this.#pause.promise;
    }
  }

  #resumeIfDisplayed(): void {
    if (this.#pause !== undefined && !this.#queue.isFull) {
      this.#pause.resolve();
      this.#pause = undefined;
    }
  }

  #connectionOf(request: number): WebSocketConnection | undefined {
    return this.#socket?.request === request ? this.#socket.connection : undefined;
  }

  #close(request: number, reason: string | undefined): void {
    const connection = this.#connectionOf(request);
    if (reason === undefined) {
      connection?.close();
    } else {
      connection?.destroy(reason);
    }
    // What was not displayed is not read anymore.
    this.#pause?.resolve();
    this.#pause = undefined;
  }

  #setTimer(timer: TerminalTimer, delayMs: number): void {
    this.#timers.get(timer)?.();
    const expired = (): void => {
      this.#timers.delete(timer);
      const { bytesReceived = 0, isPaused = false } = this.#socket?.connection ?? {};
      this.#handle({ type: "timer", timer, bytesReceived, isPaused });
    };
    this.#timers.set(timer, this.#clock.schedule(delayMs, expired));
  }
}

/** A status of success does not open a WebSocket, either. */
function obstacleOfRefusal(response: DispatchResponse): Obstacle {
  const obstacle = obstacleOf(response, "terminal");
  // Only the response to a request for the terminal shows that it is gone.
  return obstacle === undefined || obstacle.type === "gone"
    ? { type: "waiting", reason: phrase`the server didn't open a WebSocket to the terminal` }
    : obstacle;
}
