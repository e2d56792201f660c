import pLimit from "p-limit";

/** How many requests of one walk are under way at once (API description, 8). */
export const walkConcurrency = 5;

/** Runs the work for every item, five at a time; the first failure stops what has not begun and is thrown at the end. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const running = items.map(untilFailure(work));
  try {
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}

/**
 * Works on a queue that grows while it is worked on, five items at a time as long as there are as many. The first failure
 * is thrown at once and stops what has not begun.
 */
export async function drain<T>(queue: T[], work: (item: T) => Promise<void>): Promise<void> {
  const run = untilFailure(work);
  const takeAll = async (): Promise<void> => {
    await Promise.all(
      queue.splice(0).map(async (item) => {
        await run(item);
        await takeAll();
      }),
    );
  };
  await takeAll();
}

/** The work, five items at a time; once an item has failed, those that have not begun do nothing. */
function untilFailure<T>(work: (item: T) => Promise<void>): (item: T) => Promise<void> {
  const limit = pLimit(walkConcurrency);
  let hasFailed = false;
  return (item) =>
    limit(async () => {
      if (hasFailed) {
        return;
      }
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
}
