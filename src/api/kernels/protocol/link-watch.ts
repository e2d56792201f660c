import type { Agenda } from "./agenda.ts";

/** Milliseconds from the first ping after sleep to the next one. */
const pingAfterSleepMs = 5000;
/** Why a socket is closed at once, in the words of its WebSocket. */
const silentReason = "the server stopped answering";

interface LinkWatchOptions {
  readonly socket: number;
  /** Milliseconds between two pings, and between two checks of what runs. */
  readonly times: { readonly ping: number; readonly running: number };
  /** Requests the kernel's state. Returns the number of the request. */
  readonly checkKernel: () => number;
}

/** The pings of an open socket, and the checks that the kernel behind it still exists. */
export class LinkWatch {
  readonly #agenda: Agenda;
  readonly #options: LinkWatchOptions;
  /** True if no messages were exchanged since the last check while something runs. */
  #isSilentRun = true;
  /** Number of pings without a sign of life. */
  #silent = 0;
  /** Number of pings without a message. */
  #quiet = 0;
  #bytesReceived = 0;
  #lastPing: number;
  #pingTimer: number;
  #runTimer: number;
  /** The request for the kernel's state that has no response yet. */
  #check: number | undefined;

  constructor(agenda: Agenda, options: LinkWatchOptions) {
    this.#agenda = agenda;
    this.#options = options;
    this.#lastPing = agenda.now;
    this.#pingTimer = agenda.setTimer({ name: "ping" }, options.times.ping);
    this.#runTimer = agenda.setTimer({ name: "checkRunning" }, options.times.running);
  }

  /** Records that a message was sent to the kernel or received from it. */
  noticeMessage(): void {
    this.#quiet = 0;
    this.#isSilentRun = false;
  }

  /** True if no messages were exchanged between the last two pings. */
  get isQuiet(): boolean {
    return this.#quiet > 1;
  }

  /**
   * Pings the socket. Closes it after two pings without a sign of life, or after one if the computer was asleep. While
   * the socket is paused, nothing can arrive.
   */
  ping(bytesReceived: number, isPaused: boolean): void {
    const { socket, times } = this.#options;
    const { now } = this.#agenda;
    const slept = now - this.#lastPing > 3 * times.ping;
    this.#lastPing = now;
    this.#silent = bytesReceived === this.#bytesReceived && !isPaused ? this.#silent + 1 : 0;
    this.#bytesReceived = bytesReceived;
    if (this.#silent >= 2) {
      this.#agenda.add({ type: "closeSocket", socket, reason: silentReason });
      return;
    }
    this.#agenda.add({ type: "ping", socket });
    // After sleep, one ping without a pong is enough.
    this.#silent = slept ? 1 : this.#silent;
    const pauseMs = slept ? Math.min(times.ping, pingAfterSleepMs) : times.ping;
    this.#pingTimer = this.#agenda.setTimer({ name: "ping" }, pauseMs);
    this.#quiet = isPaused ? 0 : this.#quiet + 1;
    // After 1, 2, 4, 8, … pings. The server replies to pings even if the kernel is gone.
    if (Number.isInteger(Math.log2(this.#quiet))) {
      this.#checkQuiet();
    }
  }

  /** Checks the kernel if something runs and no messages arrive, because the hub may be stopping its server. */
  checkRunning(isRunning: boolean): void {
    this.#runTimer = this.#agenda.setTimer({ name: "checkRunning" }, this.#options.times.running);
    if (this.#isSilentRun && isRunning) {
      this.#checkQuiet();
    }
    this.#isSilentRun = true;
  }

  #checkQuiet(): void {
    this.#check ??= this.#options.checkKernel();
  }

  /** Handles the response to a request for the kernel's state. Returns false if it belongs to something else. */
  checked(check: number): boolean {
    if (this.#check !== check) {
      return false;
    }
    this.#check = undefined;
    return true;
  }

  stop(): void {
    this.#agenda.cancelTimer(this.#pingTimer);
    this.#agenda.cancelTimer(this.#runTimer);
    if (this.#check !== undefined) {
      this.#agenda.add({ type: "abort", check: this.#check });
    }
  }
}
