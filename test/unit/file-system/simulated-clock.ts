import type { Clock } from "../../../src/api/clock.ts";

interface Scheduled {
  readonly at: number;
  readonly work: () => void;
}

/** A clock that moves only on request. Timers that are due meanwhile fire in order. */
export class SimulatedClock implements Clock {
  #now = 1_000_000;
  readonly #scheduled = new Set<Scheduled>();

  now(): number {
    return this.#now;
  }

  schedule(milliseconds: number, work: () => void): () => void {
    const one = { at: this.#now + milliseconds, work };
    this.#scheduled.add(one);
    return () => this.#scheduled.delete(one);
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await settled();
      const [next] = [...this.#scheduled].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (next === undefined) {
        break;
      }
      this.#scheduled.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.work();
    }
    this.#now = end;
    await settled();
  }
}

/** Completes everything that waits only for promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
