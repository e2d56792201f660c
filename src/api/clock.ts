/** The time and timers. Tests use their own clock. */
export interface Clock {
  now(): number;
  /** Runs the work after this many milliseconds; returns a function that cancels it. */
  schedule(milliseconds: number, work: () => void): () => void;
}

/** Its time is in milliseconds since 1970. It jumps when the clock of the computer is set. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Its time only moves forward, also when the clock of the computer is set. For ages and due times. */
export const monotonicClock: Clock = { ...systemClock, now: () => performance.now() };
