import { setImmediate as nextRound } from "node:timers/promises";

/** Minimum size of a response that is processed in turns, in bytes or characters. */
export const longWork = 128 * 1024;

/** Event loop iterations between two turns. They take no time if nothing else is waiting. */
const roundsPerTurn = 3;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is the caller's turn on the event loop. Each caller gets a turn after a few iterations, in order of
 * arrival, so other requests are served between two pieces of long work, regardless of their number.
 */
export function nextTurn(): Promise<void> {
  last = last.then(async () => {
    for (let round = 0; round < roundsPerTurn; round += 1) {
      await nextRound();
    }
  });
  return last;
}

/** Waits for a turn if there are many bytes or characters to process. */
export async function turnFor(size: number): Promise<void> {
  if (size >= longWork) {
    await nextTurn();
  }
}
