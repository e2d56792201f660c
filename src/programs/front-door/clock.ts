/** The two clocks of a front door, in milliseconds. Tests control them. */
export interface Clocks {
  /** Milliseconds since 1970. Can jump when it is set, so compare it only with times in tokens. */
  readonly wall: () => number;
  /** A monotonic clock for ages, pauses, and rate limits. */
  readonly monotonic: () => number;
}

export const systemClock: Clocks = { wall: Date.now, monotonic: () => performance.now() };
