import type { Obstacle } from "../../obstacle.ts";
import { phrase, type Text } from "../../phrase.ts";
import type { ConnectionTimes } from "../connection/connection.ts";
import type { ConnectionState, KernelEnd } from "../connection/connection-state.ts";
import { MessageTooLargeError, type OutgoingMessage } from "../wire/kernel-message.ts";
import { encodeMessage } from "../wire/message-codec.ts";
import type { Agenda } from "./agenda.ts";
import type { KernelCheck, SocketRefusal } from "./input.ts";
import { LinkWatch } from "./link-watch.ts";

/** Default of the server's limit (`websocket_max_message_size`), in bytes. Beyond it, the server closes the connection. */
const defaultMaxSentBytes = 10 * 1024 * 1024;
/**
 * Milliseconds. A socket that breaks sooner counts as a failed attempt, to avoid flooding a server that accepts and
 * then drops connections.
 */
const shortLifeMs = 5000;
/** Why a socket is closed at once, in the words of its WebSocket. */
const closedReason = "the connection was closed";
export const defaultTimes: ConnectionTimes = {
  ping: 30_000,
  firstPauseMs: 500,
  maxPauseMs: 30_000,
  handshake: 60_000,
  starting: 5000,
  running: 4000,
  check: 15_000,
};

/** A change of the link. */
export type LinkEvent =
  | { readonly type: "state"; readonly state: ConnectionState }
  /** A socket opened. Messages are sent on it from now on. */
  | { readonly type: "opened"; readonly socket: number }
  /** The open socket ended. */
  | { readonly type: "lost"; readonly reason: Text };

type Phase =
  | { readonly type: "closed"; readonly reconnectTimer: number | undefined }
  /** Asks for the kernel's state, which gives a better reason than a refused socket. */
  | { readonly type: "checking"; readonly check: number; readonly isAfterRefusal: boolean }
  /** The server opens the socket when the kernel has started. Checks meanwhile that it still exists. */
  | { readonly type: "opening"; readonly socket: number; checkTimer: number | undefined; check: number | undefined }
  | { readonly type: "open"; readonly socket: number; readonly since: number; readonly watch: LinkWatch };

interface LinkOptions {
  readonly kernelId: string;
  readonly random: () => number;
  readonly times?: Partial<ConnectionTimes> | undefined;
  readonly maxSentBytes?: number | undefined;
}

/** The socket of one kernel: when it is opened, watched, and closed. Reconnects for as long as the kernel exists. */
export class Link {
  readonly #agenda: Agenda;
  readonly #options: LinkOptions;
  readonly #times: ConnectionTimes;
  #state: ConnectionState = { type: "connecting", attempt: 1 };
  #phase: Phase = { type: "closed", reconnectTimer: undefined };
  /** The last number of a socket or a check. */
  #last = 0;
  #protocol: string | undefined;
  #failures = 0;
  #hasBeenOpen = false;
  /** When the connection was lost, or when the first attempt began. */
  #since: number;

