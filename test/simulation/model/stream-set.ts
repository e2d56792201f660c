import type { IncomingMessage, KernelChannel } from "../../../src/api/kernels/wire/kernel-message.ts";
import { type Latency, Pipe } from "./pipe.ts";
import type { Random } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const latency: Latency = { usual: 1, rare: 20 };
/** Milliseconds until a new subscription receives what a kernel publishes. */
const maxSubscriptionMs = 5;

/**
 * The server's sockets to a kernel for one client: what the kernel sends arrives on each channel in its order, but not in
 * order across channels.
 */
export class StreamSet {
  /** The client's session. The kernel replies to it. */
  readonly session: string;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #pipes = new Map<string, Pipe<IncomingMessage>>();
  readonly #subscribedAt: number;
  #onMessage: (message: IncomingMessage) => void;
  #isClosed = false;
  /** Number of published messages that get lost before the server reads them. */
  #toLose = 0;
  #hasNumbers = false;
  /** False once the kernel has other ports. */
  isAttached = true;

  constructor(clock: VirtualClock, random: Random, session: string, onMessage: (message: IncomingMessage) => void) {
    this.session = session;
    this.#clock = clock;
    this.#random = random;
    this.#onMessage = onMessage;
    this.#subscribedAt = clock.now + random.next() * maxSubscriptionMs;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Passes messages to another receiver from now on. */
  pass(onMessage: (message: IncomingMessage) => void): void {
    this.#hasNumbers = false;
    this.#onMessage = onMessage;
  }

  /** Takes a message from the kernel. */
  send(message: IncomingMessage): void {
    if (this.#isClosed || !this.isAttached) return;
    if (message.channel === "iopub") {
      if (this.#clock.now < this.#subscribedAt) return;
      if (this.#toLose > 0 && this.#hasNumbers) {
        this.#toLose -= 1;
        return;
      }
      this.#hasNumbers ||= message.header.publishedNumber !== undefined;
    }
    this.#pipe(message.channel).send(message);
  }

  /**
   * Loses the next published messages, as ZeroMQ does if the server doesn't read them. Only many messages fill its queue,
   * so that some with numbers have come before if there is a recorder.
   */
  lose(count: number): void {
    this.#toLose += count;
  }

  close(): void {
    this.#isClosed = true;
  }

  #pipe(channel: KernelChannel | string): Pipe<IncomingMessage> {
    let pipe = this.#pipes.get(channel);
    if (pipe === undefined) {
      pipe = new Pipe(this.#clock, this.#random, latency, (messages) => {
        for (const message of messages) {
          if (!this.#isClosed) this.#onMessage(message);
        }
      });
      this.#pipes.set(channel, pipe);
    }
    return pipe;
  }
}
