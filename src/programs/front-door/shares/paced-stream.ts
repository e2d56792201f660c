import { Duplex } from "node:stream";

interface PaceLimits {
  /** Bytes that pass without a delay after a pause. */
  readonly burstBytes: number;
  readonly bytesPerSecond: number;
}

/** The least number of bytes that a part or a frame counts, because each costs time however small it is. */
const leastBytes = 1024;

/** Limits the bytes per second of everything that one user receives. */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #monotonic: () => number;
  /** When the bytes that have passed would have arrived at the permitted speed, in milliseconds. */
  #dueAt = 0;

  /** `monotonic` is in milliseconds. */
  constructor(limits: PaceLimits, monotonic: () => number) {
    this.#limits = limits;
    this.#monotonic = monotonic;
  }

  /** Milliseconds until a whole burst can pass again. */
  get untilRestMs(): number {
    return Math.max(0, this.#dueAt - this.#monotonic());
  }

  /** Counts bytes and the frames that begin in them. Returns the milliseconds to wait before they can be processed. */
  count(bytes: number, frames = 1): number {
    const { burstBytes, bytesPerSecond } = this.#limits;
    const now = this.#monotonic();
    this.#dueAt =
      Math.max(now, this.#dueAt) + (Math.max(bytes, leastBytes, leastBytes * frames) * 1000) / bytesPerSecond;
    return Math.max(0, this.#dueAt - now - (burstBytes * 1000) / bytesPerSecond);
  }
}

/** The most frames that are processed in one turn of the event loop. */
const maxFrames = 32;

/** A WebSocket's stream whose received frames are delayed by a pace. Meanwhile, its sender has to wait. */
export class PacedStream extends Duplex {
  readonly #inner: Duplex;
  readonly #pace: Pick<Pace, "count">;
  readonly #frames = new FrameCounter();
  /** What was received and not yet passed on. */
  #rest: Buffer | undefined;
  #waiting: NodeJS.Timeout | undefined;

  constructor(inner: Duplex, pace: Pick<Pace, "count">) {
    super();
    this.#inner = inner;
    this.#pace = pace;
    inner.pause();
    inner.on("data", (part: Buffer) => {
      inner.pause();
      this.#rest = part;
      this.#proceed();
    });
    inner.on("end", () => this.#endIfPassedOn());
    inner.on("error", (error) => this.destroy(error));
    inner.on("close", () => {
      // After its end, parts of it can still be waiting to be read.
      if (!inner.readableEnded) {
        this.destroy();
      }
    });
  }

  override _read(): void {
    this.#proceed();
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#inner.write(part, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#inner.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#waiting);
    this.#inner.destroy();
    done(error);
  }

  /** Passes on the next frames after their delay, or receives more. */
  #proceed(): void {
    const rest = this.#rest;
    if (this.#waiting !== undefined) {
      return;
    }
    if (rest === undefined) {
      this.#inner.resume();
      return;
    }
    const { bytes, frames } = this.#frames.first(rest, maxFrames);
    this.#waiting = setTimeout(
      () => {
        this.#waiting = undefined;
        this.#rest = bytes < rest.length ? rest.subarray(bytes) : undefined;
        if (this.push(rest.subarray(0, bytes))) {
          this.#proceed();
        }
        if (this.#inner.readableEnded) {
          this.#endIfPassedOn();
        }
      },
      this.#pace.count(bytes, frames),
    );
  }

  #endIfPassedOn(): void {
    if (this.#waiting === undefined && this.#rest === undefined) {
      this.push(null);
    }
  }
}

/** Finds the frames in a WebSocket's bytes from its server (RFC 6455, 5.2). */
class FrameCounter {
  /** The bytes of the current frame's content that have not arrived. */
  #missing = 0;
  /** The beginning of a header that has not arrived completely. */
  #header: number[] = [];

  /** The number of bytes until more than `limit` frames would begin in them, and how many do. */
  first(part: Buffer, limit: number): { readonly bytes: number; readonly frames: number } {
    let bytes = 0;
    let frames = 0;
    while (bytes < part.length) {
      if (this.#missing > 0) {
        const arrived = Math.min(this.#missing, part.length - bytes);
        this.#missing -= arrived;
        bytes += arrived;
        continue;
      }
      if (this.#header.length === 0) {
        if (frames === limit) {
          break;
        }
        frames += 1;
      }
      this.#header.push(part[bytes] ?? 0);
      bytes += 1;
      const length = contentLength(this.#header);
      if (length !== undefined) {
        this.#missing = length;
        this.#header = [];
      }
    }
    return { bytes, frames };
  }
}

/** The length in a frame's header; undefined while the header is incomplete. */
function contentLength(header: readonly number[]): number | undefined {
  const [, second] = header;
  if (second === undefined) {
    return undefined;
  }
  const short = second & 0x7f;
  const size = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (header.length < size) {
    return undefined;
  }
  return size === 2 ? short : header.slice(2).reduce((sum, byte) => sum * 256 + byte, 0);
}
