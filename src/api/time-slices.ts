import { nextTurn } from "./turns.ts";

/** Milliseconds of work until other work gets a turn. */
const sliceMs = 20;
/** Steps between two looks at the clock, which costs more than a step. */
const stepsPerLook = 4_096;

/**
 * Divides long work into slices, so the event loop is never blocked for long. The work reports its steps, each at most a
 * few microseconds, and pauses when its slice is over:
 *
 *     if (slices.isOver(steps)) await slices.pause();
 */
export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  #steps = 0;
  #begunAt = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Records the number of steps. True if the slice is over. */
  isOver(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps < stepsPerLook) {
      return false;
    }
    this.#steps = 0;
    return performance.now() - this.#begunAt >= sliceMs;
  }

  /** Waits for a turn on the event loop. Rejects with the reason of the signal if it is aborted. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#begunAt = performance.now();
  }
}
