import pLimit from "p-limit";

/** Number of parallel requests of one walk (API description, 8). */
export const walkConcurrency = 5;

/**
 * Runs the work for every item, up to five at a time. After the first failure, starts no more items, waits for the
 * running ones, and throws the failure.
 */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const running = items.map(untilFailure(work));
  try {
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}

/**
 * Processes a queue that can grow meanwhile, up to five items at a time. Throws the first failure immediately, and
 * starts no more items.
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

/** Runs the work for up to five items at a time. After an item fails, items that have not started are skipped. */
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
