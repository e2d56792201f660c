import type { Rejection } from "../http/rejections.ts";

/** How often something happened in the running window of a key, the last time included, and how long the window lasts. */
export interface WindowCount {
  readonly counted: number;
  readonly millisecondsLeft: number;
}

/** Milliseconds of a window in which requests are counted. */
export const windowMilliseconds = 60_000;

/** Milliseconds for which an answered question is valid, and for which at least its use is remembered. */
export const confirmationMilliseconds = 5 * 60_000;

/** Seconds since 1970, undefined for what is not revoked. */
export interface RevocationTimes {
  readonly times: readonly (number | undefined)[];
}

/** What instances have to know of each other: one implementation keeps it in memory, one in a store that they share. */
export interface StateStore {
  /** Counts one request of that key. A rejection says that the store does not answer. */
  count(limit: string, key: string): Promise<WindowCount | Rejection>;
  /** Marks an answered question as used: `isFirst` for the first use alone. */
  use(id: string): Promise<{ readonly isFirst: boolean } | Rejection>;
  /** Records that what has this name is revoked since that time, in seconds since 1970. */
  revoke(name: string, since: number): Promise<Rejection | undefined>;
  /** Since when each of these names is revoked, in their order; undefined for one that is not. */
  revokedSince(names: readonly string[]): Promise<RevocationTimes | Rejection>;
  /** False while a shared store does not answer. */
  readonly isAvailable: boolean;
  close(): Promise<void>;
}
