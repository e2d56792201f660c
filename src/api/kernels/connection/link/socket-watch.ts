import type { Clock } from "../../../clock.ts";
import type { WebSocketConnection } from "../../../http/web-socket.ts";

interface SocketWatchOptions {
  readonly clock: Clock;
  /** Interval of pings, in milliseconds. */
  readonly ping: number;
  /** Interval of calls of `onQuiet` while `isRunning` returns true and no messages are exchanged, in milliseconds. */
  readonly running: number;
  isRunning(): boolean;
  /**
   * Called if no messages were exchanged with the kernel, after 1, 2, 4, 8, … pings. The intervals grow to avoid
   * polling.
   */
  onQuiet(): void;
}

/**
 * Pings a kernel's socket. Closes it after two pings without a pong, or after one if the computer was asleep. Also
 * reports when the kernel is quiet, because the server replies to pings even if the kernel is gone.
 */
export class SocketWatch {
  readonly #socket: WebSocketConnection;
  readonly #options: SocketWatchOptions;
  #cancelTimer: () => void;
  #cancelRunTimer: () => void;
  #isSilentRun = true;
  #silent = 0;
  #quiet = 0;
  #received: number;
  #last: number;

  constructor(socket: WebSocketConnection, options: SocketWatchOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#received = socket.bytesReceived;
    this.#last = options.clock.now();
    this.#cancelTimer = options.clock.schedule(options.ping, () => this.#beat());
    this.#cancelRunTimer = options.clock.schedule(options.running, () => this.#checkRun());
  }

  /** Records that a message was sent to the kernel or received from it. */
  noticeMessage(): void {
    this.#quiet = 0;
    this.#isSilentRun = false;
  }

  dispose(): void {
    this.#cancelTimer();
    this.#cancelRunTimer();
  }

  #checkRun(): void {
    const { clock, isRunning, onQuiet, running } = this.#options;
    this.#cancelRunTimer = clock.schedule(running, () => this.#checkRun());
    if (this.#isSilentRun && !this.#socket.isPaused && isRunning()) {
      onQuiet();
    }
    this.#isSilentRun = true;
  }

  #beat(): void {
    const { clock, ping, onQuiet } = this.#options;
    const now = clock.now();
    const slept = now - this.#last > 3 * ping;
    this.#last = now;
    const { bytesReceived, isPaused } = this.#socket;
    this.#silent = bytesReceived === this.#received && !isPaused ? this.#silent + 1 : 0;
    this.#received = bytesReceived;
    if (this.#silent >= 2) {
      this.#socket.destroy("the server stopped answering");
      return;
    }
    this.#socket.ping();
    // After sleep, one ping without a pong is enough.
    this.#silent = slept ? 1 : this.#silent;
    this.#cancelTimer = clock.schedule(slept ? Math.min(ping, 5000) : ping, () => this.#beat());
    this.#quiet = isPaused ? 0 : this.#quiet + 1;
    if (Number.isInteger(Math.log2(this.#quiet))) {
      onQuiet();
    }
  }
}
