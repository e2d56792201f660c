import type { Obstacle } from "../obstacle.ts";
import { phrase, type Text } from "../phrase.ts";
import { inputMessage, sizeMessage, type TerminalMessage, type TerminalSize } from "./messages.ts";
import { OutputFilter } from "./output-filter.ts";
import { RetainedOutput } from "./retained-output.ts";
import type { TerminalEffect, TerminalInput, TerminalState } from "./terminal-interface.ts";

/** Milliseconds. */
export interface TerminalTimes {
  /** Between two pings. A server that misses two is unreachable. */
  readonly ping: number;
  /** Pauses between attempts to connect: the first one, and the longest one. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Within which an interrupt discards the output that waits, if the server doesn't answer a ping earlier. */
  readonly discard: number;
  /** For which typed text is kept until the connection is back. */
  readonly typed: number;
}

export const defaultTerminalTimes: TerminalTimes = {
  ping: 30_000,
  firstPauseMs: 500,
  maxPauseMs: 30_000,
  discard: 3000,
  typed: 10_000,
};

/** A socket that breaks sooner counts as a failed attempt. */
const shortLifeMs = 5000;
/** Why a socket is closed at once, in the words of its WebSocket. */
const silentReason = "the server stopped answering";
/** Milliseconds from the first ping after sleep to the next one. */
const pingAfterSleepMs = 5000;
/** Milliseconds for which a full-screen program gets another size, so that it notices two changes. */
const otherSizeMs = 200;
/** Ctrl+C, Ctrl+Z, and Ctrl+\. */
const interrupts: ReadonlySet<string> = new Set(["\u0003", "\u001a", "\u001c"]);
/** Maximum number of typed characters that are kept without a connection. */
const maxTypedLength = 4096;
/** Maximum number of characters in a message. A server limits the size of messages. */
const maxInputLength = 65_536;

interface OpenSocket {
  readonly type: "open";
  readonly request: number;
  readonly since: number;
  /** The next output repeats earlier output, unless the terminal was just started. */
  isRepeating: boolean;
  silentPings: number;
  bytesReceived: number;
  lastPing: number;
}

type Phase =
  | { readonly type: "closed" }
  | { readonly type: "checking" | "opening"; readonly request: number }
  | OpenSocket;

export interface TerminalProtocolOptions {
  /** True if the terminal was just started, and no client was connected to it before. */
  readonly isNew: boolean;
  /** True if a full-screen program had switched to its screen when an earlier window was connected. */
  readonly wasFullScreen: boolean;
  readonly size: TerminalSize | undefined;
  readonly random: () => number;
  readonly times?: Partial<TerminalTimes>;
}

/**
 * The connection to one terminal: decides when to connect, what to send, and what to display. Does no input or output.
 * Connects again for as long as the terminal exists, and then displays the output that was missed.
 */
export class TerminalProtocol {
  readonly #random: () => number;
  readonly #times: TerminalTimes;
  readonly #retained = new RetainedOutput();
  #filter: OutputFilter;
  #size: TerminalSize | undefined;
  #isNew: boolean;
  #phase: Phase = { type: "closed" };
  #state: TerminalState = { type: "connecting" };
  #lastRequest = 0;
  #failures = 0;
  /** True after the first socket was open: from then on, the display shows what was received. */
  #hasBeenOpen = false;
  #typed: { readonly text: string; readonly since: number } | undefined;
  #isDiscarding = false;
  #now = 0;
  #effects: TerminalEffect[] = [];

  constructor({ isNew, wasFullScreen, size, random, times }: TerminalProtocolOptions) {
    this.#isNew = isNew;
    this.#filter = new OutputFilter(wasFullScreen);
    this.#size = size;
    this.#random = random;
    this.#times = { ...defaultTerminalTimes, ...times };
  }

  get state(): TerminalState {
    return this.#state;
  }

  /** Takes one input at a time, in milliseconds since 1970, and returns the effects. */
  handle(input: TerminalInput, now: number): readonly TerminalEffect[] {
    this.#now = now;
    this.#effects = [];
    if (this.#state.type !== "disposed" && this.#state.type !== "ended") {
      this.#take(input);
    } else if (input.type === "opened") {
      this.#add({ type: "closeSocket", request: input.request });
    }
    return this.#effects;
  }

