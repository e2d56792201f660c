import type { Rejection } from "../http/rejections.ts";

/** The count of a key in its current window, including the latest request, and the remaining time of the window. */
export interface WindowCount {
  readonly counted: number;
  readonly millisecondsLeft: number;
}

/** Length of a window in which requests are counted, in milliseconds. */
export const windowMilliseconds = 60_000;

/** Milliseconds for which the answer to a question is valid. Its use is stored for at least as long. */
export const confirmationMilliseconds = 5 * 60_000;

/** Times in seconds since 1970; undefined for names that are not revoked. */
export interface RevocationTimes {
  readonly times: readonly (number | undefined)[];
}

/** The state that instances can share. One implementation stores it in memory, the other on a shared server. */
export interface StateStore {
  /** Counts one request of a key. Returns a rejection if the store doesn't reply. */
  count(limit: string, key: string): Promise<WindowCount | Rejection>;
  /** Marks the answer to a question as used. `isFirst` is true only for the first use. */
  use(id: string): Promise<{ readonly isFirst: boolean } | Rejection>;
  /** Revokes everything with this name that was issued until `since`, in seconds since 1970. */
  revoke(name: string, since: number): Promise<Rejection | undefined>;
  /** The times of revocation of these names, in the same order. */
  revokedSince(names: readonly string[]): Promise<RevocationTimes | Rejection>;
  /** False while a shared store doesn't reply. */
  readonly isAvailable: boolean;
  close(): Promise<void>;
}
