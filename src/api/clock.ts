/** The time and timers. Tests use their own clock. */
export interface Clock {
  now(): number;
  /** Runs the work after this number of milliseconds. Returns a function that cancels it. */
  schedule(milliseconds: number, work: () => void): () => void;
}

/** Milliseconds since 1970. Jumps when the computer's clock is set. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** For ages and due times. Never moves backward, even if the computer's clock is set. */
export const monotonicClock: Clock = { ...systemClock, now: () => performance.now() };

/** For work that isn't worth waiting for. Its timers don't keep the process alive. */
export const backgroundClock: Clock = {
  ...systemClock,
  schedule: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
