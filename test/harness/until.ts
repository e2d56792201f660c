import { setTimeout as delay } from "node:timers/promises";

/** Waits until something is so, and fails with what was waited for when it is not within 120 seconds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = performance.now() + 120_000; !(await isSo()); await delay(10)) {
    if (performance.now() > limit) throw new Error(`waited in vain until ${what}`);
  }
}
