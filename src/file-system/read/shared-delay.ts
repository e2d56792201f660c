import { setTimeout as delay } from "node:timers/promises";
import { nextTurn } from "../../api/turns.ts";

/** Number of callers that continue in one turn of the event loop. Each takes some microseconds. */
const callersPerTurn = 500;

interface Waiting {
  /** As `performance.now` returns it. */
  readonly until: number;
  readonly resume: () => void;
}

/** A delay of some milliseconds. Many callers at once have one timer, and continue in order, some in each turn. */
export class SharedDelay {
  readonly #milliseconds: number;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  wait(): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.push({ until: performance.now() + this.#milliseconds, resume });
      if (!this.#isRunning) {
        this.#isRunning = true;
        void this.#run();
      }
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const [index, { until, resume }] of waiting.entries()) {
        const rest = until - performance.now();
        if (rest > 0) {
          await delay(Math.ceil(rest));
        } else if (index > 0 && index % callersPerTurn === 0) {
          await nextTurn();
        }
        resume();
      }
    }
    this.#isRunning = false;
  }
}
