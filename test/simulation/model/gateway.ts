import type { OutgoingMessage } from "../../../src/api/kernels/wire/kernel-message.ts";
import type { Latency } from "./pipe.ts";
import type { Random } from "./random.ts";
import type { ExecutionState, ServerConnection } from "./server-connection.ts";
import type { ServerModel } from "./server-model.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import { type SocketListener, Wire } from "./wire.ts";

/** What a request for the kernel results in. `failed`: no response. */
export type RestResult =
  | { readonly type: "ok"; readonly state: ExecutionState; readonly connections: number }
  /** The server has no such kernel. */
  | { readonly type: "gone" }
  /** The hub's proxy has no route, or its target does not respond. */
  | { readonly type: "noRoute" }
  /** The hub says that the server is not running. */
  | { readonly type: "stopped" }
  /** The token is not valid. */
  | { readonly type: "refused" }
  | { readonly type: "failed" };

/** What a client's WebSocket request results in, in addition to what the socket reports. */
export interface OpeningListener extends SocketListener {
  refused(result: RestResult): void;
}

/** A client's socket. */
export interface ClientSocket {
  send(message: OutgoingMessage): void;
  /** True if the other side would answer a ping. */
  readonly isAnswering: boolean;
  close(): void;
}

/** The hub's proxy between the clients and the server. */
export class Hub {
  state: "running" | "noRoute" | "stopped" = "running";
}

const handshakeLatency = { least: 1, most: 8 };

/** One client's way to the server: its network, its token, the hub's proxy. */
export class Gateway {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #server: ServerModel;
  readonly #hub: Hub;
  readonly #latency: Latency;
  /** Those that are open, or from which something is on its way. */
  #wires: Wire[] = [];
  isOnline = true;
  hasValidToken = true;

  constructor(
    { clock, random, server, hub }: { clock: VirtualClock; random: Random; server: ServerModel; hub: Hub },
    latency: Latency,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#server = server;
    this.#hub = hub;
    this.#latency = latency;
  }

  /** Requests the kernel's state. */
  get(done: (result: RestResult) => void): void {
    this.#request(() => done(this.#state()));
  }

  /** Interrupts or restarts the kernel. */
  post(action: "interrupt" | "restart", done: (result: RestResult) => void): void {
    this.#request(() => {
      const state = this.#state();
      if (state.type !== "ok") {
        done(state);
      } else if (action === "interrupt") {
        this.#server.interrupt();
        this.#respond(() => done(state));
      } else {
        this.#server.restart(() => this.#respond(() => done(this.#isReachable ? this.#state() : { type: "failed" })));
      }
    });
  }

  /** Opens a WebSocket. The server accepts it when the kernel has answered once. */
  open(session: string, listener: OpeningListener): ClientSocket {
    let connection: ServerConnection | undefined;
    let isClosed = false;
    const wire: Wire = new Wire(this.#clock, this.#random, this.#latency, {
      listener,
      server: {
        received: (message) => connection?.received(message),
        closed: () => connection?.closed(),
      },
    });
    const { now } = this.#clock;
    // What was sent on a socket is not overtaken by what is sent on a later one, as on one way through a network.
    this.#wires = this.#wires.filter(({ isOpen, drainedAt }) => isOpen || drainedAt > now);
    const drainedAt = Math.max(now, ...this.#wires.map((earlier) => earlier.drainedAt));
    this.#wires.push(wire);
    this.#clock.schedule(drainedAt - now + this.#random.between(handshakeLatency.least, handshakeLatency.most), () => {
      const state = this.#state();
      if (state.type !== "ok") {
        if (!isClosed) listener.refused(state);
        return;
      }
      this.#server.prepare(session, (accepted) => {
        if (isClosed || wire.isOver || !this.#isReachable) return;
        connection = accepted;
        wire.accept();
        this.#server.connect(accepted, wire);
      });
    });
    return {
      send: (message) => wire.send(message),
      get isAnswering() {
        return wire.isAnswering;
      },
      close: () => {
        isClosed = true;
        wire.close();
      },
    };
  }

  /** Breaks all sockets. `clean`: both sides get a close frame, after what is on its way. */
  cut(kind: "clean" | "reset"): void {
    for (const wire of this.#open()) {
      if (kind === "clean") wire.closeByServer();
      else wire.cut();
    }
  }

  /** Nothing arrives on any socket, and no side notices. */
  freeze(direction: "up" | "down" | "both"): void {
    for (const wire of this.#open()) wire.freeze(direction);
  }

  stall(milliseconds: number): void {
    for (const wire of this.#open()) wire.stall(milliseconds);
  }

  /** The computer's network is gone while it sleeps: the server gives up. */
  #open(): readonly Wire[] {
    return this.#wires.filter(({ isOpen }) => isOpen);
  }

  get #isReachable(): boolean {
    return this.isOnline && this.#hub.state === "running";
  }

  #state(): RestResult {
    if (!this.isOnline) return { type: "failed" };
    if (this.#hub.state !== "running") return { type: this.#hub.state };
    if (!this.hasValidToken) return { type: "refused" };
    const { hasKernel, executionState, connections } = this.#server;
    return hasKernel ? { type: "ok", state: executionState, connections } : { type: "gone" };
  }

  #request(work: () => void): void {
    this.#respond(work);
  }

  #respond(work: () => void): void {
    this.#clock.schedule(this.#random.between(handshakeLatency.least, handshakeLatency.most), work);
  }
}
