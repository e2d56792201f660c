import { setImmediate as nextRound } from "node:timers/promises";

/** Bytes or characters of an answer from which on it is worked on in turns. */
export const longWork = 128 * 1024;

/** Rounds of the event loop from one turn to the next. They take no time where nothing else is to be done. */
const roundsPerTurn = 3;

let last: Promise<void> = Promise.resolve();

/**
 * Ends when it is the caller's turn to work on the event loop: one caller every few rounds of the loop, in the order in
 * which they asked, so that requests of others are served between two pieces of long work however many of them there are.
 */
export function nextTurn(): Promise<void> {
  last = last.then(async () => {
    for (let round = 0; round < roundsPerTurn; round += 1) {
      await nextRound();
    }
  });
  return last;
}

/** Waits for a turn where the work on so many bytes or characters is long. */
export async function turnFor(size: number): Promise<void> {
  if (size >= longWork) {
    await nextTurn();
  }
}
