import type { Subscription } from "../../kernels/connection/connection.ts";
import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { Companion } from "../companion.ts";
import { CompanionLostError } from "../errors.ts";
import { type PushedFrame, sendToTunnel, serveTunnel } from "../operations/tunnel.ts";
import { type Batch, Outbox } from "./outbox.ts";
import { TunnelStream, TunnelStreamError } from "./tunnel-stream.ts";

/** The part of a companion that a tunnel needs. */
export type TunnelCompanion = Pick<Companion, "subscribe" | "request" | "awaitPushes">;

/** Milliseconds in which the first reply to what was sent usually comes. */
const replyMs = 1000;

/** Connections to ports of a workspace, through its companion. It ends with the companion or its connection. */
export class Tunnel {
  readonly #companion: TunnelCompanion;
  readonly #streams = new Map<number, TunnelStream>();
  readonly #outbox: Outbox;
  #subscription: (Subscription & { readonly result: { readonly tunnel: string } }) | undefined;
  #last = 0;
  #end: Error | undefined;

  private constructor(companion: TunnelCompanion) {
    this.#companion = companion;
    this.#outbox = new Outbox(
      (batch) => this.#send(batch),
      (error) => this.#fail(error),
    );
  }

  /** Rejects like `Companion.subscribe`. */
  static async open(companion: TunnelCompanion, signal?: AbortSignal): Promise<Tunnel> {
    const tunnel = new Tunnel(companion);
    const listener = {
      onPush: ({ frames }: { readonly frames: readonly PushedFrame[] }, buffers: readonly Uint8Array[]): void =>
        tunnel.#take(frames, buffers),
      onFailure: (error: Error): void => tunnel.#fail(error),
    };
    tunnel.#subscription = await companion.subscribe(serveTunnel, {}, listener, signal === undefined ? {} : { signal });
    return tunnel;
  }

  /** Why it can't be used anymore; undefined while it can. */
  get end(): Error | undefined {
    return this.#end;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#streams.size;
  }

  /** Connects to a port of the workspace's loopback. What is written meanwhile is sent at once. */
  connect(port: number): TunnelStream {
    this.#last += 1;
    const connection = this.#last;
    const stream = new TunnelStream(connection, {
      send: (frame, data) => this.#outbox.add(frame, data),
      onGone: () => this.#streams.delete(connection),
    });
    if (this.#end !== undefined) {
      stream.takeClosed(new TunnelStreamError("lost", wordsOf(this.#end)));
      return stream;
    }
    this.#streams.set(connection, stream);
    this.#outbox.add({ type: "open", connection, port });
    return stream;
  }

  /** Ends all connections. */
  dispose(): void {
    this.#fail(new CompanionLostError(phrase`The connection was closed.`));
  }

  async #send({ number, pushes, frames, buffers }: Batch): Promise<void> {
    const tunnel = this.#subscription?.result.tunnel ?? "";
    this.#companion.awaitPushes(replyMs);
    await this.#companion.request(sendToTunnel, { tunnel, number, pushes, frames }, { buffers });
  }

  #take(frames: readonly PushedFrame[], buffers: readonly Uint8Array[]): void {
    let next = 0;
    for (const frame of frames) {
      const stream = this.#streams.get(frame.connection);
      switch (frame.type) {
        case "data": {
          const data = buffers[next];
          next += 1;
          if (data === undefined || stream?.takeData(data) === false) {
            throw new CompanionLostError(phrase`The companion sent more than it may.`);
          }
          break;
        }
        case "end":
          stream?.takeEnd();
          break;
        case "received":
          stream?.takeReceived(frame.bytes);
          break;
        case "closed":
          stream?.takeClosed(new TunnelStreamError(frame.reason, frame.message));
          break;
      }
    }
    this.#outbox.tookPush();
  }

  #fail(error: Error): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = error;
    this.#outbox.close();
    this.#subscription?.dispose();
    for (const stream of [...this.#streams.values()]) {
      stream.takeClosed(new TunnelStreamError("lost", wordsOf(error)));
    }
  }
}

function wordsOf(error: Error): Text {
  return error instanceof WordedError ? error.text : error.message;
}