  #take(input: TerminalInput): void {
    const phase = this.#phase;
    switch (input.type) {
      case "retry":
        this.#retry();
        break;
      case "dispose":
        this.#stop({ type: "disposed" });
        break;
      case "typed":
        this.#type(input.text, input.isBehind);
        break;
      case "resized":
        this.#size = input.size;
        this.#sendSize();
        break;
      case "checked":
        if (phase.type === "checking" && phase.request === input.request) {
          this.#phase = { type: "closed" };
          input.obstacle === undefined ? this.#open() : this.#fail(input.obstacle);
        }
        return;
      case "opened":
        this.#opened(input.request);
        break;
      case "refused":
        if (phase.type === "opening" && phase.request === input.request) {
          this.#phase = { type: "closed" };
          this.#fail(input.obstacle);
        }
        return;
      case "messages":
        this.#receive(input.request, input.messages);
        break;
      case "pong":
        if (phase.type === "open" && phase.request === input.request) {
          this.#keepOutput();
        }
        break;
      case "closed":
        this.#closed(input.request, input.reason);
        break;
      case "timer":
        this.#expired(input);
        break;
    }
  }

  #retry(): void {
    if (this.#phase.type !== "closed") {
      return;
    }
    this.#add({ type: "cancelTimer", timer: "reconnect" });
    if (this.#isNew) {
      this.#open();
    } else {
      this.#phase = { type: "checking", request: this.#next() };
      this.#add({ type: "check", request: this.#lastRequest });
    }
    this.#enter({ type: "connecting" });
  }

  #open(): void {
    this.#phase = { type: "opening", request: this.#next() };
    this.#add({ type: "openSocket", request: this.#lastRequest });
  }

  #opened(request: number): void {
    const phase = this.#phase;
    if (phase.type !== "opening" || phase.request !== request) {
      this.#add({ type: "closeSocket", request });
      return;
    }
    this.#phase = {
      type: "open",
      request,
      since: this.#now,
      isRepeating: !this.#isNew,
      silentPings: 0,
      bytesReceived: 0,
      lastPing: this.#now,
    };
    this.#isNew = false;
    this.#add({ type: "setTimer", timer: "ping", delayMs: this.#times.ping });
    if (!this.#hasBeenOpen && this.#filter.isFullScreen) {
      this.#add({ type: "output", text: "\u001b[?1049h" });
    }
    this.#redraw();
    this.#hasBeenOpen = true;
    this.#enter({ type: "connected" });
    const typed = this.#typed;
    this.#typed = undefined;
    if (typed !== undefined && this.#now - typed.since <= this.#times.typed) {
      this.#sendInput(typed.text);
    }
  }

  /** Sends the size. Changes it twice if a full-screen program runs, because it draws itself again only then. */
  #redraw(): void {
    if (this.#filter.isFullScreen && this.#size !== undefined && this.#size.rows > 1) {
      this.#send(sizeMessage({ ...this.#size, rows: this.#size.rows - 1 }));
      this.#add({ type: "setTimer", timer: "size", delayMs: otherSizeMs });
    } else {
      this.#sendSize();
    }
  }

  #receive(request: number, messages: readonly TerminalMessage[]): void {
    const phase = this.#phase;
    if (phase.type !== "open" || phase.request !== request) {
      return;
    }
    const wasFullScreen = this.#filter.isFullScreen;
    let text = "";
    let hasExited = false;
    for (const message of messages) {
      switch (message.type) {
        case "setup":
          break;
        case "output":
          text += this.#shown(phase, message.text, text);
          break;
        case "exited":
          hasExited = true;
          break;
      }
    }
    if (text !== "") {
      this.#add({ type: "output", text });
    }
    if (this.#filter.isFullScreen !== wasFullScreen) {
      this.#add({ type: "fullScreen", isFullScreen: this.#filter.isFullScreen });
    }
    if (hasExited) {
      this.#end("exited");
    }
  }

  /** The output to display. */
  #shown(phase: OpenSocket, text: string, before: string): string {
    if (!phase.isRepeating) {
      this.#retained.add(text);
      return this.#filter.write(text, "current");
    }
    phase.isRepeating = false;
    const wasFullScreen = this.#filter.isFullScreen;
    const missing = this.#retained.take(text);
    if (missing.hasGap) {
      this.#filter = new OutputFilter();
      this.#add({ type: "output", text: before });
      this.#add({ type: "gap" });
    }
    const shown = this.#filter.write(missing.text, "earlier");
    if (this.#filter.isFullScreen && !wasFullScreen) {
      this.#redraw();
    }
    return shown;
  }

  #closed(request: number, reason: Text): void {
    const phase = this.#phase;
    if (phase.type !== "open" || phase.request !== request) {
      return;
    }
    this.#leaveSocket();
    this.#add({ type: "log", text: `the connection ended: ${String(reason)}` });
    this.#failures = this.#now - phase.since < shortLifeMs ? this.#failures + 1 : 0;
    if (this.#failures > 1) {
      this.#wait({ type: "waiting", reason });
    } else {
      this.#retry();
    }
  }

  #type(text: string, isBehind: boolean): void {
    if (this.#phase.type !== "open") {
      const { text: earlier = "", since = this.#now } = this.#typed ?? {};
      this.#typed = { text: (earlier + text).slice(0, maxTypedLength), since };
      return;
    }
    this.#sendInput(text);
    if (isBehind && interrupts.has(text) && !this.#isDiscarding) {
      this.#isDiscarding = true;
      this.#add({ type: "discardOutput" });
      this.#add({ type: "setTimer", timer: "discard", delayMs: this.#times.discard });
      // The server has written all earlier output when it answers.
      this.#add({ type: "ping", request: this.#phase.request });
    }
  }

  #sendInput(text: string): void {
    for (let start = 0; start < text.length; ) {
      const end = start + maxInputLength;
      const isSplit = /[\ud800-\udbff]/.test(text.charAt(end - 1));
      this.#send(inputMessage(text.slice(start, isSplit ? end - 1 : end)));
      start = isSplit ? end - 1 : end;
    }
  }

  #sendSize(): void {
    if (this.#size !== undefined) {
      this.#send(sizeMessage(this.#size));
    }
  }

  #send(data: string): void {
    if (this.#phase.type === "open") {
      this.#add({ type: "send", request: this.#phase.request, data });
    }
  }

  #expired({ timer, bytesReceived, isPaused }: Extract<TerminalInput, { readonly type: "timer" }>): void {
    switch (timer) {
      case "reconnect":
        this.#retry();
        break;
      case "discard":
        this.#keepOutput();
        break;
      case "size":
        this.#sendSize();
        break;
      case "ping":
        if (this.#phase.type === "open") {
          this.#ping(this.#phase, bytesReceived, isPaused);
        }
        break;
    }
  }

  #ping(phase: OpenSocket, bytesReceived: number, isPaused: boolean): void {
    const { ping } = this.#times;
    const slept = this.#now - phase.lastPing > 3 * ping;
    phase.lastPing = this.#now;
    phase.silentPings = bytesReceived === phase.bytesReceived && !isPaused ? phase.silentPings + 1 : 0;
    phase.bytesReceived = bytesReceived;
    if (phase.silentPings >= 2) {
      this.#add({ type: "closeSocket", request: phase.request, reason: silentReason });
      this.#closed(phase.request, phrase`the server stopped answering`);
      return;
    }
    this.#add({ type: "ping", request: phase.request });
    // After sleep, one ping without an answer is enough.
    phase.silentPings = slept ? 1 : phase.silentPings;
    this.#add({ type: "setTimer", timer: "ping", delayMs: slept ? Math.min(ping, pingAfterSleepMs) : ping });
  }

  #keepOutput(): void {
    if (this.#isDiscarding) {
      this.#isDiscarding = false;
      this.#add({ type: "cancelTimer", timer: "discard" });
      this.#add({ type: "keepOutput" });
    }
  }

  #fail(obstacle: Obstacle): void {
    this.#failures += 1;
    switch (obstacle.type) {
      case "gone":
        this.#end("gone");
        break;
      case "credentialRejected":
        this.#enter({ type: "credentialRejected", reason: obstacle.reason });
        break;
      default:
        this.#wait({ type: obstacle.type, reason: obstacle.reason });
        break;
    }
  }

  #wait(state: Extract<TerminalState, { readonly reason: Text }>): void {
    const { firstPauseMs, maxPauseMs } = this.#times;
    const maxDelayMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#failures - 1, 20));
    // Add jitter, so that clients of the same server don't all reconnect at the same time.
    this.#add({ type: "setTimer", timer: "reconnect", delayMs: maxDelayMs * (0.5 + this.#random() / 2) });
    this.#enter(state);
  }

  #end(end: "exited" | "gone"): void {
    this.#stop({ type: "ended", end });
  }

  #stop(state: TerminalState): void {
    const phase = this.#phase;
    switch (phase.type) {
      case "closed":
        this.#add({ type: "cancelTimer", timer: "reconnect" });
        break;
      case "checking":
      case "opening":
        this.#add({ type: "abort", request: phase.request });
        this.#phase = { type: "closed" };
        break;
      case "open":
        this.#leaveSocket();
        this.#add({ type: "closeSocket", request: phase.request });
        break;
    }
    this.#typed = undefined;
    this.#enter(state);
  }

  #leaveSocket(): void {
    this.#phase = { type: "closed" };
    this.#add({ type: "cancelTimer", timer: "ping" });
    this.#keepOutput();
  }

  #enter(state: TerminalState): void {
    this.#state = state;
    this.#add({ type: "state", state });
  }

  #next(): number {
    this.#lastRequest += 1;
    return this.#lastRequest;
  }

  #add(effect: TerminalEffect): void {
    this.#effects.push(effect);
  }
}
