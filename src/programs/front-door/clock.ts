/** The two clocks of a front door, in milliseconds. Tests control them. */
export interface Clock {
  /** Milliseconds since 1970. It can jump when it is set, so it is compared only with times in tokens. */
  readonly wall: () => number;
  /** A monotonic clock. Ages, pauses, and rate limits use it. */
  readonly monotonic: () => number;
}

export const systemClock: Clock = { wall: Date.now, monotonic: () => performance.now() };
