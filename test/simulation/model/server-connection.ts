import type { IncomingMessage, OutgoingMessage } from "../../../src/api/kernels/wire/kernel-message.ts";
import { MessageFactory } from "./kernel-messages.ts";
import { RateLimit } from "./rate-limit.ts";
import type { StreamSet } from "./stream-set.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import type { Wire } from "./wire.ts";

const rateNotice = "IOPub message rate exceeded.\nThe Jupyter server will temporarily stop sending output\n";

/** What the server knows of the kernel. `unknown`: it does not have it. */
export type ExecutionState = "starting" | "idle" | "busy" | "unknown";

/** A question of the server itself, which it repeats until the kernel has answered and published something. */
export interface Nudge {
  readonly session: string;
  isDone(): boolean;
  answered(): void;
  giveUp(): void;
}

/** What a connection needs of its server. */
export interface KernelConnector {
  readonly clock: VirtualClock;
  readonly options: { readonly maxRate: number };
  readonly executionState: ExecutionState;
  /** Asks for the kernel's information until it has answered. */
  nudge(nudge: Nudge): void;
  /** Passes a client's message on to the kernel. */
  send(streams: StreamSet, message: OutgoingMessage): void;
  disconnected(connection: ServerConnection, streams: StreamSet | undefined): void;
  /** Output was dropped for this session. */
  noticeDrop(session: string): void;
}

/** The server's side of a client's WebSocket. */
export class ServerConnection {
  readonly session: string;
  readonly #server: KernelConnector;
  readonly #messages: MessageFactory;
  readonly #limit: RateLimit;
  #wire: Wire | undefined;
  #streams: StreamSet | undefined;
  /** What the client sent, and what the kernel sent, until the kernel has answered the server's own question. */
  readonly #early: OutgoingMessage[] = [];
  #isReady = false;
  #isClosed = false;

  constructor(server: KernelConnector, session: string, number: number) {
    this.#server = server;
    this.session = session;
    this.#messages = new MessageFactory(server.clock, session);
    this.#limit = new RateLimit(server.options.maxRate);
    this.number = number;
  }

  readonly number: number;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The server has accepted the WebSocket. `buffered`: what it kept for this session. */
  open(wire: Wire, streams: StreamSet, buffered: readonly IncomingMessage[] | undefined): void {
    this.#wire = wire;
    this.#streams = streams;
    const replayed = [...(buffered ?? [])];
    const held: IncomingMessage[] = [];
    // Waiting for a first published message, the server swallows it.
    let isWaiting = this.#server.executionState !== "busy";
    let isAnswered = !isWaiting;
    const finish = (): void => {
      if (isWaiting || !isAnswered || this.#isReady || this.#isClosed) return;
      this.#isReady = true;
      for (const message of replayed) this.#pass(message);
      streams.pass((message) => this.#pass(message));
      for (const message of held) this.#pass(message);
      for (const message of this.#early.splice(0)) this.#server.send(streams, message);
    };
    streams.pass((message) => {
      if (message.channel === "iopub") {
        if (isWaiting) {
          isWaiting = false;
          finish();
        } else {
          held.push(message);
        }
      } else if (buffered === undefined) {
        held.push(message);
      } else {
        replayed.push(message);
      }
    });
    if (isWaiting) {
      this.#server.nudge({
        session: this.session,
        isDone: () => this.#isReady || this.#isClosed,
        answered: () => {
          isAnswered = true;
          finish();
        },
        giveUp: () => {
          isWaiting = false;
          isAnswered = true;
          finish();
        },
      });
    } else {
      finish();
    }
  }

  /** Takes a message from the client. */
  received(message: OutgoingMessage): void {
    if (this.#isClosed || this.#streams === undefined) return;
    if (this.#isReady) this.#server.send(this.#streams, message);
    else this.#early.push(message);
  }

  /** Tells the client about the kernel's process. */
  report(state: "restarting" | "dead"): void {
    if (!this.#isClosed)
      this.#wire?.write(this.#messages.message("iopub", "status", undefined, { execution_state: state }));
  }

  /** Closes the WebSocket, because the same session connects again. */
  replace(): void {
    this.#wire?.closeByServer();
  }

  lose(count: number): void {
    this.#streams?.lose(count);
  }

  /** The WebSocket is closed. */
  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#server.disconnected(this, this.#streams);
  }

  #pass(message: IncomingMessage): void {
    if (this.#isClosed) return;
    const isDropped =
      message.channel === "iopub" &&
      this.#limit.drops(message, this.#server.clock.now, (parent) => {
        this.#wire?.write(this.#messages.message("iopub", "stream", parent, { name: "stderr", text: rateNotice }));
      });
    if (isDropped) this.#server.noticeDrop(this.session);
    else this.#wire?.write(message);
  }
}
