import { setTimeout as delay } from "node:timers/promises";
import { nextTurn } from "../../api/turns.ts";

/** Number of callers that continue until the time they took is measured. */
const callersPerLook = 16;
/** Milliseconds for which callers continue until other work gets a turn. */
const sliceMs = 20;

interface Waiting {
  /** As `performance.now` returns it. */
  readonly until: number;
  readonly resume: () => void;
}

/**
 * A delay of some milliseconds. Many callers at once have one timer, and continue in order. However long they take, other
 * work gets a turn between them.
 */
export class SharedDelay {
  readonly #milliseconds: number;
  #waiting: Waiting[] = [];
  #isRunning = false;
  /** What continues when a request has ended, by the request. */
  readonly #afterRequests = new Map<Promise<unknown>, (() => void)[]>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  wait(): Promise<void> {
    return new Promise((resume) => this.#resumeAt(performance.now() + this.#milliseconds, resume));
  }

  /** Waits for the end of a request, without a delay. Many callers that wait for the same one continue in slices, too. */
  ended(request: Promise<unknown>): Promise<void> {
    return new Promise((resume) => {
      const others = this.#afterRequests.get(request);
      if (others !== undefined) {
        others.push(resume);
        return;
      }
      const all = [resume];
      this.#afterRequests.set(request, all);
      const resumeAll = (): void => {
        this.#afterRequests.delete(request);
        for (const one of all) {
          this.#resumeAt(0, one);
        }
      };
      request.then(resumeAll, resumeAll);
    });
  }

  #resumeAt(until: number, resume: () => void): void {
    this.#waiting.push({ until, resume });
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#run();
    }
  }

  async #run(): Promise<void> {
    // All callers that come at once have come then, also without a delay.
    await continued();
    let begunAt = performance.now();
    let sinceLook = 0;
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const { until, resume } of waiting) {
        if (sinceLook >= callersPerLook) {
          sinceLook = 0;
          await continued();
          if (performance.now() - begunAt >= sliceMs) {
            await nextTurn();
            begunAt = performance.now();
          }
        }
        const rest = until - performance.now();
        if (rest > 0) {
          await delay(Math.ceil(rest));
          begunAt = performance.now();
        }
        resume();
        sinceLook += 1;
      }
    }
    this.#isRunning = false;
  }
}

/** Resolves when what was resumed has nothing left to do without waiting. */
function continued(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
