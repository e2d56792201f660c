import { Duplex } from "node:stream";

interface PaceLimits {
  /** Bytes that pass without a delay after a pause. */
  readonly burstBytes: number;
  readonly bytesPerSecond: number;
}

/** The least number of bytes that a part counts, because each part costs time however small it is. */
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

  /** Counts bytes. Returns the milliseconds to wait before they can be processed. */
  count(bytes: number): number {
    const { burstBytes, bytesPerSecond } = this.#limits;
    const now = this.#monotonic();
    this.#dueAt = Math.max(now, this.#dueAt) + (Math.max(bytes, leastBytes) * 1000) / bytesPerSecond;
    return Math.max(0, this.#dueAt - now - (burstBytes * 1000) / bytesPerSecond);
  }
}

/** A stream whose received bytes are delayed by a pace. Meanwhile, its sender has to wait. */
export class PacedStream extends Duplex {
  readonly #inner: Duplex;
  #waiting: NodeJS.Timeout | undefined;

  constructor(inner: Duplex, pace: Pick<Pace, "count">) {
    super();
    this.#inner = inner;
    inner.pause();
    inner.on("data", (part: Buffer) => {
      inner.pause();
      this.#waiting = setTimeout(() => {
        this.#waiting = undefined;
        if (this.push(part)) {
          inner.resume();
        }
        if (inner.readableEnded) {
          this.push(null);
        }
      }, pace.count(part.length));
    });
    inner.on("end", () => {
      if (this.#waiting === undefined) {
        this.push(null);
      }
    });
    inner.on("error", (error) => this.destroy(error));
    inner.on("close", () => {
      // After its end, parts of it can still be waiting to be read.
      if (!inner.readableEnded) {
        this.destroy();
      }
    });
  }

  override _read(): void {
    if (this.#waiting === undefined) {
      this.#inner.resume();
    }
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
}
