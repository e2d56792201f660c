import { setImmediate as nextRound } from "node:timers/promises";

/** Bytes or characters of an answer from which on it is worked on in turns. */
const longWork = 128 * 1024;

let last: Promise<void> = Promise.resolve();

/**
 * Ends when it is the caller's turn to work on the event loop: one caller in each round of the loop, in the order in which
 * they asked, so that requests of others are served between two pieces of long work however many of them there are.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => nextRound());
  return last;
}

/** Waits for a turn where the work on so many bytes or characters is long. */
export async function turnFor(size: number): Promise<void> {
  if (size >= longWork) {
    await nextTurn();
  }
}
