import { AsyncResource } from "node:async_hooks";
import type { Clock } from "../../src/api/clock.ts";

/**
 * The clock of one client. It moves only when a test moves it, so that no cache expires because the machine is slow.
 */
export class PersonalTime implements Clock {
  #now = Date.now();
  readonly #scheduled = new Set<{ readonly at: number; readonly work: () => void }>();

  readonly now = (): number => this.#now;

  schedule(milliseconds: number, work: () => void): () => void {
    // As a timer, it runs in the window that has scheduled it.
    const one = { at: this.#now + milliseconds, work: AsyncResource.bind(work) };
    this.#scheduled.add(one);
    return () => this.#scheduled.delete(one);
  }

  /** Moves the clock forward by this number of milliseconds, and begins the work that is due. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const one of [...this.#scheduled].filter(({ at }) => at <= this.#now)) {
      this.#scheduled.delete(one);
      one.work();
    }
  }
}
