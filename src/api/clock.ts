/** The time and timers. Tests use their own clock. */
export interface Clock {
  now(): number;
  /** Runs the work after this many milliseconds; returns a function that cancels it. */
  schedule(milliseconds: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
