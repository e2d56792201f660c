import type { IncomingMessage, MessageHeader, OutgoingMessage } from "../../../src/api/kernels/wire/kernel-message.ts";
import { MessageFactory } from "./kernel-messages.ts";
import { KernelModel, type KernelPort } from "./kernel-model.ts";
import type { KernelObserver } from "./kernel-observer.ts";
import type { KernelKind } from "./kernel-process.ts";
import type { Random } from "./random.ts";
import { type ExecutionState, type KernelConnector, type Nudge, ServerConnection } from "./server-connection.ts";
import { StreamSet } from "./stream-set.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import type { Wire } from "./wire.ts";

export interface ServerOptions {
  readonly kernel: KernelKind;
  readonly recorderEntries: number;
  /** Published messages within 3 seconds that a connection passes on. */
  readonly maxRate: number;
  /** Whether a kernel that restarts in its first seconds gets other ports. */
  readonly changesPorts: boolean;
}

const nudgeMs = 500;
const maxNudgeMs = 60_000;
/** The server looks this often whether the kernel's process is alive. */
const pollMs = 3000;
const startMs = { least: 200, most: 2000 };
/** A process that ends again within this time counts as failed. After some failures, the server gives up. */
const stableMs = 10_000;
const maxRestarts = 5;
/** Prefix of the identities of the server's own questions. */
const nudgePrefix = "nudge-";

/** A Jupyter Server with one kernel. */
export class ServerModel implements KernelConnector {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly options: ServerOptions;
  readonly #observer: KernelObserver;
  readonly #connections = new Set<ServerConnection>();
  readonly #streams = new Set<StreamSet>();
  readonly #nudges = new Map<string, () => void>();
  #buffer: { readonly session: string; readonly streams: StreamSet; readonly messages: IncomingMessage[] } | undefined;
  #kernel: KernelModel | undefined;
  #hasKernel = true;
  #processes = 0;
  #identities = 0;
  #isRestarting = false;
  #restarts = 0;
  #startedAt = 0;
  #executionState: ExecutionState = "starting";
  /** Called when the kernel has answered for the first time. Undefined afterwards. */
  #waitingForKernel: (() => void)[] | undefined = [];
  /** Sessions for which the server dropped output. */
  readonly dropped = new Set<string>();

  constructor(clock: VirtualClock, random: Random, options: ServerOptions, observer: KernelObserver) {
    this.clock = clock;
    this.random = random;
    this.options = options;
    this.#observer = observer;
    this.#startProcess();
  }

  get hasKernel(): boolean {
    return this.#hasKernel;
  }

  get executionState(): ExecutionState {
    return this.#hasKernel ? this.#executionState : "unknown";
  }

  get kernel(): KernelModel | undefined {
    return this.#kernel;
  }

  /** Number of connected clients. */
  get connections(): number {
    return this.#connections.size;
  }

  /** True if the server keeps messages for this session. */
  keepsMessagesOf(session: string): boolean {
    return this.#buffer?.session === session;
  }

