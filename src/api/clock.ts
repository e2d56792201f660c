/** The time, and timers. Tests have a clock of their own. */
export interface Clock {
  now(): number;
  /** Runs the work after that many milliseconds; gives a function that prevents it. */
  schedule(milliseconds: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
