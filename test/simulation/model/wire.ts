import type { IncomingMessage, OutgoingMessage } from "../../../src/api/kernels/wire/kernel-message.ts";
import { type Latency, Pipe } from "./pipe.ts";
import type { Random } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What a client's socket reports. */
export interface SocketListener {
  opened(): void;
  messages(messages: readonly IncomingMessage[]): void;
  /** The socket ended. Nothing follows. */
  ended(): void;
}

/** What the server learns from its side of a socket. */
interface ServerSide {
  received(message: OutgoingMessage): void;
  closed(): void;
}

/** The server closes a socket that is silent for as long, in milliseconds. */
const serverPatience = { least: 30_000, most: 120_000 };
/** Milliseconds that the server waits for the other side's close frame. */
const closingMs = 5000;

/** A WebSocket between a client and the server. */
export class Wire {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #up: Pipe<OutgoingMessage | "close">;
  readonly #down: Pipe<IncomingMessage | "open" | "close">;
  #listener: SocketListener | undefined;
  #server: ServerSide | undefined;

  constructor(
    clock: VirtualClock,
    random: Random,
    latency: Latency,
    { listener, server }: { readonly listener: SocketListener; readonly server: ServerSide },
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#listener = listener;
    this.#server = server;
    this.#up = new Pipe(clock, random, latency, (items) => this.#arriveAbove(items));
    this.#down = new Pipe(clock, random, latency, (items) => this.#arriveBelow(items));
  }

  /** True if a ping would get its pong. */
  get isAnswering(): boolean {
    return !this.#up.isBlocked && !this.#down.isBlocked && this.#server !== undefined;
  }

  /** When everything that the client has sent has arrived. */
  get drainedAt(): number {
    return this.#up.drainedAt;
  }

  /** True if the server's side has ended. */
  get isOver(): boolean {
    return this.#server === undefined;
  }

  get isOpen(): boolean {
    return this.#listener !== undefined;
  }

  /** The server accepts the WebSocket. */
  accept(): void {
    this.#down.send("open");
  }

  /** Sends a message from the client. */
  send(message: OutgoingMessage): void {
    this.#up.send(message);
  }

  /** Sends a message from the server. */
  write(message: IncomingMessage): void {
    this.#down.send(message);
  }

  /** The client closes its side. It receives nothing more. */
  close(): void {
    this.#listener = undefined;
    this.#up.send("close");
  }

  /** The client gives the socket up without a word. */
  destroy(): void {
    this.close();
  }

  /** The server closes its side, and waits for the client's. */
  closeByServer(): void {
    this.#down.send("close");
    this.#clock.schedule(closingMs, () => this.#endAbove());
  }

  /** Both sides notice that the connection broke. What is on its way is lost. */
  cut(): void {
    this.#up.close();
    this.#down.close();
    this.#clock.schedule(this.#random.next() * 20, () => this.#endAbove());
    this.#clock.schedule(this.#random.next() * 20, () => this.#endBelow());
  }

  /** Nothing arrives any more in a direction, and neither side notices. */
  freeze(direction: "up" | "down" | "both"): void {
    if (direction !== "down") this.#up.block();
    if (direction !== "up") this.#down.block();
    // Without pongs, the server gives up. Its close frame may not arrive.
    const { least, most } = serverPatience;
    this.#clock.schedule(this.#random.between(least, most), () => this.closeByServer());
  }

  /** Delays what is sent in both directions. */
  stall(milliseconds: number): void {
    this.#up.stall(milliseconds);
    this.#down.stall(milliseconds);
  }

  #arriveAbove(items: readonly (OutgoingMessage | "close")[]): void {
    for (const item of items) {
      if (item === "close") this.#endAbove();
      else this.#server?.received(item);
    }
  }

  #arriveBelow(items: readonly (IncomingMessage | "open" | "close")[]): void {
    const isClosed = items.at(-1) === "close";
    if (items[0] === "open") this.#listener?.opened();
    const messages = items.filter((item) => item !== "close" && item !== "open");
    if (messages.length > 0) this.#listener?.messages(messages);
    if (isClosed) {
      this.#endBelow();
      this.#up.send("close");
    }
  }

  #endAbove(): void {
    const server = this.#server;
    this.#server = undefined;
    this.#up.close();
    server?.closed();
  }

  #endBelow(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#down.close();
    listener?.ended();
  }
}
