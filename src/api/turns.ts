import { setImmediate as nextRound } from "node:timers/promises";

/** Size of an answer, in bytes or characters, from which it is processed in turns. */
export const longWork = 128 * 1024;

/** Rounds of the event loop between two turns. They take no time if nothing else is waiting. */
const roundsPerTurn = 3;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is the caller's turn on the event loop: one caller every few rounds, in order of arrival. Other
 * requests are therefore served between two pieces of long work, no matter how many there are.
 */
export function nextTurn(): Promise<void> {
  last = last.then(async () => {
    for (let round = 0; round < roundsPerTurn; round += 1) {
      await nextRound();
    }
  });
  return last;
}

/** Waits for a turn if the work on this many bytes or characters is long. */
export async function turnFor(size: number): Promise<void> {
  if (size >= longWork) {
    await nextTurn();
  }
}