  /**
   * Prepares a WebSocket. Calls `accepted` when the kernel has answered once, with the connection that must be opened
   * then. Closes an earlier connection of the same session.
   */
  prepare(session: string, accepted: (connection: ServerConnection) => void): void {
    for (const connection of this.#connections) {
      if (connection.session === session) connection.replace();
    }
    const accept = (): void => {
      if (!this.#hasKernel) return;
      this.#identities += 1;
      accepted(new ServerConnection(this, session, this.#identities));
    };
    if (this.#waitingForKernel === undefined) accept();
    else this.#waitingForKernel.push(accept);
  }

  /** Connects a prepared connection to the kernel. */
  connect(connection: ServerConnection, wire: Wire): void {
    const { session } = connection;
    this.#connections.add(connection);
    const buffer = this.#buffer;
    this.#buffer = undefined;
    if (buffer?.session === session) {
      const streams = buffer.streams.isAttached ? buffer.streams : this.#newStreams(session);
      if (streams !== buffer.streams) this.#close(buffer.streams);
      connection.open(wire, streams, buffer.messages);
      return;
    }
    if (buffer !== undefined) {
      this.#close(buffer.streams);
      if (buffer.messages.length > 0) this.dropped.add(buffer.session);
    }
    connection.open(wire, this.#newStreams(session), undefined);
  }

  /** A connection's WebSocket was closed. The server keeps messages only for the last connection. */
  disconnected(connection: ServerConnection, streams: StreamSet | undefined): void {
    const wasConnected = this.#connections.delete(connection);
    if (streams === undefined || !wasConnected) return;
    if (this.#connections.size > 0 || !this.#hasKernel) {
      this.#close(streams);
      return;
    }
    if (this.#buffer !== undefined) this.#close(this.#buffer.streams);
    const messages: IncomingMessage[] = [];
    this.#buffer = { session: connection.session, streams, messages };
    streams.pass((message) => messages.push(message));
  }

  /** Passes a client's message on to the kernel. */
  send(streams: StreamSet, message: OutgoingMessage): void {
    if (!streams.isAttached || streams.isClosed) return;
    this.#toKernel(message, streams.session);
  }

  noticeDrop(session: string): void {
    this.dropped.add(session);
  }

  /** Asks for the kernel's information until it has answered. */
  nudge(nudge: Nudge): void {
    const endsAt = this.clock.now + maxNudgeMs;
    const ask = (): void => {
      if (nudge.isDone()) return;
      if (!this.#hasKernel || this.clock.now >= endsAt) {
        nudge.giveUp();
        return;
      }
      this.#identities += 1;
      const identity = nudgePrefix + this.#identities;
      this.#nudges.set(identity, () => {
        this.#nudges.delete(identity);
        this.#whenStarted(() => nudge.answered());
      });
      const header = { msg_id: identity, msg_type: "kernel_info_request", session: nudge.session };
      this.#toKernel({ channel: "shell", header, content: {} }, identity);
      this.#toKernel({ channel: "control", header, content: {} }, identity);
      this.clock.schedule(nudgeMs, ask);
    };
    ask();
  }

  interrupt(): void {
    this.#kernel?.interrupt();
  }

  /** Restarts the kernel as a client has asked. Calls `done` when the new process has answered. */
  restart(done: () => void): void {
    this.#isRestarting = true;
    this.clock.schedule(this.random.next() * 50, () => {
      this.#kernel?.end("restart");
      this.clock.schedule(this.random.between(startMs.least, startMs.most), () => {
        this.#isRestarting = false;
        if (this.#hasKernel) {
          this.#startProcess();
          this.#ask(done);
        } else {
          done();
        }
      });
    });
  }

  /** Ends the kernel, as a client or the culler does. */
  shutDown(): void {
    if (!this.#hasKernel) return;
    this.#hasKernel = false;
    this.#kernel?.end("shutDown");
    if (this.#buffer !== undefined) this.#close(this.#buffer.streams);
    this.#buffer = undefined;
  }

  /** The server ends with its kernel. Its WebSockets must be cut as well. */
  stop(): void {
    this.#hasKernel = false;
    this.#kernel?.end(undefined);
    this.#buffer = undefined;
  }

  /** ZeroMQ drops the next published messages for each client. */
  loseMessages(count: number): void {
    for (const connection of this.#connections) connection.lose(count);
  }

  /** Kills the kernel's process. The server notices, and starts another one. */
  killProcess(): void {
    this.#kernel?.end(undefined);
  }

  #startProcess(): void {
    this.#processes += 1;
    this.#startedAt = this.clock.now;
    this.#executionState = "starting";
    const messages = new MessageFactory(this.clock, `kernel${this.#processes}`);
    const port: KernelPort = {
      publish: (message) => this.#publish(message),
      reply: (identity, message) => this.#reply(identity, message),
      exited: () => this.#noticeEnd(),
    };
    this.#kernel = new KernelModel(
      this.clock,
      this.random,
      { kind: this.options.kernel, recorderEntries: this.options.recorderEntries },
      { messages, port, observer: this.#observer },
    );
    if (this.#waitingForKernel !== undefined) this.#ask(() => this.#answered());
  }

  #answered(): void {
    const waiting = this.#waitingForKernel ?? [];
    this.#waitingForKernel = undefined;
    for (const accept of waiting) accept();
  }

  /** Asks for the kernel's information once, and again until it answers. */
  #ask(done: () => void): void {
    let isDone = false;
    this.nudge({
      session: "server",
      isDone: () => isDone,
      answered: () => {
        isDone = true;
        done();
      },
      giveUp: () => {
        isDone = true;
        done();
      },
    });
  }

  #whenStarted(work: () => void): void {
    if (this.#executionState === "starting") this.clock.schedule(50, () => this.#whenStarted(work));
    else work();
  }

  #noticeEnd(): void {
    if (this.#isRestarting || !this.#hasKernel) return;
    this.clock.schedule(this.random.next() * pollMs, () => this.#restartAutomatically());
  }

  #restartAutomatically(): void {
    if (this.#isRestarting || !this.#hasKernel || this.#kernel?.isAlive === true) return;
    const isFirstMoments = this.clock.now - this.#startedAt < stableMs;
    this.#restarts = isFirstMoments ? this.#restarts + 1 : 1;
    const hasFailed = this.#restarts > maxRestarts;
    for (const connection of this.#connections) connection.report(hasFailed ? "dead" : "restarting");
    if (hasFailed) {
      this.#hasKernel = false;
      return;
    }
    if (this.options.changesPorts && isFirstMoments) {
      for (const streams of this.#streams) streams.isAttached = false;
    }
    this.clock.schedule(this.random.between(startMs.least, startMs.most), () => {
      if (!this.#isRestarting && this.#hasKernel && this.#kernel?.isAlive !== true) this.#startProcess();
    });
  }

  #toKernel(message: OutgoingMessage, identity: string): void {
    // The way of each channel is so short that nothing overtakes.
    this.#kernel?.receive({ message, identity });
  }

  #publish(message: IncomingMessage): void {
    for (const streams of this.#streams) streams.send(message);
    if (message.header.msg_type === "status") this.#noticeStatus(message);
  }

  #noticeStatus({ content, parentHeader }: IncomingMessage): void {
    const state = content.execution_state;
    const kernel = this.#kernel;
    this.clock.schedule(this.random.next() * 2, () => {
      if (kernel !== this.#kernel) return;
      if (isTracked(parentHeader) && (state === "busy" || state === "idle")) this.#executionState = state;
      else if (this.#executionState === "starting" && state !== "starting") this.#executionState = "idle";
    });
  }

  #reply(identity: string, message: IncomingMessage): void {
    if (identity.startsWith(nudgePrefix)) {
      this.clock.schedule(this.random.next() * 2, () => this.#nudges.get(identity)?.());
      return;
    }
    const own = [...this.#streams].filter(({ session, isAttached }) => session === identity && isAttached);
    // With two clients of one session, the replies go to either.
    if (own.length > 0) this.random.pick(own).send(message);
  }

  #newStreams(session: string): StreamSet {
    const streams = new StreamSet(this.clock, this.random, session, () => {});
    this.#streams.add(streams);
    return streams;
  }

  #close(streams: StreamSet): void {
    streams.close();
    this.#streams.delete(streams);
  }
}

/** True for requests whose status is the kernel's state for the server. */
function isTracked(parent: MessageHeader | undefined): boolean {
  return parent?.msg_type === "execute_request" || parent?.msg_type.startsWith("comm_") === true;
}
