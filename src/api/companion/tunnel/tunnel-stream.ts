import { Duplex } from "node:stream";
import type { Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import { type SentFrame, type TunnelEnd, tunnelWindowBytes } from "../operations/tunnel.ts";

/** Why a connection through a tunnel ended early. `lost`: the companion can't be reached, or has ended. */
export class TunnelStreamError extends WordedError {
  override readonly name = "TunnelStreamError";
  readonly reason: TunnelEnd | "lost";

  constructor(reason: TunnelEnd | "lost", text: Text) {
    super(text);
    this.reason = reason;
  }
}

/** What was taken is reported in steps of this size. */
const reportBytes = 512 * 1024;
const maxPieceBytes = 256 * 1024;

/**
 * A connection to a port of a workspace. Its directions end separately, as those of a socket. It fails with a
 * TunnelStreamError.
 */
export class TunnelStream extends Duplex {
  readonly #send: (frame: SentFrame, data?: Uint8Array) => void;
  readonly #connection: number;
  readonly #onGone: () => void;
  /** Bytes that may be sent. */
  #room = tunnelWindowBytes;
  #continue: (() => void) | undefined;
  /** Bytes that arrived and were not reported as taken. */
  #arrived = 0;
  #isGone = false;

  constructor(
    connection: number,
    parts: { readonly send: (frame: SentFrame, data?: Uint8Array) => void; readonly onGone: () => void },
  ) {
    super({ allowHalfOpen: true, autoDestroy: true, emitClose: true });
    this.#connection = connection;
    this.#send = parts.send;
    this.#onGone = parts.onGone;
  }

  /** Data of the port. Returns false if there is more than the window allows. */
  takeData(data: Uint8Array): boolean {
    this.#arrived += data.byteLength;
    if (this.#arrived > tunnelWindowBytes) {
      return false;
    }
    if (!this.destroyed) {
      this.push(data);
    }
    return true;
  }

  takeEnd(): void {
    if (!this.destroyed) {
      this.push(null);
    }
  }

  takeReceived(bytes: number): void {
    this.#room = Math.min(tunnelWindowBytes, this.#room + bytes);
    const proceed = this.#continue;
    if (proceed !== undefined && this.#room > 0) {
      this.#continue = undefined;
      proceed();
    }
  }

  /** The companion has ended the connection, or is lost. */
  takeClosed(error: TunnelStreamError): void {
    this.#isGone = true;
    this.destroy(error);
  }

  override _read(): void {
    if (this.#arrived >= reportBytes && !this.#isGone) {
      this.#send({ type: "received", connection: this.#connection, bytes: this.#arrived });
      this.#arrived = 0;
    }
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    for (let start = 0; start < chunk.byteLength; start += maxPieceBytes) {
      const piece = chunk.subarray(start, start + maxPieceBytes);
      this.#room -= piece.byteLength;
      this.#send({ type: "data", connection: this.#connection }, piece);
    }
    if (this.#room > 0) {
      done();
    } else {
      this.#continue = done;
    }
  }

  override _final(done: () => void): void {
    this.#send({ type: "end", connection: this.#connection });
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const hasEnded = this.readableEnded && this.writableFinished;
    if (!this.#isGone && !hasEnded) {
      this.#send({ type: "close", connection: this.#connection });
    }
    this.#isGone = true;
    this.#onGone();
    done(error);
  }
}