  constructor(agenda: Agenda, options: LinkOptions) {
    this.#agenda = agenda;
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
    this.#since = agenda.now;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Number of the open socket; undefined if there is none. */
  get socket(): number | undefined {
    return this.#phase.type === "open" ? this.#phase.socket : undefined;
  }

  /**
   * Sends a message. Returns false if there is no open socket. Throws a MessageTooLargeError for a message that would
   * end the connection, and again each new one on which it is sent.
   */
  send(message: OutgoingMessage): boolean {
    const data = encodeMessage(message, this.#protocol);
    const bytes = Buffer.byteLength(data);
    const { maxSentBytes = defaultMaxSentBytes } = this.#options;
    if (bytes > maxSentBytes) {
      throw new MessageTooLargeError(bytes, maxSentBytes);
    }
    const phase = this.#phase;
    if (phase.type !== "open") {
      return false;
    }
    phase.watch.noticeMessage();
    this.#agenda.add({ type: "send", socket: phase.socket, message, data });
    return true;
  }

  /** Tries to connect now, unless it is connected, connecting, or disposed. */
  retry(): LinkEvent[] {
    if (this.#state.type === "disposed" || this.#phase.type !== "closed") {
      return [];
    }
    this.#agenda.cancelTimer(this.#phase.reconnectTimer);
    if (this.#hasBeenOpen || this.#failures > 0) {
      this.#phase = { type: "checking", check: this.#checkKernel(), isAfterRefusal: false };
    } else {
      this.#openSocket();
    }
    return [this.#enter({ type: "connecting", attempt: this.#failures + 1 })];
  }

  /** Connects again after a rest. */
  wake(): LinkEvent[] {
    return this.#state.type === "resting" ? this.retry() : [];
  }

  /** Closes the socket, and does not reconnect until `retry` is called. Does nothing if only `retry` would connect. */
  rest(): LinkEvent[] {
    const { type } = this.#state;
    if (type !== "connected" && type !== "waiting" && type !== "serverStopped") {
      return [];
    }
    const hadSocket = this.#phase.type === "open";
    const entered = this.#stop({ type: "resting", since: this.#agenda.now });
    this.#failures = 0;
    if (!hadSocket) {
      return [entered];
    }
    this.#since = this.#agenda.now;
    return [entered, { type: "lost", reason: phrase`Nobody uses the window.` }];
  }

  /**
   * Replaces the open socket with a new one, because the kernel's process may have other ports now. The server connects
   * to them only for a new socket.
   */
  reopen(): LinkEvent[] {
    if (this.#phase.type !== "open") {
      return [];
    }
    this.#close();
    this.#since = this.#agenda.now;
    this.#failures = 0;
    return [{ type: "lost", reason: phrase`The kernel was restarted.` }, ...this.retry()];
  }

  /** Closes the socket because the kernel ended. Does not reconnect until `retry` is called. */
  end(end: KernelEnd): LinkEvent[] {
    return this.#state.type === "disposed" ? [] : [this.#stop({ type: "kernelDead", since: this.#agenda.now, end })];
  }

  dispose(): LinkEvent[] {
    return this.#state.type === "disposed" ? [] : [this.#stop({ type: "disposed" })];
  }

  /** Handles the response to a request for the kernel's state. */
  checked(check: number, result: KernelCheck): LinkEvent[] {
    const phase = this.#phase;
    switch (phase.type) {
      case "checking":
        return phase.check === check ? this.#afterCheck(result, phase.isAfterRefusal) : [];
      case "opening":
        if (phase.check !== check) {
          return [];
        }
        phase.check = undefined;
        if (result.type === "obstacle" && result.obstacle.type === "gone") {
          return this.#fail(result.obstacle);
        }
        // The time limit of the opening detects a server that doesn't respond.
        phase.checkTimer = this.#agenda.setTimer({ name: "checkStarting" }, this.#times.starting);
        return [];
      case "open":
        return phase.watch.checked(check) ? this.#afterQuietCheck(result) : [];
      case "closed":
        return [];
    }
  }

  /** Handles a socket that the driver has opened. */
  opened(socket: number, protocol: string | undefined): LinkEvent[] {
    const phase = this.#phase;
    if (phase.type !== "opening" || phase.socket !== socket) {
      this.#agenda.add({ type: "closeSocket", socket, reason: closedReason });
      return [];
    }
    const { now } = this.#agenda;
    this.#abortCheck(phase);
    this.#protocol = protocol;
    this.#hasBeenOpen = true;
    const watch = new LinkWatch(this.#agenda, { socket, times: this.#times, checkKernel: () => this.#checkKernel() });
    this.#phase = { type: "open", socket, since: now, watch };
    return [this.#enter({ type: "connected", since: now }), { type: "opened", socket }];
  }

  /** Handles a socket that was not opened. */
  refused(socket: number, refusal: SocketRefusal): LinkEvent[] {
    const phase = this.#phase;
    if (phase.type !== "opening" || phase.socket !== socket) {
      return [];
    }
    this.#abortCheck(phase);
    if (refusal.type === "obstacle") {
      return this.#fail(refusal.obstacle);
    }
    this.#phase = { type: "checking", check: this.#checkKernel(), isAfterRefusal: true };
    return [];
  }

  /** Handles the end of a socket. */
  closed(socket: number, reason: Text): LinkEvent[] {
    const phase = this.#phase;
    if (phase.type !== "open" || phase.socket !== socket) {
      return [];
    }
    const { now } = this.#agenda;
    phase.watch.stop();
    this.#phase = { type: "closed", reconnectTimer: undefined };
    this.#since = now;
    this.#agenda.add({
      type: "log",
      level: "info",
      text: `kernel ${this.#options.kernelId}: the connection ended: ${String(reason)}`,
    });
    this.#failures = now - phase.since < shortLifeMs ? this.#failures + 1 : 0;
    const next = this.#failures > 1 ? this.#proceed({ type: "waiting", reason }) : this.retry();
    return [{ type: "lost", reason }, ...next];
  }

  /** Records that messages arrived on the socket. Returns undefined if it is not the open one. */
  received(socket: number): LinkEvent[] | undefined {
    if (this.#phase.type !== "open" || this.#phase.socket !== socket) {
      return undefined;
    }
    this.#phase.watch.noticeMessage();
    return this.#showConnected();
  }

  /** Checks that the kernel still exists while the server waits for it to start. */
  checkStarting(): void {
    if (this.#phase.type === "opening") {
      this.#phase.checkTimer = undefined;
      this.#phase.check = this.#checkKernel();
    }
  }

  ping(bytesReceived: number, isPaused: boolean): void {
    this.#watch?.ping(bytesReceived, isPaused);
  }

  /** True if no messages were exchanged between the last two pings. */
  get isQuiet(): boolean {
    return this.#watch?.isQuiet === true;
  }

  checkRunning(isRunning: boolean): void {
    this.#watch?.checkRunning(isRunning);
  }

  get #watch(): LinkWatch | undefined {
    return this.#phase.type === "open" ? this.#phase.watch : undefined;
  }

  #afterCheck(result: KernelCheck, isAfterRefusal: boolean): LinkEvent[] {
    if (result.type !== "exists") {
      return this.#fail(result.obstacle);
    }
    if (isAfterRefusal) {
      return this.#fail({ type: "waiting", reason: phrase`the server didn't open a WebSocket to the kernel` });
    }
    this.#openSocket();
    return [];
  }

  /** The server leaves the socket open even if the kernel is gone, and while a hub stops it. */
  #afterQuietCheck(result: KernelCheck): LinkEvent[] {
    // After a failure, the pings detect an unresponsive server.
    if (result.type === "failed") {
      return [];
    }
    if (result.type === "exists") {
      return this.#showConnected();
    }
    const { obstacle } = result;
    const { now } = this.#agenda;
    if (obstacle.type === "gone") {
      const text = `kernel ${this.#options.kernelId}: the server no longer has it`;
      this.#agenda.add({ type: "log", level: "info", text });
      return this.end("gone");
    }
    return obstacle.type === "serverStopped" && this.#state.type === "connected"
      ? [
          this.#enter({
            type: "serverStopped",
            since: now,
            nextTry: now + this.#times.running,
            reason: obstacle.reason,
          }),
        ]
      : [];
  }

  /** Shows that the server of the open socket runs. */
  #showConnected(): LinkEvent[] {
    return this.#state.type === "serverStopped" ? [this.#enter({ type: "connected", since: this.#agenda.now })] : [];
  }

  #fail(obstacle: Obstacle): LinkEvent[] {
    this.#close();
    this.#failures += 1;
    return this.#proceed(obstacle);
  }

  #proceed(obstacle: Obstacle): LinkEvent[] {
    const since = this.#since;
    switch (obstacle.type) {
      case "gone":
        return [this.#enter({ type: "kernelDead", since, end: "gone" })];
      case "credentialRejected":
        return [this.#enter({ type: "credentialRejected", since, reason: obstacle.reason })];
      default: {
        const { firstPauseMs, maxPauseMs } = this.#times;
        const maxDelayMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#failures - 1, 20));
        // Add jitter, so that clients of the same server don't all reconnect at the same time.
        const pauseMs = maxDelayMs * (0.5 + this.#options.random() / 2);
        this.#phase = { type: "closed", reconnectTimer: this.#agenda.setTimer({ name: "reconnect" }, pauseMs) };
        const nextTry = this.#agenda.now + pauseMs;
        return [this.#enter({ type: obstacle.type, since, nextTry, reason: obstacle.reason })];
      }
    }
  }

  #openSocket(): void {
    this.#last += 1;
    this.#phase = {
      type: "opening",
      socket: this.#last,
      check: undefined,
      checkTimer: this.#agenda.setTimer({ name: "checkStarting" }, this.#times.starting),
    };
    this.#agenda.add({ type: "openSocket", socket: this.#last });
  }

  #checkKernel(): number {
    this.#last += 1;
    this.#agenda.add({ type: "checkKernel", check: this.#last });
    return this.#last;
  }

  #stop(state: ConnectionState): LinkEvent {
    this.#close();
    return this.#enter(state);
  }

  /** Closes the socket, or aborts what would open one. */
  #close(): void {
    const phase = this.#phase;
    this.#phase = { type: "closed", reconnectTimer: undefined };
    switch (phase.type) {
      case "closed":
        this.#agenda.cancelTimer(phase.reconnectTimer);
        break;
      case "checking":
        this.#agenda.add({ type: "abort", check: phase.check });
        break;
      case "opening":
        this.#abortCheck(phase);
        this.#agenda.add({ type: "abort", socket: phase.socket });
        break;
      case "open":
        phase.watch.stop();
        this.#agenda.add({ type: "closeSocket", socket: phase.socket });
        break;
    }
  }

  #abortCheck({ checkTimer, check }: Extract<Phase, { readonly type: "opening" }>): void {
    this.#agenda.cancelTimer(checkTimer);
    if (check !== undefined) {
      this.#agenda.add({ type: "abort", check });
    }
  }

  #enter(state: ConnectionState): LinkEvent {
    this.#state = state;
    return { type: "state", state };
  }
}
