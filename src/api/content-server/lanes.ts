/** How many requests of one walk are under way at once (API description, 8). */
export const walkConcurrency = 5;

/** Runs the work for every item, five at a time; the first failure stops what has not begun and is thrown at the end. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failed: { readonly error: unknown } | undefined;
  const lane = async (): Promise<void> => {
    for (const item of waiting) {
      if (failed !== undefined) {
        return;
      }
      try {
        await work(item);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: walkConcurrency }, lane));
  if (failed !== undefined) {
    throw failed.error;
  }
}

/** Works on a queue that grows while it is worked on, with all lanes busy while it lasts. */
export function drain<T>(queue: T[], work: (item: T) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let running = 0;
    let failed = false;
    const next = (): void => {
      if (!failed && running === 0 && queue.length === 0) {
        resolve();
      }
      while (!failed && running < walkConcurrency) {
        const [item] = queue.splice(0, 1);
        if (item === undefined) {
          return;
        }
        running += 1;
        work(item).then(
          () => {
            running -= 1;
            next();
          },
          (error: unknown) => {
            failed = true;
            reject(error);
          },
        );
      }
    };
    next();
  });
}
