/** The two clocks of a front door, both in milliseconds; tests set them. */
export interface Clock {
  /** Since 1970. It may jump when somebody sets it: only the times within tokens are compared with it. */
  readonly wall: () => number;
  /** Only goes forward. Ages, pauses, and limits of rate are measured with it. */
  readonly monotonic: () => number;
}

export const systemClock: Clock = { wall: Date.now, monotonic: () => performance.now() };
