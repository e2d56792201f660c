import type { Clock } from "../../../src/api/clock.ts";

interface Timer {
  readonly at: number;
  readonly work: () => void;
  readonly timeout: NodeJS.Timeout;
}

/** A clock that follows the system's and can be advanced. Timers that are due by then fire at once. */
export class ForwardClock implements Clock {
  #offset = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return Date.now() + this.#offset;
  }

  schedule(milliseconds: number, work: () => void): () => void {
    const timer: Timer = {
      at: this.now() + milliseconds,
      work,
      timeout: setTimeout(() => this.#run(timer), milliseconds),
    };
    this.#timers.add(timer);
    return () => this.#cancel(timer);
  }

  /** Advances the clock by this many milliseconds, as when a computer sleeps: each timer that is due fires once. */
  pass(milliseconds: number): void {
    this.#offset += milliseconds;
    const now = this.now();
    const due = [...this.#timers].filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at);
    for (const timer of due) {
      if (this.#timers.has(timer)) this.#run(timer);
    }
  }

  #run(timer: Timer): void {
    this.#cancel(timer);
    timer.work();
  }

  #cancel(timer: Timer): void {
    this.#timers.delete(timer);
    clearTimeout(timer.timeout);
  }
}
