interface Waiting<Job> {
  readonly job: Job;
  isReady: boolean;
  readonly ready: Promise<unknown>;
}

/** Jobs in order, for several workers. A job whose parts are still being installed lets later jobs go first. */
export class JobQueue<Job> {
  readonly #waiting: Waiting<Job>[];

  /** `isReady` resolves when a job can run. */
  constructor(jobs: readonly Job[], isReady: (job: Job) => Promise<unknown>) {
    this.#waiting = jobs.map((job) => {
      const one: Waiting<Job> = { job, isReady: false, ready: isReady(job) };
      const done = (): void => {
        one.isReady = true;
      };
      one.ready.then(done, done);
      return one;
    });
  }

  /** The next job that can run, as soon as there is one; undefined when none is left. */
  async next(): Promise<Job | undefined> {
    for (;;) {
      const index = this.#waiting.findIndex(({ isReady }) => isReady);
      if (index >= 0) return this.#waiting.splice(index, 1)[0]?.job;
      if (this.#waiting.length === 0) return undefined;
      await Promise.race(this.#waiting.map(({ ready }) => ready)).catch(() => undefined);
      // Another worker may have taken it.
      await Promise.resolve();
    }
  }
}
